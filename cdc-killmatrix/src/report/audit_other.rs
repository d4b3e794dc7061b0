//! An audit as Markdown and as JSON.

use serde_json::{Map, Value, json};

use super::alike::apart;
use super::audit::{beside, proof, smallest, told};
use super::grid::joined;
use super::ignored::ignored_json;
use super::json::pretty;
use super::suggestion::suggested_json;
use crate::audit::{Alike, Audit, Comparison, Grade, Proof};
use crate::escape::for_markdown;
use crate::matrix::Matrix;

/// An audit as Markdown: a section a suite, and what changed since a state was accepted.
pub fn audit_markdown(suites: &[Audit<'_>], comparison: Option<&Comparison>) -> String {
    let mut lines: Vec<String> = Vec::new();
    let shown = |text: &str| for_markdown(text).into_owned();
    for audit in suites {
        lines.extend([format!("**{}**", shown(&audit.suite.title)), String::new()]);
        lines.extend([shown(format!("{} {}", smallest(audit), proof(audit)).trim_end()), String::new()]);
        lines.extend(["| fixture | adds nothing | only it catches |".to_owned(), "|---|---|---|".to_owned()]);
        for (number, line) in audit.fixtures.iter().enumerate() {
            let needless = audit.needless.iter().find(|it| it.fixture == number);
            let sole = audit.sole.iter().find(|(fixture, _)| *fixture == number);
            let (needless, sole) = (
                needless.map_or_else(String::new, |it| beside(audit, it)),
                sole.map_or_else(String::new, |(_, mutants)| audit.mutants(mutants).join(", ")),
            );
            lines.push(format!("| {} | {} | {} |", shown(&line.title), shown(&needless), shown(&sole)));
        }
        lines.push(String::new());
        if !audit.alike.is_empty() {
            lines.extend(["No fixture tells apart:".to_owned(), String::new()]);
            let group = |group: &Alike| {
                let told = apart(group).map_or_else(String::new, |told| format!("; {told}"));
                format!("* {}", shown(&(audit.mutants(&group.mutants).join(", ") + &told)))
            };
            lines.extend(audit.alike.iter().map(group));
            lines.push(String::new());
        }
    }
    for (grade, heading) in [
        (Grade::Worse, "Worse than accepted"),
        (Grade::Better, "Better than accepted"),
        (Grade::Told, "To know"),
    ] {
        let changes: Vec<String> = comparison
            .into_iter()
            .flat_map(|it| it.of(grade))
            .map(|it| format!("* {}", shown(&told(it))))
            .collect();
        if !changes.is_empty() {
            lines.extend([format!("**{heading}**"), String::new()]);
            lines.extend(changes);
            lines.push(String::new());
        }
    }
    lines.pop_if(|last| last.is_empty());
    joined(&lines)
}

/// An audit as JSON, with what changed since a state was accepted.
pub fn audit_json(matrix: &Matrix, suites: &[Audit<'_>], comparison: Option<&Comparison>) -> String {
    let mut json = Map::new();
    json.insert("suites".to_owned(), suites.iter().map(suite).collect());
    if !matrix.ignored.is_empty() {
        json.insert("ignored".to_owned(), json!(ignored_json(matrix)));
    }
    if let Some(comparison) = comparison {
        let changes = comparison.changes.iter().map(|change| {
            json!({
                "kind": change.kind.name(),
                "grade": change.kind.grade().name(),
                "suite": change.suite,
                "mutants": change.mutants,
                "fixtures": change.fixtures,
                "text": change.text,
            })
        });
        json.insert("changes".to_owned(), changes.collect());
    }
    pretty(&json)
}

fn suite(audit: &Audit<'_>) -> Value {
    let proof = match &audit.cover.proof {
        Proof::Nothing => json!({ "kind": "nothing" }),
        Proof::Apart(mutants) => json!({ "kind": "apart", "mutants": audit.mutants(mutants) }),
        Proof::Searched { apart, choices } => {
            json!({ "kind": "searched", "at_least": apart, "choices": choices })
        }
        Proof::AtLeast(least) => json!({ "kind": "bound", "at_least": least }),
    };
    let name = |fixture: usize| audit.fixtures[fixture].name.as_str();
    let needless = audit
        .needless
        .iter()
        .map(|it| json!({ "fixture": name(it.fixture), "beside": audit.names(&it.beside) }));
    let sole = audit
        .sole
        .iter()
        .map(|(it, mutants)| json!({ "fixture": name(*it), "mutants": audit.mutants(mutants) }));
    let alike = audit.alike.iter().map(|group| {
        json!({
            "mutants": audit.mutants(&group.mutants),
            "caught_by": audit.names(&audit.caught[group.mutants[0]].1),
            "told_apart": group.told_apart.as_ref().map(suggested_json),
        })
    });
    let hooks = audit.hooks.iter().map(|(hook, seen)| {
        let seen =
            audit.fixtures.iter().zip(seen).map(|(line, seen)| (line.name.clone(), json!(seen.name())));
        json!({ "hook": hook, "fixtures": seen.collect::<Map<_, _>>() })
    });
    json!({
        "suite": audit.suite.name,
        "fixtures": audit.fixtures.iter().map(|line| line.name.as_str()).collect::<Vec<&str>>(),
        "caught": audit.caught.len(),
        "smallest": { "fixtures": audit.names(&audit.cover.fixtures), "proof": proof },
        "add_nothing": needless.collect::<Vec<Value>>(),
        "sole_catchers": sole.collect::<Vec<Value>>(),
        "alike": alike.collect::<Vec<Value>>(),
        "hooks": hooks.collect::<Vec<Value>>(),
    })
}
