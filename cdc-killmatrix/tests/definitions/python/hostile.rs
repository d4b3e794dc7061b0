//! No file makes the reader fail.

use cdc_core::Dialect;
use proptest::prelude::*;

use super::{faults, read, read_as};

const FLOW: &str = "dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn')\n";

/// A module that holds most of what is read.
const SEED: &str = r#"# Databricks notebook source
%pip install x
import dlt as d
from pyspark.sql.functions import col as c, struct
KEYS, SEQ = ["id"], struct("a", c("b"))
class P:
    X: str = f"{KEYS!r:>{10}}"
@d.view(name="s")
@d.expect_or_drop("a", "b")
async def v(a, /, *b, k=lambda x, *y: x, **z):
    async with a as (b, [*q]): return [i async for i in df.filter(c("a") & ~c("b")) if (j := i)]
try: import x
except* (A, B) as e: del KEYS[0], e
match k:
    case {"a": [x, *y], **z} | P(x=1) as w if w: global KEYS
for t, u in {"a": 1, **{}}.items():
    d.create_streaming_table(name="t", schema='id INT, `__START_AT` x<a:b, (c)>', table_properties={**P, "a": "b"})
    d.apply_changes("t", "s", keys=[*KEYS, c("`a.b`")], sequence_by=SEQ.alias('x'), once=True,
        apply_as_deletes=(c("op").isin(["D", 'X']) | (c("x") >= -1.5)) & c("y").isNull(), name=f"n{'t'}")
d.create_auto_cdc_from_snapshot_flow("u", lambda v: v, ("id",), 2, None, ["z"])
"#;

/// Lines, each one deeper than the one before, and something at the end.
fn indented(line: &str, count: usize) -> String {
    let lines: Vec<String> = (0..count).map(|depth| format!("{}{line}\n", " ".repeat(depth))).collect();
    format!("{}{}pass", lines.concat(), " ".repeat(count))
}

#[test]
fn the_seed_is_python() {
    assert_eq!(faults(SEED).len(), 1, "{:?}", faults(SEED));
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let many = 100_000;
    let message =
        "the code is nested more than 1000 deep; expected less (is a bracket left open further up?)";
    for deep in [
        "(".repeat(many),
        "[".repeat(many),
        "{".repeat(many),
        "(]".repeat(many),
        format!("x = {}1{}", "(".repeat(many), ")".repeat(many)),
        format!("x = {}1", "-".repeat(many)),
        format!("x = {}1", "not ".repeat(many)),
        format!("x = {}1", "lambda: ".repeat(many)),
        format!("x = {}1", "lambda a, b: ".repeat(many)),
        format!("x = {}1", "a if b else ".repeat(many)),
        format!("x = {}1", "1 ** ".repeat(many)),
        format!("x = {}1", "1 + ".repeat(many)),
        format!("x = a{}", ".b".repeat(many)),
        format!("x = a{}", "()".repeat(many)),
        format!("x = a{}", "[0]".repeat(many)),
        "f'{".repeat(many),
        "f\"{f'{".repeat(many),
        "if x: ".repeat(many),
        "await ".repeat(many),
        indented("if x:", 2000),
    ] {
        let faults = faults(&format!("{FLOW}{deep}\n"));
        assert!(faults[0].ends_with(message), "{}: {}", &deep[..20], faults[0]);
        assert!(faults[0].starts_with("2:") || deep.contains('\n'), "{}", faults[0]);
    }
}

