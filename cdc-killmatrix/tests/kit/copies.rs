//! The fixtures that a kit carries.

use cdc_core::Dialect;
use cdc_killmatrix::definition::Definitions;
use cdc_killmatrix::{Checkpoint, Fixtures, catalogue, feed_form};
use tempfile::TempDir;

use super::binary::{code, killmatrix, parsed, root, stderr};
use super::{folder, kit, plan};

/// What a checkpoint expects.
fn expected(checkpoint: &Checkpoint) -> (bool, &[cdc_core::Table], Option<&str>, Option<&str>) {
    let Checkpoint { full_refresh, expect, expect_error, note, .. } = checkpoint;
    (*full_refresh, expect, expect_error.as_deref(), note.as_deref())
}

#[test]
fn a_copy_of_every_shipped_fixture_says_the_same_without_a_file_beside_it() {
    let folder = TempDir::new().unwrap();
    let path = root().join("fixtures");
    let kit = folder.path().join("kit");
    let output = killmatrix(
        folder.path(),
        &["export-kit", "kit", path.to_str().unwrap(), "--catalog", "dev", "--schema", "cdc"],
    );
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let shipped = Fixtures::load([path]).unwrap();
    let copies = Fixtures::load([kit.join("fixtures")]).unwrap();
    let mut compared = 0;
    for (suite, fixture) in shipped.pairs() {
        let name = suite.name.rsplit('/').next().unwrap();
        let copy = copies.pairs().find(|(of, it)| of.name == name && it.name == fixture.name);
        let Some((_, copy)) = copy else { continue };
        compared += 1;
        assert_eq!(
            (&copy.title, &copy.about, &copy.source),
            (&fixture.title, &fixture.about, &fixture.source)
        );
        assert_eq!(format!("{:?}", copy.plans), format!("{:?}", fixture.plans), "{}", fixture.name);
        assert_eq!(format!("{:?}", copy.feed), format!("{:?}", fixture.feed), "{}", fixture.name);
        let of = |checkpoints: &[Checkpoint]| {
            format!("{:?}", checkpoints.iter().map(expected).collect::<Vec<_>>())
        };
        assert_eq!(of(&copy.checkpoints), of(&fixture.checkpoints), "{}", fixture.name);
    }
    assert_eq!(compared, copies.pairs().count());
    assert!(300 < compared, "{compared}");
}

#[test]
fn every_fixture_that_is_left_out_is_named_with_the_reason() {
    let folder = TempDir::new().unwrap();
    let path = root().join("fixtures");
    let output = killmatrix(
        folder.path(),
        &["export-kit", "kit", path.to_str().unwrap(), "--catalog", "dev", "--schema", "cdc"],
    );
    let told = stderr(&output);
    for (name, reason) in [
        ("clauses/daily_exports", "its flow reads snapshots"),
        ("clauses/export_then_feed", "it has several flows"),
        ("contract/late_after_expiry", "time passes in it (`advance_seconds`)"),
        ("once/runs_one_time", "its flow runs once"),
        ("dialect/spark_track_except", "its dialect is `spark-4.3`"),
    ] {
        assert!(told.contains(&format!("left out: {name}: {reason}")), "{told}");
    }
    let guide = std::fs::read_to_string(folder.path().join("kit/README.md")).unwrap();
    let (_, listed) = guide.split_once("\n## Left out\n\n").unwrap();
    assert_eq!(listed.lines().count(), told.lines().count());
    let shipped = Fixtures::load([path]).unwrap().pairs().count();
    let copies = Fixtures::load([folder.path().join("kit/fixtures")]).unwrap().pairs().count();
    assert_eq!(shipped, copies + told.lines().count());
}

#[test]
fn the_copies_can_be_verified() {
    let folder = folder();
    let kit = kit(&folder, &[]);
    std::fs::create_dir(kit.join("run")).unwrap();
    let rows = r#"[{"id": 1, "name": "rope", "tags": [["a", 1]], "data": "AP8="}]"#;
    std::fs::write(kit.join("run/rows.json"), rows).unwrap();
    let manifest =
        r#"{"captures": [{"fixture": "../fixtures/toys/first.json", "checkpoint": 3, "rows": "rows.json"}]}"#;
    std::fs::write(kit.join("run/manifest.json"), manifest).unwrap();
    let output = killmatrix(&kit, &["verify", "--manifest", "run/manifest.json", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(parsed(&output)["captures"][0]["verdict"], "equal", "{}", parsed(&output));
}

#[test]
fn every_definition_reads_as_the_flow_of_its_fixtures() {
    let folder = TempDir::new().unwrap();
    let path = root().join("fixtures");
    let told = ["export-kit", "kit", path.to_str().unwrap(), "--catalog", "dev", "--schema", "cdc"];
    assert_eq!(code(&killmatrix(folder.path(), &told)), 0);
    let kit = folder.path().join("kit");
    let copies = Fixtures::load([kit.join("fixtures")]).unwrap();
    let mut compared = 0;
    for play in plan(&kit)["plays"].as_array().unwrap() {
        let file = kit.join(play["fixture"].as_str().unwrap());
        let (_, fixture) = copies.pairs().find(|(_, it)| it.path == file).unwrap();
        let definition = kit.join(play["definition"].as_str().unwrap());
        let read = Definitions::read(&definition, Dialect::Databricks).unwrap();
        assert_eq!(read.faults().to_string(), "", "{}", definition.display());
        let [one] = &*read.flows else { panic!("{}", definition.display()) };
        let written = fixture.plan().flow();
        assert_eq!(one.flow.keys, written.keys);
        assert_eq!(format!("{:?}", one.flow), format!("{written:?}"), "{}", definition.display());
        compared += 1;
    }
    assert!(300 < compared, "{compared}");
}

#[test]
fn every_definition_of_a_broken_copy_reads_as_its_flow() {
    let folder = TempDir::new().unwrap();
    let paths = ["customers_current", "customer_history"].map(|it| root().join("fixtures").join(it));
    let [first, second] = &paths;
    let told = ["export-kit", "kit", first.to_str().unwrap(), second.to_str().unwrap()];
    let told = [&told[..], &["--catalog", "dev", "--schema", "cdc", "--mutants"]].concat();
    assert_eq!(code(&killmatrix(folder.path(), &told)), 0);
    let kit = folder.path().join("kit");
    let fixtures = Fixtures::load(&paths).unwrap();
    let all = catalogue::all();
    let mut compared = 0;
    for play in plan(&kit)["plays"].as_array().unwrap().iter().filter(|play| play.get("mutant").is_some()) {
        let (_, fixture) = fixtures.pairs().find(|(suite, it)| suite.full_name(it) == play["name"]).unwrap();
        let mutant = all.iter().find(|mutant| mutant.name == play["mutant"]).unwrap();
        let form = feed_form::of(mutant, fixture).unwrap().unwrap();
        let definition = kit.join(play["definition"].as_str().unwrap());
        let read = Definitions::read(&definition, Dialect::Databricks).unwrap();
        assert_eq!(read.faults().to_string(), "", "{}", definition.display());
        let [one] = &*read.flows else { panic!("{}", definition.display()) };
        let played = form.played.plan().flow();
        assert_eq!(format!("{:?}", one.flow), format!("{played:?}"), "{}", definition.display());
        compared += 1;
    }
    assert_eq!(compared, 382, "the cells of both suites that an engine can play");
}
