//! The command `suggest`.

use std::fs::{self, DirEntry};
use std::io::Write;
use std::path::{Path, PathBuf};

use cdc_core::Mutant;

use super::Exit;
use super::args::{Format, PlainFormat, SuggestArgs};
use super::check::plan;
use super::corpus::Corpus;
use super::session::{Session, unknown};
use super::stop::Stop;
use crate::check;
use crate::columns;
use crate::files;
use crate::fixture::{self, Expectations, Fixture, Fixtures, SUITE_FILE, Suite, Wording};
use crate::matrix::Matrix;
use crate::report::{self, Asked, Values};
use crate::search::Limits;
use crate::suggest::{self, Suggested, Suggestion, Target, targets};
use crate::words::pasted;

impl<O: Write, E: Write> Session<'_, O, E> {
    pub(super) fn suggest(&mut self, args: &SuggestArgs) -> Result<Exit, Stop> {
        let fixtures = self.templates(args)?;
        let mut all = if let Some(name) = &args.mutant {
            let mutant = self.mutant(name)?;
            let beside = args.beside.iter().map(|other| self.other(other, &mutant));
            let beside = beside.collect::<Result<Vec<Mutant>, Stop>>()?;
            of_suites(&mutant, &beside, &fixtures, args.like().is_some() || args.schema.is_some())
        } else {
            check::undeclared_conflicts(&fixtures)?;
            let mut matrix = Matrix::of(&fixtures, self.mutants);
            let paths = args.all.as_deref().unwrap_or_default();
            self.configured(&args.config, paths, "suggest --all")?.0.apply(&mut matrix);
            if self.disagrees(&fixtures, &matrix, Format::Text, Values::Shown)? {
                return Ok(Exit::Disagreement);
            }
            let suite = |name: &str| fixtures.suites.iter().find(|suite| suite.name == name);
            let survivors =
                matrix.survivors().filter_map(|(table, mutant)| Some((suite(&table.name)?, mutant)));
            let survivors: Vec<(&Suite, &Mutant)> = survivors.collect();
            if args.out.is_none() && matches!(args.format, PlainFormat::Text) {
                return self.suggest_each(args, paths, &survivors);
            }
            survivors.into_iter().map(|(suite, mutant)| of_suite(mutant, &[], suite)).collect()
        };
        if args.write || args.out.is_some() {
            write(args, &mut all)?;
        }
        match args.format {
            PlainFormat::Json => write!(self.out, "{}", report::suggestions_json(&all))?,
            PlainFormat::Text if all.is_empty() => {
                writeln!(self.out, "No broken copy survives: there is nothing to suggest.")?;
            }
            PlainFormat::Text => {
                let texts: Vec<String> = all.iter().map(report::suggestion).collect();
                write!(self.out, "{}{}", texts.join("\n"), self.next_of(args, &all))?;
            }
        }
        Ok(exit(&all))
    }

    /// How to go on with suggestions for one broken copy.
    fn next_of(&self, args: &SuggestArgs, all: &[Asked]) -> String {
        let written: Vec<String> =
            all.iter().filter_map(|asked| Some(pasted(asked.written.as_ref()?))).collect();
        if !written.is_empty() {
            let (program, paths) = (self.program, written.join(" "));
            return format!("\nNext, with the rows in place:\n  {program} run {paths}\n");
        }
        let Some(first) = found(all).next() else { return String::new() };
        let is_beside = args.schema.is_none() && !Corpus::has(&first.path);
        let option = if is_beside { "--write" } else { "--out FILE" };
        format!("\nNext, to write it to a file:\n  {} {option}\n", self.call)
    }

    /// How to go on with suggestions for all that survive.
    fn next_of_all(&self, all: &[Asked], paths: &[PathBuf]) -> String {
        if found(all).all(|fixture| Corpus::has(&fixture.path)) {
            return String::new();
        }
        let (what, command) = if all.iter().any(|asked| asked.written.is_some()) {
            ("once they are complete", "run")
        } else {
            ("to write them beside the fixtures", "suggest --write --all")
        };
        let words = [self.program, command].map(str::to_owned).into_iter();
        let words: Vec<String> = words.chain(paths.iter().map(|path| pasted(path))).collect();
        format!("Next, {what}:\n  {}\n", words.join(" "))
    }

    /// Prints each suggestion as soon as it is found.
    fn suggest_each(
        &mut self,
        args: &SuggestArgs,
        paths: &[PathBuf],
        survivors: &[(&Suite, &Mutant)],
    ) -> Result<Exit, Stop> {
        if survivors.is_empty() {
            writeln!(self.out, "No broken copy survives: there is nothing to suggest.")?;
            return Ok(Exit::Fine);
        }
        let mut all = Vec::new();
        for (suite, mutant) in survivors {
            let mut asked = of_suite(mutant, &[], suite);
            if args.write {
                write(args, std::slice::from_mut(&mut asked))?;
            }
            writeln!(self.out, "{}", report::suggestion_of_many(&asked))?;
            self.out.flush()?;
            all.push(asked);
        }
        write!(self.out, "{}{}", report::suggestions_end(&all), self.next_of_all(&all, paths))?;
        Ok(exit(&all))
    }

    /// A mutant from which another one should be told.
    fn other(&self, name: &str, mutant: &Mutant) -> Result<Mutant, Stop> {
        if name == mutant.name {
            let text =
                format!("nothing tells `{name}` from itself; expected another broken copy after `--beside`");
            return Err(Stop::input(&text));
        }
        self.mutant(name)
    }

    /// The fixtures whose flows are searched under.
    fn templates(&mut self, args: &SuggestArgs) -> Result<Fixtures, Stop> {
        if let Some(paths) = &args.all {
            let (_, paths) = self.configured(&args.config, paths, "suggest --all")?;
            return self.loaded(Expectations::Needed, &args.flow, &paths);
        }
        if let Some(text) = &args.schema {
            let Some(definition) = self.flow(&args.flow)? else {
                return Err(Stop::input(
                    "`--schema` is for a flow of a definition; expected `--flow FILE#NAME`",
                ));
            };
            let plan = plan(&definition, &columns::read(text)?)?;
            return Ok(alone(Fixture::without_events(PathBuf::new(), vec![plan], Vec::new()), "suggested"));
        }
        let Some(like) = args.like() else {
            if args.flow.definition.is_some() {
                return Err(Stop::input(
                    "a flow says nothing of its source's columns; expected `--schema \"id BIGINT, city STRING\"`, \
                     or `--like SUITE` for the schema of fixtures",
                ));
            }
            let (_, paths) = self.configured(&args.config, &args.fixtures, "suggest MUTANT --like")?;
            return self.loaded(Expectations::Optional, &args.flow, &paths);
        };
        let path = &*self.corpus.real(Path::new(like))?;
        if is_bare(path)
            && let Some(template) = Fixtures::template(path)?
        {
            let folder = files::real(path);
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            return Ok(alone(template, &name));
        }
        if path.exists() {
            return self.loaded(Expectations::Optional, &args.flow, &[path.to_owned()]);
        }
        let (_, paths) = self.configured(&args.config, &args.fixtures, "suggest MUTANT --like")?;
        let mut fixtures = self.loaded(Expectations::Optional, &args.flow, &paths)?;
        let full_name = |(suite, fixture): (&Suite, &Fixture)| suite.full_name(fixture);
        let mut names: Vec<String> = fixtures.suites.iter().map(|suite| suite.name.clone()).collect();
        names.extend(fixtures.pairs().map(full_name));
        if !names.iter().any(|name| name == like) {
            return Err(unknown("suite or fixture", like, &names));
        }
        for suite in &mut fixtures.suites {
            let name = suite.name.clone();
            suite.fixtures.retain(|fixture| name == like || format!("{name}/{}", fixture.name) == like);
        }
        fixtures.suites.retain(|suite| !suite.fixtures.is_empty());
        Ok(fixtures)
    }
}

