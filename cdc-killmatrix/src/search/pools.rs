//! For each column of a source the values that events are made of.

use cdc_core::{Arrival, AutoCdc as _, Event, Operation, Plan, Reference, Schema, Value};

use super::glued::glued;
use super::literals::Named;
use super::values::{Role, themes};

/// The most ways to write an operation that are kept.
const WAYS: usize = 8;

/// The most combinations of values that are tried to find them.
const COMBINATIONS: usize = 2048;

/// The values of a column: the earlier, the simpler.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) values: Vec<Value>,
    /// Places of values that go together. The first is plain.
    pub(super) themes: Vec<Vec<usize>>,
    /// The place of null.
    pub(super) null: usize,
}

/// What a column does in the flows of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Key,
    /// Of SEQUENCE BY or SYSTEM SEQUENCE BY.
    Order,
    /// A condition decides by it.
    Condition,
    /// The list of the columns to update.
    List,
    /// All else.
    Payload,
}

/// What an event is meant to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Upsert,
    Delete,
    Truncate,
    /// Its condition is null.
    Unknown,
}

/// Places of values in the columns that the conditions of a flow name.
pub(super) type Way = Vec<(usize, usize)>;

/// All columns of the source that the flows of a target share.
#[derive(Debug)]
pub(super) struct Pools {
    pub(super) columns: Vec<Pool>,
    pub(super) uses: Vec<Use>,
    /// For each flow and each of what may be meant the ways to write it.
    pub(super) ways: Vec<[Vec<Way>; 4]>,
    /// For each flow the versions of its snapshots, if it reads some.
    pub(super) versions: Vec<Option<Pool>>,
    /// How many seconds may pass, from none.
    pub(super) seconds: Vec<u64>,
    /// Whether a sequence has several fields, any of which may be null.
    pub(super) has_fields: bool,
}

impl Pool {
    fn new(themes: &[Vec<Value>]) -> Self {
        let mut values: Vec<Value> = Vec::new();
        let mut place_of = |value: &Value| {
            // Equal values may differ: -0.0 is equal to 0.0.
            let same = |other: &Value| other == value && format!("{other:?}") == format!("{value:?}");
            values.iter().position(same).unwrap_or_else(|| {
                values.push(value.clone());
                values.len() - 1
            })
        };
        let themes = themes.iter().filter(|theme| !theme.is_empty());
        let mut themes: Vec<Vec<usize>> =
            themes.map(|theme| theme.iter().map(&mut place_of).collect()).collect();
        let null = place_of(&Value::Null);
        if themes.is_empty() {
            themes.push(vec![null]);
        }
        Self { values, themes, null }
    }
}

impl Pools {
    /// The pools of the flows of a target.
    pub(super) fn new(plans: &[Plan]) -> Self {
        let schema = plans[0].schema();
        let texts = plans.iter().flat_map(|plan| {
            [&plan.flow().apply_as_deletes, &plan.flow().apply_as_truncates].into_iter().flatten()
        });
        let named = Named::by(texts.map(String::as_str), schema);
        let uses: Vec<Use> = (0..schema.len()).map(|column| use_of(column, plans, &named)).collect();
        let mut payload = 0;
        let glued = glued_keys(&plans[0]);
        let columns: Vec<Pool> = schema
            .iter()
            .zip(&uses)
            .enumerate()
            .map(|(column, (field, used))| {
                let role = role(column, *used, plans, &mut payload);
                let mut themes = match used {
                    Use::List => vec![lists(plans)],
                    Use::Condition => vec![named.values(&field.data_type)],
                    _ => themes(&field.data_type, role, &field.name),
                };
                if named.columns.contains(&column) && *used != Use::Condition {
                    themes.push(named.values(&field.data_type));
                }
                if *used == Use::Key && !themes.is_empty() {
                    // All columns of the key have the same theme in one feed.
                    let of_pair = |pair: &[Glued; 2]| {
                        let own = pair.iter().find(|(key, _)| *key == column);
                        own.map_or_else(|| themes[0].clone(), |(_, values)| values.clone())
                    };
                    let of_pairs: Vec<Vec<Value>> = glued.iter().map(of_pair).collect();
                    themes.splice(1..1, of_pairs);
                }
                Pool::new(&themes)
            })
            .collect();
        let version = |plan: &Plan| {
            let of_version = plan.flow().from_snapshot.as_ref()?;
            Some(Pool::new(&themes(of_version, Role::Order, "version")))
        };
        Self {
            ways: plans.iter().map(|plan| ways(plan, &named, schema, &columns)).collect(),
            versions: plans.iter().map(version).collect(),
            seconds: seconds(plans),
            has_fields: plans.iter().any(Plan::sequence_is_struct),
            columns,
            uses,
        }
    }

    /// The columns that do this.
    pub(super) fn of_use(&self, used: Use) -> Vec<usize> {
        (0..self.uses.len()).filter(|&column| self.uses[column] == used).collect()
    }
}

/// A column of the key, and values that glue to one text with those of another.
type Glued = (usize, Vec<Value>);

