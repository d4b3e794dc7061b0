use cdc_core::{Delivery, Feed, Flow, Plan, Reference, Run, ScdType, Value};

use super::teller::Cited;
use super::{Chronicle, Story, Witness, all, refusals, stories};

mod current;
mod history;

const SCHEMA: &str = "id BIGINT, city STRING, email STRING, op STRING, lsn BIGINT";

/// An event of customer 101.
type Event = [Value; 5];

fn update(lsn: i64, city: &str, email: &str) -> Event {
    [Value::Int(101), given(city), given(email), "UPDATE".into(), Value::Int(lsn)]
}

fn delete(lsn: i64) -> Event {
    [Value::Int(101), Value::Null, Value::Null, "DELETE".into(), Value::Int(lsn)]
}

/// It speaks of all customers.
fn truncate(lsn: i64) -> Event {
    [Value::Null, Value::Null, Value::Null, "TRUNCATE".into(), Value::Int(lsn)]
}

fn truncating() -> Flow {
    Flow { apply_as_truncates: Some("op = 'TRUNCATE'".into()), ..flow(ScdType::One) }
}

fn given(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

fn flow(scd_type: ScdType) -> Flow {
    Flow {
        keys: vec!["id".into()],
        sequence_by: "lsn".into(),
        apply_as_deletes: Some("op = 'DELETE'".into()),
        except_column_list: Some(vec!["op".into(), "lsn".into()]),
        stored_as_scd_type: scd_type,
        ..Flow::default()
    }
}

fn ignoring_nulls(flow: Flow) -> Flow {
    Flow { ignore_null_updates: true, ..flow }
}

fn tracking_city() -> Flow {
    Flow { track_history_column_list: Some(vec!["city".into()]), ..flow(ScdType::Two) }
}

fn feed(batches: &[&[Event]]) -> Feed {
    let mut feed = Feed::default();
    for batch in batches {
        feed.append(batch.iter().cloned());
    }
    feed
}

/// Longer than a delete is remembered.
const THREE_DAYS: u64 = 259_200;

/// Batches, each with the seconds that pass before it.
fn timed_feed(batches: &[(u64, &[Event])]) -> Feed {
    let mut feed = Feed::default();
    for &(seconds, batch) in batches {
        feed.deliver(Delivery { seconds, ..Delivery::default() }, batch.iter().cloned());
    }
    feed
}

/// The story of customer 101.
fn story(flow: Flow, batches: &[&[Event]]) -> Vec<String> {
    let batches: Vec<(u64, &[Event])> = batches.iter().map(|&batch| (0, batch)).collect();
    timed(flow, &batches)
}

/// The story of customer 101, while time passes.
fn timed(flow: Flow, batches: &[(u64, &[Event])]) -> Vec<String> {
    let plan = Plan::new(flow, SCHEMA.parse().unwrap()).unwrap();
    let mut stories = stories(std::slice::from_ref(&plan), &timed_feed(batches), 0, batches.len() - 1);
    assert_eq!(stories.len(), 1, "one key, one story");
    stories.remove(0).lines
}

#[test]
fn stories_stand_in_the_order_of_the_keys() {
    let customer = |id: i64| [Value::Int(id), "Paris".into(), Value::Null, Value::Null, Value::Int(1)];
    let plan = Plan::new(flow(ScdType::One), SCHEMA.parse().unwrap()).unwrap();
    let stories = stories(std::slice::from_ref(&plan), &feed(&[&[customer(20), customer(3)]]), 0, 0);
    let keys: Vec<Vec<Value>> = stories.into_iter().map(|story| story.key).collect();
    assert_eq!(keys, [[Value::Int(3)], [Value::Int(20)]]);
}

#[test]
fn batches_before_the_start_and_after_the_last_are_not_told() {
    let batches: [&[Event]; 3] = [&[update(30, "a", "")], &[update(10, "b", "")], &[update(20, "c", "")]];
    let plan = Plan::new(flow(ScdType::One), SCHEMA.parse().unwrap()).unwrap();
    let stories = stories(std::slice::from_ref(&plan), &feed(&batches), 1, 1);
    assert_eq!(stories[0].lines, ["checkpoint 2, event 1: upsert at 10: wins, the only event of its key"]);
}

#[test]
fn refused_batch_has_a_line_of_its_own_and_no_part_in_a_story() {
    let keyless = [Value::Null, "x".into(), Value::Null, Value::Null, Value::Int(2)];
    let plan = Plan::new(flow(ScdType::One), SCHEMA.parse().unwrap()).unwrap();
    let feed = feed(&[&[update(1, "a", "")], &[update(2, "b", ""), keyless]]);
    assert_eq!(
        refusals(std::slice::from_ref(&plan), &feed, 0, 1),
        ["checkpoint 2 is refused, and nothing of it is applied: event 2: a key is null: `id` [NULL_KEY] \
          (https://docs.databricks.com/aws/en/error-messages/autocdc-microbatch-validation-error-class)"]
    );
    assert_eq!(stories(std::slice::from_ref(&plan), &feed, 0, 1)[0].lines.len(), 1);
}

#[test]
fn values_of_a_struct_are_named_by_their_fields() {
    let schema = "id BIGINT, address STRUCT<street: STRING, zip: STRING>, lsn BIGINT";
    let flow = Flow {
        keys: vec!["id".into()],
        sequence_by: "lsn".into(),
        except_column_list: Some(vec!["lsn".into()]),
        ..Flow::default()
    };
    let plan = Plan::new(ignoring_nulls(flow), schema.parse().unwrap()).unwrap();
    let event = |lsn: i64, street: &str, zip: &str| {
        [Value::Int(1), Value::structure([given(street), given(zip)]), Value::Int(lsn)]
    };
    let mut feed = Feed::default();
    feed.append([event(10, "Rue A", "75001"), event(20, "Rue B", "")]);
    assert_eq!(
        stories(std::slice::from_ref(&plan), &feed, 0, 0)[0].lines[1],
        "checkpoint 1, event 2: upsert at 20: wins, it comes last in the sequence (SEQUENCE BY, \
         https://docs.databricks.com/aws/en/ldp/cdc); takes over `address.zip` from checkpoint 1, event 1, since \
         its own is null (IGNORE NULL UPDATES, \
         https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes)"
    );
}

/// All histories of three events at two places, cut into batches in all ways, under several flows.
#[test]
fn stories_agree_with_the_rows() {
    let kinds = |lsn| [update(lsn, "a", "x"), update(lsn, "b", ""), update(lsn, "", "y"), delete(lsn)];
    let events = [kinds(10), kinds(20)].concat();
    let flows = [flow(ScdType::One), flow(ScdType::Two), tracking_city()];
    let flows = flows.into_iter().flat_map(|flow| [flow.clone(), ignoring_nulls(flow)]);
    for plan in flows.map(|flow| Plan::new(flow, SCHEMA.parse().unwrap()).unwrap()) {
        for number in 0..events.len().pow(3) * 4 {
            let (history, cuts) = (number / 4, number % 4);
            let chosen = [history / 64, history / 8 % 8, history % 8].map(|event| events[event].clone());
            let batches = match cuts {
                0 => vec![&chosen[..]],
                1 => vec![&chosen[..1], &chosen[1..]],
                2 => vec![&chosen[..2], &chosen[2..]],
                _ => chosen.chunks(1).collect(),
            };
            agrees(&plan, &feed(&batches));
            chronicle_agrees(&plan, &feed(&batches));
        }
    }
}

/// Histories of four events with truncates, a batch each, while time passes before the third and the fourth or not.
#[test]
fn stories_agree_with_the_rows_when_deletes_are_forgotten() {
    let kinds = |lsn| [update(lsn, "a", "x"), update(lsn, "", "y"), delete(lsn), truncate(lsn)];
    let events = [kinds(10), kinds(20)].concat();
    let plan = Plan::new(ignoring_nulls(truncating()), SCHEMA.parse().unwrap()).unwrap();
    for number in 0..4 * events.len().pow(3) * 4 {
        let (history, times) = (number / 4, number % 4);
        let chosen = [history / 512, history / 64 % 8, history / 8 % 8, history % 8];
        let [first, second, third, fourth] = chosen.map(|event| &events[event..=event]);
        let seconds = |passes: bool| if passes { THREE_DAYS } else { 0 };
        let (before_third, before_fourth) = (seconds(times % 2 == 1), seconds(times / 2 == 1));
        winner_agrees(
            &plan,
            &timed_feed(&[(0, first), (0, second), (before_third, third), (before_fourth, fourth)]),
        );
    }
}

/// After each batch the row, if there is one, is that of the event that wins; and what the chronicle knows is what
/// is told of all batches.
fn winner_agrees(plan: &Plan, feed: &Feed) {
    let mut run = Run::new(&Reference, plan).unwrap();
    let witness = Witness::default();
    let mut chronicle = Chronicle::new(&witness, std::slice::from_ref(plan), feed, 0);
    for batch in 0..feed.batches() {
        run.apply(feed.batch(batch)).unwrap();
        chronicle.next().unwrap();
        let mut lines: Vec<String> = all(std::slice::from_ref(plan), feed, 0, batch, Cited::ALL)
            .into_iter()
            .flat_map(|story| story.lines)
            .collect();
        let winners: Vec<&String> = lines.iter().filter(|line| line.contains(": wins")).collect();
        let shown = winners.iter().filter(|line| line.contains(": upsert at ")).count();
        assert!(winners.len() < 2 && shown == run.rows().len(), "{lines:#?}");
        let known = chronicle.keys.values().flat_map(|known| known.lines.values());
        let mut known: Vec<String> = known.cloned().collect();
        lines.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, lines);
    }
}