/// Whether a folder holds a `suite.json` and nothing else that might be a fixture.
fn is_bare(folder: &Path) -> bool {
    let may_hold = |entry: &DirEntry| {
        entry.path().is_dir() || entry.path().extension().is_some_and(|extension| extension == "json")
    };
    let others = |entry: &DirEntry| may_hold(entry) && entry.file_name() != SUITE_FILE;
    folder.join(SUITE_FILE).is_file()
        && fs::read_dir(folder).is_ok_and(|mut all| !all.any(|entry| entry.is_ok_and(|it| others(&it))))
}

/// A suite of one fixture that is in no file.
fn alone(fixture: Fixture, name: &str) -> Fixtures {
    let suite = Suite {
        name: name.to_owned(),
        title: String::new(),
        about: String::new(),
        audited: true,
        path: fixture.path.parent().unwrap_or(Path::new("")).to_owned(),
        fixtures: vec![fixture],
    };
    Fixtures { suites: vec![suite], warnings: Vec::new() }
}

/// The fixtures that were found.
fn found(all: &[Asked]) -> impl Iterator<Item = &Fixture> {
    all.iter().filter_map(|asked| match &asked.suggested {
        Suggested::Fixture(suggestion) => Some(&suggestion.fixture),
        _ => None,
    })
}

