//! What was accepted beside what is: what became worse, what better, what is only told.

use std::collections::BTreeSet;

use super::state::{Known, State, SuiteState};
use crate::matrix::Matrix;
use crate::words::{counted, listed};

/// Everything that changed since a state was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The changes: what became worse first.
    pub changes: Vec<Change>,
}

/// One thing that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it is.
    pub kind: Kind,
    /// The suite. Empty where the change concerns all.
    pub suite: String,
    /// The mutants.
    pub mutants: Vec<String>,
    /// The fixtures.
    pub fixtures: Vec<String>,
    /// A sentence about it.
    pub text: String,
}

/// What a change means for whoever accepted the state before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The fixtures let through what they didn't: this fails.
    Worse,
    /// They catch more.
    Better,
    /// Neither.
    Told,
}

impl Grade {
    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Told => "told",
        }
    }
}

/// What can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A mutant was caught, and no fixture catches it now.
    Missed,
    /// A fixture caught a mutant, and only others do now.
    FixtureMisses,
    /// A mutant can no longer differ, although the definitions are what they were.
    NoLongerApplies,
    /// A mutant isn't caught, and isn't in the file, or could not differ before.
    Survives,
    /// There is no such mutant any more.
    MutantGone,
    /// There is no such fixture any more.
    FixtureGone,
    /// There is no such suite any more, or it is no longer audited.
    SuiteGone,
    /// A mutant that wasn't caught is.
    Caught,
    /// A fixture catches what only others did.
    FixtureCatches,
    /// New mutants, which are caught.
    NewMutants,
    /// New fixtures.
    NewFixtures,
    /// A definition isn't what it was.
    Definition,
    /// A mutant was caught, isn't, and is ignored.
    Ignored,
    /// Mutants are left out of the suite by the configuration.
    LeftOut,
    /// A suite that isn't in the file yet, with what it doesn't catch.
    NewSuite,
    /// A suite wasn't loaded, or not all of it.
    NotJudged,
}

impl Kind {
    /// What it means.
    pub fn grade(self) -> Grade {
        match self {
            Self::Missed
            | Self::FixtureMisses
            | Self::NoLongerApplies
            | Self::Survives
            | Self::MutantGone
            | Self::FixtureGone
            | Self::SuiteGone => Grade::Worse,
            Self::Caught | Self::FixtureCatches | Self::NewMutants | Self::NewFixtures => Grade::Better,
            Self::Definition | Self::Ignored | Self::LeftOut | Self::NewSuite | Self::NotJudged => {
                Grade::Told
            }
        }
    }

    /// Whether the file would say something else, were what is now accepted.
    pub fn is_in_file(self) -> bool {
        self != Self::NotJudged
    }

    /// The word in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::FixtureMisses => "fixture_misses",
            Self::NoLongerApplies => "no_longer_applies",
            Self::Survives => "survives",
            Self::MutantGone => "mutant_gone",
            Self::FixtureGone => "fixture_gone",
            Self::SuiteGone => "suite_gone",
            Self::Caught => "caught",
            Self::FixtureCatches => "fixture_catches",
            Self::NewMutants => "new_mutants",
            Self::NewFixtures => "new_fixtures",
            Self::Definition => "definition",
            Self::Ignored => "ignored",
            Self::LeftOut => "left_out",
            Self::NewSuite => "new_suite",
            Self::NotJudged => "not_judged",
        }
    }
}

impl Comparison {
    /// The changes of a grade.
    pub fn of(&self, grade: Grade) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(move |change| change.kind.grade() == grade)
    }
}