/// Every row has the event that made it; of type 2, with its bounds.
fn agrees(plan: &Plan, feed: &Feed) {
    let last = feed.batches() - 1;
    let mut run = Run::new(&Reference, plan).unwrap();
    for batch in 0..=last {
        run.apply(feed.batch(batch)).unwrap();
    }
    let rows = run.rows();
    let lines = stories(std::slice::from_ref(plan), feed, 0, last).remove(0).lines;
    let with = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(lines.len(), feed.events().len(), "{lines:#?}");
    match plan.scd_type() {
        ScdType::One => {
            assert_eq!(with(": wins"), 1, "{lines:#?}");
            let winner = lines.iter().find(|line| line.contains(": wins")).unwrap();
            assert_eq!(winner.contains(": upsert at "), rows.len() == 1, "{lines:#?}");
        }
        ScdType::Two | ScdType::Bitemporal => {
            assert_eq!(with("opens "), rows.len(), "{lines:#?}");
            for row in rows {
                let end = match &row[4] {
                    Value::Null => "; the row is open".to_owned(),
                    end => format!("; the row ends at {end}, with "),
                };
                let opens = |line: &&String| {
                    line.contains(&format!("upsert at {}: ", row[3])) && line.contains("opens ")
                };
                assert!(lines.iter().find(opens).unwrap().contains(&end), "{lines:#?}");
            }
        }
    }
}