fn exit(all: &[Asked]) -> Exit {
    let is_found = |asked: &Asked| matches!(asked.suggested, Suggested::Fixture(_));
    if all.iter().all(is_found) { Exit::Fine } else { Exit::Difference }
}

/// Of each audited suite under whose flows a mutant can differ; of every suite, if it was named.
fn of_suites(mutant: &Mutant, beside: &[Mutant], fixtures: &Fixtures, is_named: bool) -> Vec<Asked> {
    let suites = fixtures.suites.iter().filter(|suite| suite.audited || is_named);
    let all: Vec<Asked> = suites.map(|suite| of_suite(mutant, beside, suite)).collect();
    let applies = |asked: &Asked| !matches!(asked.suggested, Suggested::NotApplicable(_));
    if all.iter().any(applies) { all.into_iter().filter(applies).collect() } else { all }
}

fn of_suite(mutant: &Mutant, beside: &[Mutant], suite: &Suite) -> Asked {
    let targets: Vec<Target<'_>> = targets(suite);
    let mutants: Vec<&Mutant> = std::iter::once(mutant).chain(beside).collect();
    let suggested = suggest::suggest_apart(&mutants, &targets, Limits::SUGGEST);
    Asked {
        suite: suite.name.clone(),
        mutant: *mutant,
        beside: beside.to_vec(),
        suggested,
        flows: targets.iter().map(|target| target.like.plans.len()).sum(),
        written: None,
    }
}

/// Writes what was found: beside the fixtures of each suite, or into the file that was named.
fn write(args: &SuggestArgs, all: &mut [Asked]) -> Result<(), Stop> {
    let found = found(all).count();
    if args.out.is_some() && 1 < found {
        return Err(Stop::input(&format!(
            "`--out` takes one fixture, and {found} were found; expected `--like SUITE` for one, or `--write`"
        )));
    }
    for asked in all {
        let Suggested::Fixture(suggestion) = &asked.suggested else { continue };
        let Suggestion { fixture, .. } = &**suggestion;
        let (path, wording) = match &args.out {
            Some(path) => (path.clone(), Wording::Whole),
            None if args.schema.is_some() => {
                return Err(Stop::input(
                    "`--write` writes beside a suite's fixtures, and there is none; expected `--out FILE`",
                ));
            }
            None if Corpus::has(&fixture.path) => {
                return Err(Stop::input("`--write` writes beside fixtures of yours; expected `--out FILE`"));
            }
            None => (fixture.path.clone(), wording(args, fixture)),
        };
        let text = fixture::fixture_text(&fixture::fixture_json(fixture, wording));
        files::create(&path, &text).map_err(|error| Stop::unwritten(&error))?;
        asked.written = Some(path);
    }
    Ok(())
}

/// Whether the `suite.json` in the folder of a fixture says its flows and its schema.
fn wording(args: &SuggestArgs, fixture: &Fixture) -> Wording {
    let folder = fixture.path.parent().unwrap_or(Path::new(""));
    let parts = |it: &Fixture| -> Vec<_> {
        it.plans.iter().map(|plan| (plan.flow().clone(), plan.schema().clone())).collect()
    };
    let same = |suite: &Fixture| suite.flows == fixture.flows && parts(suite) == parts(fixture);
    let is_said = args.flow.definition.is_none()
        && Fixtures::template(folder).is_ok_and(|suite| suite.is_some_and(|suite| same(&suite)));
    if is_said { Wording::OfSuite } else { Wording::Whole }
}
