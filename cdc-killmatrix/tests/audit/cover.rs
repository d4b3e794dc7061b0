//! The smallest set of fixtures, held against all sets there are.

use cdc_killmatrix::audit::{Cover, EXACT, Proof};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The smallest set by trying all, the first of them in the order of the fixtures.
fn by_trying(lists: &[Vec<usize>], fixtures: usize) -> Vec<usize> {
    let chosen = |set: u32| (0..fixtures).filter(|fixture| set >> fixture & 1 == 1).collect::<Vec<usize>>();
    let will_do =
        |set: &Vec<usize>| lists.iter().all(|list| list.is_empty() || list.iter().any(|it| set.contains(it)));
    let all = (0..1u32 << fixtures).map(chosen).filter(will_do);
    all.min_by_key(|set| (set.len(), set.clone())).unwrap()
}

/// The same tests on every machine.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]))
}

fn lists(fixtures: usize, mutants: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    let list = prop::collection::btree_set(0..fixtures, 0..=fixtures.min(4))
        .prop_map(|set| set.into_iter().collect());
    prop::collection::vec(list, 0..=mutants)
}

#[test]
fn the_smallest_set_is_that_of_trying_all_sets() {
    runner(600)
        .run(&lists(9, 14), |lists| {
            let cover = Cover::of(&lists);
            prop_assert_eq!(&cover.fixtures, &by_trying(&lists, 9));
            if let Proof::Apart(apart) = &cover.proof {
                prop_assert_eq!(apart.len(), cover.fixtures.len());
                for (at, one) in apart.iter().enumerate() {
                    for other in &apart[..at] {
                        prop_assert!(!lists[*one].iter().any(|fixture| lists[*other].contains(fixture)));
                    }
                }
            }
            prop_assert!(!matches!(cover.proof, Proof::AtLeast(_)));
            Ok(())
        })
        .unwrap();
}

#[test]
fn among_many_fixtures_a_small_set_is_told_with_a_bound() {
    runner(60)
        .run(&lists(60, 120), |lists| {
            let cover = Cover::of(&lists);
            let catches =
                |list: &Vec<usize>| list.is_empty() || list.iter().any(|it| cover.fixtures.contains(it));
            prop_assert!(lists.iter().all(catches));
            if let Proof::AtLeast(bound) = cover.proof {
                prop_assert!(bound < cover.fixtures.len());
            }
            Ok(())
        })
        .unwrap();
    // Pairs of neighbours in a ring of 41.
    let ring: Vec<Vec<usize>> = (0..=EXACT).map(|at| vec![at, (at + 1) % (EXACT + 1)]).collect();
    assert_eq!(Cover::of(&ring).proof, Proof::AtLeast(20));
}

#[test]
fn a_set_that_no_bound_proves_is_proven_by_a_search() {
    // Of any three fixtures in a triangle two are needed, though each two mutants share one.
    let cover = Cover::of(&[vec![0, 1], vec![1, 2], vec![0, 2]]);
    assert_eq!(cover.fixtures, [0, 1]);
    assert_eq!(cover.proof, Proof::Searched { apart: 1, choices: 2 });
}

#[test]
fn forty_fixtures_and_two_hundred_mutants_are_searched_to_the_end() {
    // A hard one: each mutant is caught by three fixtures that lie apart, and no two of them alike.
    let lists: Vec<Vec<usize>> =
        (0..200).map(|at| vec![at % 40, (at * 7 + 3) % 40, (at * at + 11) % 40]).collect();
    let cover = Cover::of(&lists);
    assert!(!matches!(cover.proof, Proof::AtLeast(_)), "{cover:?}");
    assert!(lists.iter().all(|list| list.iter().any(|it| cover.fixtures.contains(it))));
}

#[test]
fn nothing_to_catch_needs_no_fixture() {
    assert_eq!(Cover::of(&[vec![], vec![]]), Cover { fixtures: vec![], proof: Proof::Nothing });
}