/// After each batch the chronicle knows the lines that are told of all batches, and has told what is new.
fn chronicle_agrees(plan: &Plan, feed: &Feed) {
    let witness = Witness::default();
    let mut chronicle = Chronicle::new(&witness, std::slice::from_ref(plan), feed, 0);
    let mut before: Vec<String> = Vec::new();
    for batch in 0..feed.batches() {
        let news = chronicle.next().unwrap().remove(0).lines;
        let lines = all(std::slice::from_ref(plan), feed, 0, batch, Cited::ALL).remove(0).lines;
        let known = chronicle.keys.values().next().unwrap();
        let sorted = |mut lines: Vec<String>| {
            lines.sort_unstable();
            lines
        };
        assert_eq!(sorted(known.lines.values().cloned().collect()), sorted(lines.clone()), "{feed:#?}");
        let new: Vec<&String> = lines.iter().filter(|line| !before.contains(line)).collect();
        assert_eq!(news.len(), new.len(), "{news:#?} {new:#?}");
        before = lines;
    }
    assert!(chronicle.next().is_none());
}

#[test]
fn chronicle_tells_what_is_new_in_each_batch() {
    let plan = Plan::new(flow(ScdType::One), SCHEMA.parse().unwrap()).unwrap();
    let other = [Value::Int(7), "Rome".into(), Value::Null, "UPDATE".into(), Value::Int(1)];
    let keyless = [Value::Null, "x".into(), Value::Null, Value::Null, Value::Int(2)];
    let feed = feed(&[
        &[update(9, "Oslo", "")],
        &[update(10, "Paris", ""), other],
        &[keyless, update(50, "Bonn", "")],
        &[update(30, "Nantes", "")],
        &[],
        &[update(20, "Lille", "")],
    ]);
    let witness = Witness::default();
    let told: Vec<Vec<Story>> = Chronicle::new(&witness, std::slice::from_ref(&plan), &feed, 1).collect();
    let lines: Vec<Vec<&str>> = told
        .iter()
        .map(|stories| stories.iter().flat_map(|story| &story.lines).map(String::as_str).collect())
        .collect();
    assert_eq!(
        lines,
        [
            vec![
                "checkpoint 2, event 2: upsert at 1: wins, the only event of its key",
                "checkpoint 2, event 1: upsert at 10: wins, the only event of its key",
            ],
            vec![],
            vec![
                "checkpoint 2, event 1: upsert at 10: replaced by checkpoint 4, event 1, which comes after it",
                "checkpoint 4, event 1: upsert at 30: wins, it comes last in the sequence (SEQUENCE BY, \
                 https://docs.databricks.com/aws/en/ldp/cdc)",
            ],
            vec![],
            vec!["checkpoint 6, event 1: upsert at 20: passed over, it comes before checkpoint 4, event 1"],
        ]
    );
}
