//! What the mutants of keys and values do to one event, and where they have nothing to do.

use cdc_core::{Arrival, AutoCdc as _, DataType, Event, Flow, Mutant, Plan, ScdType, Value};
use cdc_killmatrix::catalogue;

fn mutant(name: &str) -> Mutant {
    catalogue::all().into_iter().find(|mutant| mutant.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// A table of type 1 with the key `id`, of the sequence `seq`, which it leaves out.
fn flow() -> Flow {
    Flow {
        keys: vec!["id".to_owned()],
        sequence_by: "seq".to_owned(),
        except_column_list: Some(vec!["seq".to_owned()]),
        ..Flow::default()
    }
}

/// The flow over a source of an `id`, a value `v` and a sequence.
fn plan(id: &str, v: &str) -> Plan {
    Plan::new(flow(), format!("id {id}, v {v}, seq BIGINT").parse().unwrap()).unwrap()
}

fn event(id: Value, v: Value) -> Event {
    Event { values: [id, v, Value::Int(1)].into(), arrival: Arrival { batch: 1, row: 0 } }
}

fn decimal(text: &str) -> Value {
    Value::from(text.parse::<bigdecimal::BigDecimal>().unwrap())
}

#[test]
fn a_value_lands_as_another_one() {
    let (null, text) = (Value::Null, |text: &str| Value::from(text));
    for (name, data_type, sent, lands) in [
        (
            "numbers_through_double",
            "BIGINT",
            Value::Int(9_007_199_254_740_993),
            Value::Int(9_007_199_254_740_992),
        ),
        ("numbers_through_double", "BIGINT", Value::Int(12), Value::Int(12)),
        (
            "numbers_through_double",
            "DECIMAL(20,2)",
            decimal("123456789012345678.91"),
            decimal("123456789012345680"),
        ),
        ("numbers_through_double", "DECIMAL(20,2)", decimal("0.10"), decimal("0.10")),
        ("rounded_decimals", "DECIMAL(6,3)", decimal("2.345"), decimal("2.3")),
        ("rounded_decimals", "DECIMAL(6,1)", decimal("2.5"), decimal("3")),
        ("empty_text_for_null", "STRING", null.clone(), text("")),
        ("null_for_empty_text", "STRING", text(""), null.clone()),
        ("null_for_empty_text", "STRING", text(" "), text(" ")),
        ("names_by_case", "STRING", text("a"), text("a")),
    ] {
        let (plan, id) = (plan("INT", data_type), Value::Int(1));
        let row = mutant(name).row_of(&plan, &event(id.clone(), sent.clone()));
        assert_eq!(*row, [id, lands], "{name} of {sent}");
    }
}

#[test]
fn keys_meet_that_differ() {
    let (text, double) = (|text: &str| Value::from(text), |number: f64| Value::from(number));
    for (name, data_type, left, right, meet) in [
        ("case_folded_key", "STRING", text("Ä-1"), text("ä-1"), true),
        ("case_folded_key", "STRING", text("a"), text(" a"), false),
        ("key_through_double", "BIGINT", Value::Int(1 << 53), Value::Int((1 << 53) + 1), true),
        ("key_through_double", "BIGINT", Value::Int(1), Value::Int(2), false),
        ("signed_zero_key", "DOUBLE", double(0.0), double(-0.0), false),
        ("signed_zero_key", "DOUBLE", double(f64::NAN), double(f64::NAN), true),
        ("accepted_null_key", "STRING", Value::Null, Value::Null, true),
    ] {
        let plan = plan(data_type, "STRING");
        let key = |id: &Value| mutant(name).key_of(&plan, &event(id.clone(), Value::Null)).unwrap();
        assert_eq!(key(&left) == key(&right), meet, "{name} of {left} and {right}");
    }
}

#[test]
fn a_mutant_does_not_apply_to_types_that_leave_it_nothing_to_do() {
    for (name, id, v, reason) in [
        ("glued_key", "INT", "INT", "the key is one column"),
        ("case_folded_key", "INT", "STRING", "the key has no text"),
        ("signed_zero_key", "INT", "DOUBLE", "the key has no floating point number"),
        ("key_through_double", "INT", "BIGINT", "the key has no BIGINT"),
        ("numbers_through_double", "BIGINT", "DECIMAL(15,2)", "no payload column has more than 15 digits"),
        ("rounded_decimals", "INT", "DECIMAL(9,0)", "no payload column is a DECIMAL with a fraction"),
        ("empty_text_for_null", "STRING", "INT", "no payload column is a STRING"),
        ("names_by_case", "INT", "INT", "no payload column's name has a capital letter"),
        ("shifted_first_batch", "INT", "TIMESTAMP_NTZ", "no payload column is a TIMESTAMP"),
        ("shifted_delete", "INT", "INT", "SCD type 1 keeps no history"),
        ("load_time_as_sequence", "INT", "INT", "no excluded column could be taken for the sequence"),
        ("sequence_cut_to_seconds", "INT", "INT", "the sequence is no TIMESTAMP"),
    ] {
        assert_eq!((mutant(name).needs)(&plan(id, v)), Err(reason), "{name}");
    }
}

#[test]
fn a_mutant_does_not_apply_to_a_flow_that_leaves_it_nothing_to_do() {
    let in_history = Flow { stored_as_scd_type: ScdType::Two, ..flow() };
    let history = Plan::new(in_history, "id INT, v INT, seq BIGINT".parse().unwrap()).unwrap();
    let of_snapshots = Flow {
        sequence_by: String::new(),
        except_column_list: None,
        from_snapshot: Some(DataType::BigInt),
        ..flow()
    };
    let snapshots = Plan::new(of_snapshots, "id INT, v INT".parse().unwrap()).unwrap();
    for (name, plan, reason) in [
        ("shifted_delete", &history, "the flow has no delete condition"),
        ("arrival_order_inside_batch", &history, "the table keeps a history"),
        ("data_column_in_key", &snapshots, "a row that a snapshot lacks is deleted, whatever its key"),
        ("null_sequence_lowest", &snapshots, "snapshots come in the order of their versions"),
    ] {
        assert_eq!((mutant(name).needs)(plan), Err(reason), "{name}");
    }
}

#[test]
fn where_the_sequence_is_tracked_no_event_says_what_one_before_it_said() {
    let of = |schema: &str, flow: Flow| Plan::new(flow, schema.parse().unwrap()).unwrap();
    let base = Flow {
        keys: vec!["id".into()],
        sequence_by: "seq".into(),
        stored_as_scd_type: ScdType::Two,
        apply_as_deletes: Some("op = 'D'".into()),
        ..Flow::default()
    };
    let numbers = "id INT, v STRING, op STRING, seq INT, pos INT";
    let list = |name: &str| Some(vec![name.to_owned()]);
    let reason = "every event changes a tracked column: the sequence";
    let tracked = of(numbers, base.clone());
    for name in [
        "repeated_version",
        "unseen_null_in_history",
        "unseen_capitals",
        "unseen_blanks",
        "dropped_revert",
        "dropped_equal_return",
    ] {
        assert_eq!((mutant(name).needs)(&tracked), Err(reason), "{name}");
        for open in [
            Flow { track_history_except_column_list: list("seq"), ..base.clone() },
            Flow { except_column_list: list("seq"), ..base.clone() },
            Flow { sequence_by: "struct(seq, pos)".into(), except_column_list: list("pos"), ..base.clone() },
        ] {
            assert_eq!((mutant(name).needs)(&of(numbers, open)), Ok(()), "{name}");
        }
    }
    // The fields of a struct may be null, and a text may differ in its spelling only.
    let composite = of(numbers, Flow { sequence_by: "struct(seq, pos)".into(), ..base.clone() });
    assert_eq!((mutant("unseen_null_in_history").needs)(&composite), Ok(()));
    assert_eq!((mutant("repeated_version").needs)(&composite), Err(reason));
    let of_text = of("id INT, v STRING, op STRING, seq STRING", base.clone());
    assert_eq!((mutant("unseen_blanks").needs)(&of_text), Ok(()));
    assert_eq!((mutant("dropped_revert").needs)(&of_text), Err(reason));

    let untracked = Flow { track_history_except_column_list: list("seq"), ..base.clone() };
    assert!((mutant("forgotten_hidden_event").needs)(&of(numbers, untracked)).is_err());
    for (columns, condition, applies) in [
        (None, "op = 'D'", false),
        (list("op"), "op = 'D'", true),
        (list("seq"), "op = 'D'", false),
        (None, "id < 0", true),
    ] {
        let flow = Flow {
            except_column_list: columns,
            apply_as_deletes: Some(condition.into()),
            stored_as_scd_type: ScdType::One,
            ..base.clone()
        };
        assert_eq!((mutant("half_key_change").needs)(&of(numbers, flow)).is_ok(), applies, "{condition}");
    }
}
