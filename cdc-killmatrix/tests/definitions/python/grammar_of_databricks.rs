//! `create_auto_cdc_flow` of Databricks: every parameter of section 1.2 of the semantics, in its order.

use cdc_core::{Flow, ScdType};

use super::only;

fn base() -> Flow {
    Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn every_parameter_of_section_1_2() {
    let stored = |stored_as_scd_type| Flow { stored_as_scd_type, ..base() };
    for (more, expected) in [
        ("", base()),
        ("keys=[col('id')]", base()),
        ("sequence_by=col('lsn')", base()),
        ("sequence_by=struct('a', 'b')", Flow { sequence_by: "struct(a, b)".into(), ..base() }),
        (
            "system_sequence_by='known', stored_as_scd_type='bitemporal'",
            Flow { system_sequence_by: Some("known".into()), ..stored(ScdType::Bitemporal) },
        ),
        ("ignore_null_updates=True", Flow { ignore_null_updates: true, ..base() }),
        (
            "ignore_null_updates_column_list=['a']",
            Flow { ignore_null_updates_column_list: Some(names(&["a"])), ..base() },
        ),
        (
            "ignore_null_updates_except_column_list=['a']",
            Flow { ignore_null_updates_except_column_list: Some(names(&["a"])), ..base() },
        ),
        ("columns_to_update=col('changed')", Flow { columns_to_update: Some("changed".into()), ..base() }),
        ("apply_as_deletes=expr(\"op = 'D'\")", Flow { apply_as_deletes: Some("op = 'D'".into()), ..base() }),
        ("apply_as_truncates=\"op = 'T'\"", Flow { apply_as_truncates: Some("op = 'T'".into()), ..base() }),
        ("column_list=['id', col('a')]", Flow { column_list: Some(names(&["id", "a"])), ..base() }),
        ("except_column_list=['op']", Flow { except_column_list: Some(names(&["op"])), ..base() }),
        ("stored_as_scd_type=1", base()),
        ("stored_as_scd_type='2'", stored(ScdType::Two)),
        (
            "stored_as_scd_type=2, track_history_column_list=['a']",
            Flow { track_history_column_list: Some(names(&["a"])), ..stored(ScdType::Two) },
        ),
        (
            "stored_as_scd_type=2, track_history_except_column_list=['a']",
            Flow { track_history_except_column_list: Some(names(&["a"])), ..stored(ScdType::Two) },
        ),
        ("name='n'", base()),
        ("once=True", Flow { once: true, ..base() }),
    ] {
        for function in ["create_auto_cdc_flow", "apply_changes"] {
            let needed = ["keys=['id']", "sequence_by='lsn'"];
            let is_given = |it: &&str| more.starts_with(it.split('=').next().unwrap_or_default());
            let needed: Vec<&str> = needed.into_iter().filter(|it| !is_given(it)).collect();
            let module = format!("dp.{function}(target='t', source='s', {}, {more})", needed.join(", "));
            assert_eq!(only(&module).flow, expected, "{module}");
        }
    }
}