#[test]
fn nesting_within_the_bound_is_read() {
    for deep in [
        format!("x = {}1{}", "(".repeat(990), ")".repeat(990)),
        format!("x = {}1{}", "[".repeat(990), "]".repeat(990)),
        format!("x = {}1", "-".repeat(990)),
        format!("x = {}1", "not ".repeat(990)),
        format!("x = {}1", "lambda: ".repeat(490)),
        format!("x = {}1", "a if b else ".repeat(490)),
        format!("x = {}1", "1 ** ".repeat(990)),
        format!("x = {}'b'", "'a' + ".repeat(990)),
        format!("x = a{}", ".b(0)".repeat(490)),
        format!("x = {}1{}", "{0: ".repeat(490), "}".repeat(490)),
        format!("x = {}1{}", "f(a=".repeat(990), ")".repeat(990)),
        format!("x = {}1{}", "[i for i in ".repeat(990), "]".repeat(990)),
        indented("if x:", 99),
        indented("def f():", 99),
    ] {
        let module = format!("{deep}\n{FLOW}");
        assert!(read(&module).is_ok(), "{}", &deep[..30]);
        // And as a value that is looked at.
        let used =
            format!("{deep}\ndp.create_auto_cdc_flow('t', 's', ['id'], 'lsn', apply_as_deletes=x, keys=x)\n");
        assert!(read(&used).is_err());
        let inline =
            format!("dp.create_auto_cdc_flow('t', 's', ['id'], 'lsn',\\\napply_as_deletes{})", &deep[1..]);
        let _ = read(&inline);
    }
}

#[test]
fn values_that_grow_without_end_are_given_up() {
    for (first, step) in [("'aaaaaaaa'", "{} + {}"), ("['a']", "[*{}, *{}]"), ("f'a'", "f'{{{}}}{{{}}}'")] {
        let mut module = format!("n0 = {first}\n");
        for i in 1..64 {
            let name = format!("n{}", i - 1);
            let value = step.replace("{{", "{").replace("}}", "}").replace("{}", &name);
            module.extend([&format!("n{i}"), " = ", &value, "\n"]);
        }
        let flow = "dp.create_auto_cdc_flow('t', 's', n63, n63)\n";
        assert_eq!(faults(&format!("{module}{flow}")).len(), 2, "{step}");
    }
}

#[test]
fn many_flows_are_read_in_time() {
    let many = 5_000;
    let flows: Vec<String> = (0..many)
        .map(|i| {
            format!(
                "dp.create_streaming_table('a.t')\n@dp.view\ndef v{i}(): return df.filter('a')\n\
                 dp.create_auto_cdc_flow('b{i}.t', 'v{i}', ['id'], 'lsn')\n"
            )
        })
        .collect();
    let module = flows.concat();
    let read = read(&module).unwrap();
    assert_eq!((read.flows.len(), read.warnings().len()), (many, many));
}

/// Reads a module as each vendor does, whatever comes of it.
fn read_both(module: &str) {
    for dialect in Dialect::ALL {
        let _ = read_as(module, dialect);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_changed_module_is_read_or_refused(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..4),
        insert in prop::collection::vec((any::<prop::sample::Index>(), "[\\PC\n\r\t ]{0,4}"), 0..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut characters: Vec<char> = SEED.chars().collect();
        for (from, to) in cuts {
            let (from, to) = (from.index(characters.len()), to.index(characters.len()).min(30));
            let to = (from + to).min(characters.len());
            characters.drain(from..to);
            if characters.is_empty() {
                return Ok(());
            }
        }
        for (place, text) in insert {
            let place = place.index(characters.len());
            characters.splice(place..place, text.chars());
        }
        read_both(&characters.iter().collect::<String>());
        characters.truncate(end.index(characters.len()));
        read_both(&characters.iter().collect::<String>());
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\PC|[\n\r\t (){}\\[\\]'\"\\\\:=,.@#%!f]){0,80}") {
        read_both(&text);
    }

    #[test]
    fn any_words_are_read_or_refused(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "dp.create_auto_cdc_flow(", "create_streaming_table(", "'t'", "keys=", "sequence_by=", "[", "]", "(", ")",
                ",", "col(", "struct(", "expr(", "isin(", ".", "==", "&", "~", "f'{", "}'", "x", "=", "\n", "for", "in",
                "lambda", ":", "*", "**", "{", "}", "def", "@dp.view", "if", "else", "+", "-", "1", "None", "schema=",
                "table_properties=", "\n    ", "target=", "source=", "name=", "apply_as_deletes=",
            ]),
            0..60,
        ),
    ) {
        read_both(&words.join(" "));
    }
}
