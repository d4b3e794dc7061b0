//! Random histories, made once and told twice: to the oracle as JSON, to the model as values.

pub(crate) mod events;
mod fixture;
pub(crate) mod snapshots;

pub(crate) use fixture::Fixture;
