use std::ops::Deref;

use crate::auto_cdc::AutoCdc;
use crate::error::ConfigErrors;
use crate::event::Version;
use crate::plan::Plan;

/// A model, the plans of the target's flows, and what it decides once for a whole run.
pub(crate) struct Rules<'a, M: ?Sized> {
    pub(crate) model: &'a M,
    flows: Vec<FlowRules<'a>>,
    /// Whether an event may leave something unsaid.
    pub(crate) is_partial: bool,
}

/// A flow's plan, and what is decided once for it.
pub(crate) struct FlowRules<'a> {
    pub(crate) plan: Held<'a>,
    /// For each column of the target whether a null in it says nothing.
    pub(crate) ignored: Vec<bool>,
    /// The columns of the target in which a change opens a version.
    pub(crate) tracked: Vec<usize>,
}

/// The plan that was given, or another one. In a box: a run is made for each fixture and mutant, and moved.
pub(crate) enum Held<'a> {
    Given(&'a Plan),
    Own(Box<Plan>),
}

impl Deref for Held<'_> {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        match self {
            Self::Given(plan) => plan,
            Self::Own(plan) => plan,
        }
    }
}

impl<'a, M: AutoCdc + ?Sized> Rules<'a, M> {
    pub(crate) fn new(model: &'a M, plans: &'a [Plan]) -> Result<Self, ConfigErrors> {
        let flows: Vec<FlowRules<'a>> =
            plans.iter().map(|plan| FlowRules::new(model, plan)).collect::<Result<_, _>>()?;
        let is_partial = flows.iter().any(FlowRules::is_partial);
        Ok(Self { model, flows, is_partial })
    }

    /// The rules of the flow with this number.
    pub(crate) fn flow(&self, flow: usize) -> &FlowRules<'a> {
        &self.flows[flow]
    }

    /// The rules of the flow that brought an event.
    pub(crate) fn of(&self, version: &Version) -> &FlowRules<'a> {
        self.flow(version.flow)
    }

    /// The plan of the flow that brought an event.
    pub(crate) fn plan(&self, version: &Version) -> &Plan {
        &self.of(version).plan
    }
}

impl<'a> FlowRules<'a> {
    fn new<M: AutoCdc + ?Sized>(model: &M, plan: &'a Plan) -> Result<Self, ConfigErrors> {
        let plan = match model.definition(plan.flow()) {
            None => Held::Given(plan),
            Some(flow) => Held::Own(Box::new(Plan::new(flow, plan.schema().clone())?)),
        };
        let columns = 0..plan.output().len();
        Ok(Self {
            ignored: columns.clone().map(|column| model.ignores_null(&plan, column)).collect(),
            tracked: columns.filter(|&column| model.tracks(&plan, column)).collect(),
            plan,
        })
    }

    /// Whether an event may leave something unsaid: a null, or a column that it doesn't list.
    pub(crate) fn is_partial(&self) -> bool {
        self.ignored.contains(&true) || self.plan.columns_to_update().is_some()
    }
}
