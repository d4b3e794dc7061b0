use std::borrow::Cow;

use crate::auto_cdc::AutoCdc;
use crate::error::ConfigErrors;
use crate::plan::Plan;

/// A model, the plan it runs, and what it decides once for a whole run.
pub(crate) struct Rules<'a, M: ?Sized> {
    pub(crate) model: &'a M,
    pub(crate) plan: Cow<'a, Plan>,
    /// For each column of the target whether a null in it says nothing. `None` if it does in no column.
    pub(crate) partial: Option<Vec<bool>>,
    /// The columns of the target in which a change opens a version.
    pub(crate) tracked: Vec<usize>,
}

impl<'a, M: AutoCdc + ?Sized> Rules<'a, M> {
    pub(crate) fn new(model: &'a M, plan: &'a Plan) -> Result<Self, ConfigErrors> {
        let plan = match model.definition(plan.flow()) {
            None => Cow::Borrowed(plan),
            Some(flow) => Cow::Owned(Plan::new(flow, plan.schema().clone())?),
        };
        let columns = 0..plan.output().len();
        let partial: Vec<bool> = columns.clone().map(|column| model.ignores_null(&plan, column)).collect();
        Ok(Self {
            model,
            partial: partial.contains(&true).then_some(partial),
            tracked: columns.filter(|&column| model.tracks(&plan, column)).collect(),
            plan,
        })
    }
}
