//! The columns that say from when to when a version holds, where a table declares them.

use cdc_core::{DataType, Plan, ScdType};

/// The types that the target of a flow declares for its bounds; `None` where it declares none, or one that isn't
/// known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Of `__START_AT` and `__END_AT`.
    pub valid: Option<DataType>,
    /// Of `__SYSTEM_START_AT` and `__SYSTEM_END_AT`.
    pub system: Option<DataType>,
}

impl Bounds {
    /// The pairs of bounds that a target of a type has: their names, and what orders them.
    pub(super) fn pairs(scd_type: ScdType) -> impl Iterator<Item = ([&'static str; 2], &'static str)> {
        let of_system = (scd_type == ScdType::Bitemporal).then_some((Plan::SYSTEM_BOUNDS, "system sequence"));
        let of_valid = (scd_type != ScdType::One).then_some((Plan::BOUNDS, "sequence"));
        of_valid.into_iter().chain(of_system)
    }

    /// Keeps the type of a pair.
    pub(super) fn keep(&mut self, pair: [&'static str; 2], data_type: Option<DataType>) {
        if pair == Plan::BOUNDS {
            self.valid = data_type;
        } else {
            self.system = data_type;
        }
    }

    /// Where the declared types aren't those that a plan's target has. `definition` is how it is called in messages.
    pub(crate) fn misfits(&self, plan: &Plan, definition: &str) -> Vec<String> {
        let flow = plan.flow();
        let sequence = match &flow.from_snapshot {
            Some(_) => "version of the snapshots".to_owned(),
            None => format!("sequence `{}`", flow.sequence_by),
        };
        let system = flow.system_sequence_by.as_deref().unwrap_or_default();
        [
            (&self.valid, Plan::BOUNDS[0], sequence),
            (&self.system, Plan::SYSTEM_BOUNDS[0], format!("system sequence `{system}`")),
        ]
        .into_iter()
        .filter_map(|(declared, name, what)| {
            let declared = declared.as_ref()?;
            let needed = &plan.target()[plan.target().find(name)?].data_type;
            let is_same = declared.to_string().eq_ignore_ascii_case(&needed.to_string());
            (!is_same).then(|| {
                let or = if flow.from_snapshot.is_some() { ", or another `version_type`" } else { "" };
                format!(
                    "the definition {definition} declares `{name}` as {declared}, and the {what} is {needed}; expected {needed}{or}"
                )
            })
        })
        .collect()
    }
}
