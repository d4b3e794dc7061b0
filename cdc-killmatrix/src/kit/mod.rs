//! The workspace kit: fixtures as a Databricks Asset Bundle, and what plays them in a workspace.
//!
//! Each fixture, and what each mutant makes of one, has a pipeline and two tables of its own, all in one schema.
//! Nothing here speaks to a workspace: the bundle's own tool deploys it, and `kit.py` in it plays it.

mod names;
mod fits;
mod copied;
mod play;
mod bundle;
mod guide;

use std::collections::BTreeMap;
use std::path::PathBuf;

use cdc_core::Mutant;
use clap::ValueEnum;
use serde_json::json;

use crate::definition::to_pipeline;
use crate::feed_form::{self, FeedForm};
use crate::fixture::{Fixture, Fixtures};
use crate::verify::sha256;

use names::Names;
pub(crate) use names::{identity_fault, name_fault};
pub(crate) use play::Play;

/// What all pipelines of a kit have in common.
pub(crate) struct Settings {
    /// The catalog of all tables.
    pub(crate) catalog: String,
    /// Their schema.
    pub(crate) schema: String,
    /// What the pipelines run on.
    pub(crate) compute: Compute,
    /// Which release they run on.
    pub(crate) channel: Channel,
    /// Who they run as; otherwise who deploys them.
    pub(crate) run_as: Option<RunAs>,
}

/// What pipelines run on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compute {
    /// What the workspace itself provides.
    Serverless,
    /// A cluster of one worker each, of the edition ADVANCED.
    Advanced,
}

/// Which release pipelines run on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Channel {
    /// The released one.
    Current,
    /// The one that comes next.
    Preview,
}

/// Who pipelines run as.
pub(crate) enum RunAs {
    User(String),
    ServicePrincipal(String),
}

/// What isn't played, and why.
pub(crate) struct LeftOut {
    /// The full name of the fixture, `suite/name`.
    pub(crate) name: String,
    /// The mutant, if only that isn't played.
    pub(crate) mutant: Option<&'static str>,
    /// Why.
    pub(crate) reason: String,
}

/// A kit, whose files can be written.
pub(crate) struct Kit {
    pub(crate) settings: Settings,
    pub(crate) plays: Vec<Play>,
    pub(crate) left_out: Vec<LeftOut>,
    /// The texts of the definitions, by file.
    definitions: BTreeMap<String, String>,
    /// The fixtures' own files.
    fixtures: Vec<(String, String)>,
}

impl Kit {
    /// Every fixture that a workspace can play, and what these mutants make of each.
    pub(crate) fn new(fixtures: &Fixtures, mutants: &[Mutant], settings: Settings) -> Self {
        let mut kit = Self {
            settings,
            plays: Vec::new(),
            left_out: Vec::new(),
            definitions: BTreeMap::new(),
            fixtures: Vec::new(),
        };
        let (mut folders, mut keys, mut files) = (Names::default(), Names::default(), Names::default());
        for suite in &fixtures.suites {
            let folder = folders.give(&suite.name);
            let mut own = Names::default();
            for fixture in &suite.fixtures {
                let full = suite.full_name(fixture);
                if let Some(reason) = fits::reason_against(fixture) {
                    kit.left_out.push(LeftOut { name: full, mutant: None, reason });
                    continue;
                }
                let file = format!("fixtures/{folder}/{}.json", own.give(&fixture.name));
                kit.fixtures.push((file.clone(), copied::text_of(fixture)));
                kit.play(&mut keys, &mut files, Cast::of(&full, &folder, &file, fixture));
                for mutant in mutants {
                    let Some(form) = feed_form::of(mutant, fixture) else { continue };
                    let form = form.and_then(|form| match fits::reason_against(&form.played) {
                        Some(reason) => Err(reason),
                        None => Ok(form),
                    });
                    match form {
                        Ok(form) => {
                            let cast = Cast::of(&full, &folder, &file, fixture).with(mutant.name, form);
                            kit.play(&mut keys, &mut files, cast);
                        }
                        Err(reason) => {
                            let mutant = Some(mutant.name);
                            kit.left_out.push(LeftOut { name: full.clone(), mutant, reason });
                        }
                    }
                }
            }
        }
        kit
    }

