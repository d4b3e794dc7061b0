//! A matrix of 200 fixtures and 200 mutants, made of those that ship.

use std::fs;
use std::path::Path;

use cdc_core::Mutant;
use cdc_killmatrix::{Fixtures, Matrix, catalogue};

pub(crate) const SIDE: usize = 200;

/// Copies of the fixtures of a suite under other names and with values of their own, and copies of the mutants.
pub(crate) fn large() -> (Fixtures, Matrix) {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/customers_current");
    let folder = tempfile::tempdir().unwrap();
    fs::copy(suite.join("suite.json"), folder.path().join("suite.json")).unwrap();
    let mut originals: Vec<_> = fs::read_dir(&suite).unwrap().map(|entry| entry.unwrap().path()).collect();
    originals.retain(|path| path.extension().is_some_and(|it| it == "json") && !path.ends_with("suite.json"));
    originals.sort();
    for number in 0..SIDE {
        let path = &originals[number % originals.len()];
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut text = fs::read_to_string(path).unwrap();
        text = text.replacen(&name, &format!("{name}_{number}"), 1);
        text = text.replacen("\"title\": \"", &format!("\"title\": \"{number}: "), 1);
        for city in ["Paris", "Lyon", "Nantes", "Lille"] {
            text = text.replace(&format!("\"{city}\""), &format!("\"{city} {number}\""));
        }
        fs::write(folder.path().join(format!("{name}_{number}.json")), text).unwrap();
    }
    let fixtures = Fixtures::load([folder.path()]).unwrap_or_else(|errors| panic!("{errors}"));
    let plan = fixtures.suites[0].fixtures[0].plan();
    let mut shipped = catalogue::all();
    shipped.retain(|mutant| (mutant.needs)(plan).is_ok());
    let mutants: Vec<Mutant> = (0..SIDE)
        .map(|number| {
            let mutant = shipped[number % shipped.len()];
            Mutant { name: format!("{}_{number}", mutant.name).leak(), ..mutant }
        })
        .collect();
    let matrix = Matrix::of(&fixtures, &mutants);
    (fixtures, matrix)
}
