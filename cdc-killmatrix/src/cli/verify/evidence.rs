//! What `verify` writes down of a run.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::args::VerifyArgs;
use crate::cli::session::Session;
use crate::cli::stop::Stop;
use crate::fixture::{Fixtures, split_flow};
use crate::json::{Source, bytes_of};
use crate::report::{self, Diagnosed, Verified};
use crate::verify::{CapturedFile, secrets, sha256};
use crate::words::slashed;

use super::played::OfRun;

impl<O: Write, E: Write> Session<'_, O, E> {
    /// The evidence as JSON, without any secret.
    pub(super) fn evidence(
        &self,
        files: &VerifyArgs,
        loaded: &[(PathBuf, Fixtures)],
        all: &[Verified<'_>],
        diagnosed: &[Diagnosed<'_>],
        run: Option<&OfRun>,
    ) -> Result<String, Stop> {
        let args = &files.evidence;
        let texts = [
            ("--revision", args.revision.as_ref()),
            ("--run-as", args.run_as.as_ref()),
            ("--captured-at", args.captured_at.as_ref()),
            ("--runtime", args.runtime.as_ref()),
        ];
        let texts = texts.into_iter().filter_map(|(option, text)| Some((option, text?)));
        let ids = args.update_id.iter().map(|id| ("--update-id", id));
        if let Some((option, _)) = texts.chain(ids).find(|(_, text)| secrets::is_named(text)) {
            return Err(Stop::input(&format!(
                "{option}: this looks like a secret; expected a text without one"
            )));
        }
        let mut fixtures: Vec<Value> = Vec::new();
        for (_, fixture) in loaded.iter().flat_map(|(_, fixtures)| fixtures.pairs()) {
            let path = self.corpus.real(&fixture.path)?;
            fixtures.push(json!({ "path": slashed(&fixture.path), "sha256": hash(&path)? }));
        }
        let said = json!({
            "format": 1,
            "program": { "name": "cdc-killmatrix", "version": env!("CARGO_PKG_VERSION") },
            "runtime": args.runtime,
            "revision": args.revision,
            "pipeline": args.pipeline.as_deref().map(hashed).transpose()?,
            "configuration": args.configuration.as_deref().map(configuration).transpose()?,
            "run_as": args.run_as,
            "update_ids": args.update_id,
            "captured_at": args.captured_at,
            "fixtures": fixtures,
            "flow": files.flow.definition.as_deref().map(flow).transpose()?,
            "manifest": files.manifest.as_deref().map(hashed).transpose()?,
            "types": files.types.as_deref().map(hashed).transpose()?,
        });
        let of_run = run.map(|run| (&run.fixtures, &run.played));
        let mut evidence = report::evidence(said, all, diagnosed, of_run);
        if let Some(run) = run {
            let file = |file: &CapturedFile| json!({ "path": slashed(&file.path), "sha256": file.sha256 });
            evidence["run"]["files"] = run.files.iter().map(file).collect();
        }
        if let Some(place) = secrets::one_in(&evidence) {
            let text =
                format!("the evidence would hold what looks like a secret, in `{place}`; nothing is written");
            return Err(Stop::input(&text));
        }
        Ok(format!("{evidence:#}\n"))
    }
}

/// The configuration of a pipeline, in which no name and no text looks like a secret.
fn configuration(file: &Path) -> Result<Value, Stop> {
    let bytes = bytes_of(file).map_err(|fault| Stop::Faults(fault.into()))?;
    let sha256 = sha256(&bytes);
    let source = Source::of_bytes(file, bytes).map_err(|fault| Stop::Faults(fault.into()))?;
    let text = source.text();
    let refused = |place: &str| {
        let file = file.display();
        Err(Stop::input(&format!(
            "{file}: {place} looks like a secret; expected a configuration without one"
        )))
    };
    let content = match serde_json::from_str::<Value>(text) {
        Ok(json) => match secrets::named_in(&json) {
            Some(place) => return refused(&format!("`{place}`")),
            None => json,
        },
        Err(_) => match text.lines().position(secrets::is_named) {
            Some(line) => return refused(&format!("line {}", line + 1)),
            None => Value::from(text),
        },
    };
    Ok(json!({ "path": slashed(file), "sha256": sha256, "content": content }))
}

/// The definition that took the place of the fixtures' own, with the name of its flow.
fn flow(text: &str) -> Result<Value, Stop> {
    let (file, name) = split_flow(text);
    let mut flow = hashed(Path::new(file))?;
    flow["name"] = json!(name);
    Ok(flow)
}

fn hashed(file: &Path) -> Result<Value, Stop> {
    Ok(json!({ "path": slashed(file), "sha256": hash(file)? }))
}

/// The SHA-256 of a file.
fn hash(file: &Path) -> Result<String, Stop> {
    Ok(sha256(&bytes_of(file).map_err(|fault| Stop::Faults(fault.into()))?))
}