    /// The files, by their path in the kit's folder.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = vec![
            ("README.md", guide::text_of(self)),
            ("databricks.yml", bundle::bundle(&self.settings, &bundle_name(&self.settings, &self.plays))),
            ("resources/pipelines.yml", bundle::pipelines(&self.settings, &self.plays)),
            ("plan.json", self.plan()),
            ("kit.py", include_str!("kit.py").to_owned()),
            ("play.py", include_str!("play.py").to_owned()),
            ("tables.py", include_str!("tables.py").to_owned()),
            ("workspace.py", include_str!("workspace.py").to_owned()),
            ("requirements.txt", include_str!("requirements.txt").to_owned()),
        ];
        files.extend(self.definitions.iter().map(|(file, text)| (&**file, text.clone())));
        files.extend(self.fixtures.iter().map(|(file, text)| (&**file, text.clone())));
        files.into_iter().map(|(file, text)| (PathBuf::from(file), text)).collect()
    }

    /// Adds a play, with its definition, which plays of one flow share.
    fn play(&mut self, keys: &mut Names, files: &mut Names, cast: Cast<'_>) {
        let text = to_pipeline(cast.played.plan().flow(), bundle::SOURCE, bundle::TARGET);
        let known = self.definitions.iter().find(|(_, known)| **known == text).map(|(file, _)| file.clone());
        let definition = known.unwrap_or_else(|| {
            let name = cast.mutant.map_or(cast.folder.to_owned(), |it| format!("{}_{it}", cast.folder));
            format!("definitions/{}.py", files.give(&name))
        });
        self.definitions.insert(definition.clone(), text);
        let key = match cast.mutant {
            Some(mutant) => format!("{} {mutant}", cast.name),
            None => cast.name.to_owned(),
        };
        self.plays.push(Play {
            key: keys.give(&key),
            name: cast.name.to_owned(),
            mutant: cast.mutant,
            file: cast.file.to_owned(),
            definition,
            played: cast.played,
            hidden: cast.hidden,
            uncompared: cast.uncompared,
        });
    }

    fn plan(&self) -> String {
        let plays = self.plays.iter().map(|play| play.json(&pipeline_name(&self.settings, &play.key)));
        let left_out = self.left_out.iter().map(|it| match it.mutant {
            Some(mutant) => json!({ "name": it.name, "mutant": mutant, "reason": it.reason }),
            None => json!({ "name": it.name, "reason": it.reason }),
        });
        let plan = json!({
            "format": 1,
            "catalog": self.settings.catalog,
            "schema": self.settings.schema,
            "plays": plays.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
        });
        format!("{plan:#}\n")
    }
}

/// What becomes a play.
struct Cast<'a> {
    name: &'a str,
    folder: &'a str,
    file: &'a str,
    mutant: Option<&'static str>,
    played: Fixture,
    hidden: Vec<String>,
    uncompared: Vec<String>,
}

impl<'a> Cast<'a> {
    fn of(name: &'a str, folder: &'a str, file: &'a str, fixture: &Fixture) -> Self {
        let played = fixture.clone();
        Self { name, folder, file, mutant: None, played, hidden: Vec::new(), uncompared: Vec::new() }
    }

    fn with(self, mutant: &'static str, form: FeedForm) -> Self {
        let FeedForm { played, hidden, uncompared, .. } = form;
        Self { mutant: Some(mutant), played, hidden, uncompared, ..self }
    }
}

/// What a pipeline is called in the workspace.
fn pipeline_name(settings: &Settings, key: &str) -> String {
    format!("killmatrix {}.{} {key}", settings.catalog, settings.schema)
}

/// What the bundle is called. One that is deployed takes the place of one of the same name, with all its pipelines: so a
/// hash of all that they are stands in it.
fn bundle_name(settings: &Settings, plays: &[Play]) -> String {
    const DIGITS: usize = 12;
    let keys = plays.iter().map(|play| &*play.key);
    let all = [&*settings.catalog, &*settings.schema].into_iter().chain(keys).collect::<Vec<&str>>();
    let hash = sha256(all.join("\n").as_bytes());
    Names::default().give(&format!("killmatrix {} {} {}", settings.catalog, settings.schema, &hash[..DIGITS]))
}