/// Compares what was accepted with what is.
///
/// `partial` names the suites of which only a part was loaded, `is_there` says whether the folder of a suite that wasn't
/// loaded still is there: these aren't judged.
pub fn compare(
    old: &State,
    new: &State,
    matrix: &Matrix,
    partial: &[&str],
    is_there: impl Fn(&SuiteState) -> bool,
) -> Comparison {
    let mut gathered = Gathered { matrix, suite: "", changes: Vec::new() };
    let is_mutant = |name: &String| matrix.mutants.iter().any(|mutant| mutant.name == name);
    let names: BTreeSet<&String> = old.suites.values().flat_map(|suite| suite.mutants.keys()).collect();
    for name in names.into_iter().filter(|name| !is_mutant(name)) {
        gathered.add(Kind::MutantGone, &[name], &[], format!("there is no broken copy {name} any more"));
    }
    for (name, suite) in &old.suites {
        gathered.suite = name;
        let loaded = matrix.suites.iter().find(|suite| suite.name == *name);
        match new.suites.get(name) {
            _ if partial.contains(&name.as_str()) => {
                gathered.add(
                    Kind::NotJudged,
                    &[],
                    &[],
                    "only a part of it was loaded: not judged".to_owned(),
                );
            }
            Some(now) => gathered.suite(suite, now),
            None if loaded.is_some() => {
                gathered.add(Kind::SuiteGone, &[], &[], "it is no longer audited".to_owned());
            }
            None if is_there(suite) => {
                gathered.add(Kind::NotJudged, &[], &[], "it wasn't loaded: not judged".to_owned());
            }
            None => {
                let text = format!("there is no folder {} any more", suite.path);
                gathered.add(Kind::SuiteGone, &[], &[], text);
            }
        }
    }
    for (name, suite) in new.suites.iter().filter(|(name, _)| !old.suites.contains_key(*name)) {
        gathered.suite = name;
        gathered.new_suite(suite);
    }
    let mut changes = gathered.changes;
    changes.sort_by_key(|change| change.kind.grade());
    Comparison { changes }
}

/// What changed, while it is gathered.
struct Gathered<'a> {
    matrix: &'a Matrix,
    /// The suite that is looked at.
    suite: &'a str,
    changes: Vec<Change>,
}