/// Each two adjacent columns of the key of which some values glue to one text.
fn glued_keys(plan: &Plan) -> Vec<[Glued; 2]> {
    let data_type = |column: usize| &plan.schema()[column].data_type;
    let of_pair = |pair: &[usize]| {
        let [first, second] = glued(data_type(pair[0]), data_type(pair[1]))?;
        Some([(pair[0], first), (pair[1], second)])
    };
    plan.keys().windows(2).filter_map(of_pair).collect()
}

fn use_of(column: usize, plans: &[Plan], named: &Named) -> Use {
    let any = |is: &dyn Fn(&Plan) -> bool| plans.iter().any(is);
    if any(&|plan| plan.keys().contains(&column)) {
        Use::Key
    } else if any(&|plan| {
        let is_of_feed = !plan.reads_snapshots() && plan.sequence().contains(&column);
        is_of_feed || plan.system_sequence() == Some(column)
    }) {
        Use::Order
    } else if any(&|plan| plan.columns_to_update() == Some(column)) {
        Use::List
    } else if named.columns.contains(&column) {
        Use::Condition
    } else {
        Use::Payload
    }
}

/// A column that no clause uses and the target leaves out may be another clock.
fn role(column: usize, used: Use, plans: &[Plan], payload: &mut usize) -> Role {
    match used {
        Use::Key => Role::Key,
        Use::Order => Role::Order,
        _ if !plans.iter().any(|plan| plan.output().contains(&column)) => Role::Order,
        _ => {
            *payload += 1;
            Role::Payload(*payload - 1)
        }
    }
}

/// Lists of columns to update: all, each alone, none at all, no list, and a name that is none.
fn lists(plans: &[Plan]) -> Vec<Value> {
    let plan = &plans[0];
    let names: Vec<Value> = plan.payload().map(|column| Value::from(&*plan.target()[column].name)).collect();
    let list = |names: &[Value]| Value::Array(names.into());
    let mut lists = vec![list(&names)];
    lists.extend(names.iter().map(std::slice::from_ref).map(list));
    let upper = |name: &Value| Value::from(&*name.to_string().to_uppercase());
    lists.extend(names.first().map(|name| list(&[upper(name)])));
    lists.extend([list(&[]), list(&["no such column".into()]), Value::Null]);
    lists
}

/// What may pass between batches where deletes are remembered for a time.
fn seconds(plans: &[Plan]) -> Vec<u64> {
    let deletes = |plan: &Plan| plan.delete_condition().is_some();
    if !plans.iter().any(deletes) {
        return vec![0];
    }
    let threshold = plans[0].flow().tombstone_seconds();
    vec![0, 1, threshold / 2, threshold, threshold.saturating_add(1)]
}

/// The ways to write what an event of a flow may ask for.
fn ways(plan: &Plan, named: &Named, schema: &Schema, columns: &[Pool]) -> [Vec<Way>; 4] {
    let mut ways: [Vec<Way>; 4] = Default::default();
    if plan.reads_snapshots() || named.columns.is_empty() {
        ways[0].push(Way::new());
        return ways;
    }
    let mut values: Vec<Value> = columns.iter().map(|pool| pool.values[0].clone()).collect();
    let deciding: Vec<(usize, Vec<usize>)> = named
        .columns
        .iter()
        .map(|&column| {
            let pool = &columns[column];
            let places = named.values(&schema[column].data_type);
            let place = |value: &Value| pool.values.iter().position(|other| other == value);
            (column, places.iter().filter_map(place).collect())
        })
        .collect();
    let mut counters = vec![0; deciding.len()];
    for _ in 0..COMBINATIONS {
        let way: Way =
            deciding.iter().zip(&counters).map(|((column, places), &at)| (*column, places[at])).collect();
        for &(column, place) in &way {
            values[column] = columns[column].values[place].clone();
        }
        if let Some(meant) = meaning(plan, &values) {
            let kept = &mut ways[meant as usize];
            if kept.len() < WAYS {
                kept.push(way);
            }
        }
        // Counts on, the last column fastest.
        let sizes = deciding.iter().map(|(_, places)| places.len());
        let next = counters.iter().zip(sizes).rposition(|(&at, size)| at + 1 < size);
        let Some(next) = next else { break };
        counters[next] += 1;
        counters[next + 1..].fill(0);
    }
    ways
}

/// What an event of these values asks for. `None`: its condition can't be evaluated.
fn meaning(plan: &Plan, values: &[Value]) -> Option<Meant> {
    let event = Event { values: values.to_vec().into(), arrival: Arrival { batch: 0, row: 0 } };
    match Reference.operation_of(plan, &event).ok()? {
        Operation::Delete => Some(Meant::Delete),
        Operation::Truncate => Some(Meant::Truncate),
        Operation::Upsert => {
            let conditions = [plan.delete_condition(), plan.truncate_condition()];
            let is_unknown = conditions.into_iter().flatten().any(|it| it.holds(values) == Ok(None));
            Some(if is_unknown { Meant::Unknown } else { Meant::Upsert })
        }
    }
}