impl Gathered<'_> {
    fn add(&mut self, kind: Kind, mutants: &[&String], fixtures: &[&String], text: String) {
        let owned = |names: &[&String]| names.iter().map(|name| (*name).clone()).collect();
        let (mutants, fixtures) = (owned(mutants), owned(fixtures));
        self.changes.push(Change { kind, suite: self.suite.to_owned(), mutants, fixtures, text });
    }

    fn suite(&mut self, old: &SuiteState, new: &SuiteState) {
        for name in old.fixtures.keys().filter(|name| !new.fixtures.contains_key(*name)) {
            self.add(Kind::FixtureGone, &[], &[name], format!("there is no fixture {name} any more"));
        }
        let added: Vec<&String> =
            new.fixtures.keys().filter(|name| !old.fixtures.contains_key(*name)).collect();
        if !added.is_empty() {
            let text = format!("{}: {}", counted(added.len(), "new fixture"), listed(&added));
            self.add(Kind::NewFixtures, &[], &added, text);
        }
        let mut caught = Vec::new();
        for (name, now) in &new.mutants {
            match old.mutants.get(name) {
                Some(before) => self.mutant(name, before, now, old, new),
                None if !now.caught.is_empty() => caught.push(name),
                None => self.uncaught(name, now, "is new"),
            }
        }
        if !caught.is_empty() {
            let (are, s) = if caught.len() == 1 { ("is", "") } else { ("are", "s") };
            let text = format!("{} new mutant{s} {are} caught: {}", caught.len(), listed(&caught));
            self.add(Kind::NewMutants, &caught, &[], text);
        }
        self.definitions(old, new);
    }

    /// A suite of which nothing was accepted, so that nothing can be worse.
    fn new_suite(&mut self, suite: &SuiteState) {
        let of_suite = || suite.mutants.iter();
        let caught = of_suite().filter(|(_, known)| !known.caught.is_empty()).count();
        let missed: Vec<&String> =
            of_suite().filter(|(name, known)| self.is_missed(name, known)).map(|(name, _)| name).collect();
        let fixtures: Vec<&String> = suite.fixtures.keys().collect();
        let copies = if caught == 1 { "copy" } else { "copies" };
        let mut text =
            format!("new suite: {}, {caught} broken {copies} caught", counted(fixtures.len(), "fixture"));
        if !missed.is_empty() {
            text = format!("{text}; not caught: {}", listed(&missed));
        }
        self.add(Kind::NewSuite, &missed, &fixtures, text);
    }

    /// Whether no fixture catches a mutant that some should.
    fn is_missed(&self, name: &str, known: &Known) -> bool {
        let is_equivalent = self.matrix.mutants.iter().any(|it| it.name == name && it.equivalent.is_some());
        known.survives() && !is_equivalent && self.matrix.ignored(self.suite, name).is_none()
    }

    /// A mutant that isn't caught and whose survival nobody accepted.
    fn uncaught(&mut self, name: &String, now: &Known, why: &str) {
        if self.is_missed(name, now) {
            let fixtures: Vec<&String> = now.missed.iter().collect();
            self.add(Kind::Survives, &[name], &fixtures, format!("{name} {why}, and no fixture catches it"));
        }
    }

    fn mutant(&mut self, name: &String, before: &Known, now: &Known, old: &SuiteState, new: &SuiteState) {
        let applied = !before.caught.is_empty() || !before.missed.is_empty();
        if !applied {
            return self.uncaught(name, now, "could do nothing wrong here and now can");
        }
        let is_same = |fixture: &&String| {
            old.fixtures.get(*fixture).is_some_and(|hash| new.fixtures.get(*fixture) == Some(hash))
        };
        let by: Vec<&String> = before.caught.iter().collect();
        if before.survives() && !now.caught.is_empty() {
            let by: Vec<&String> = now.caught.iter().collect();
            self.add(
                Kind::Caught,
                &[name],
                &by,
                format!("{name} survived and is now caught by {}", listed(&by)),
            );
        } else if !by.is_empty() && now.survives() {
            let (kind, end) = match self.matrix.ignored(self.suite, name) {
                Some(ignored) => (Kind::Ignored, format!("it is ignored: {}", ignored.reason)),
                None => (Kind::Missed, "now no fixture catches it".to_owned()),
            };
            self.add(kind, &[name], &by, format!("{name} was caught by {}; {end}", listed(&by)));
        } else if now.caught.is_empty() && now.missed.is_empty() {
            let same: Vec<&String> = before.caught.iter().chain(&before.missed).filter(is_same).collect();
            if self.matrix.is_left_out(self.suite, name) {
                let text = format!("{name} is left out of this suite by the configuration");
                self.add(Kind::LeftOut, &[name], &by, text);
            } else if !same.is_empty() {
                let text = format!("{name} can do nothing wrong here any more, though the flow is the same");
                self.add(Kind::NoLongerApplies, &[name], &same, text);
            }
        } else {
            let lost = |fixture: &&String| {
                now.missed.contains(*fixture) || (is_same(fixture) && !now.concerns(fixture))
            };
            for fixture in before.caught.iter().filter(lost) {
                let others = listed(&now.caught);
                let text = format!("{fixture} no longer catches {name}; only {others} still does");
                let text = if now.caught.len() == 1 {
                    text
                } else {
                    text.replace("only ", "").replace("does", "do")
                };
                self.add(Kind::FixtureMisses, &[name], &[fixture], text);
            }
            let gained =
                |fixture: &&String| old.fixtures.contains_key(*fixture) && before.missed.contains(*fixture);
            for fixture in now.caught.iter().filter(gained) {
                self.add(
                    Kind::FixtureCatches,
                    &[name],
                    &[fixture],
                    format!("{fixture} now catches {name}, too"),
                );
            }
        }
    }

    /// The fixtures whose rows were typed under another definition, and what that changed.
    fn definitions(&mut self, old: &SuiteState, new: &SuiteState) {
        let changed =
            |(name, hash): &(&String, &String)| old.fixtures.get(*name).is_some_and(|it| it != *hash);
        let fixtures: Vec<&String> = new.fixtures.iter().filter(changed).map(|(name, _)| name).collect();
        if fixtures.is_empty() {
            return;
        }
        let concerned = |suite: &SuiteState, mutant: &String| {
            suite
                .mutants
                .get(mutant)
                .is_some_and(|known| fixtures.iter().any(|fixture| known.concerns(fixture)))
        };
        let differ = |more: &SuiteState, less: &SuiteState| -> Vec<String> {
            let both = new.mutants.keys().filter(|mutant| old.mutants.contains_key(*mutant));
            both.filter(|mutant| concerned(more, mutant) && !concerned(less, mutant)).cloned().collect()
        };
        let (gained, lost) = (differ(new, old), differ(old, new));
        let mut text = format!(
            "the definition of {} changed; {} typed under the old one",
            listed(&fixtures),
            if fixtures.len() == 1 { "its rows were" } else { "their rows were" },
        );
        for (what, mutants) in [("can now do something wrong", &gained), ("can't any more", &lost)] {
            if !mutants.is_empty() {
                text = format!("{text}; {what}: {}", listed(mutants));
            }
        }
        let mutants: Vec<&String> = gained.iter().chain(&lost).collect();
        self.add(Kind::Definition, &mutants, &fixtures, text);
    }
}
