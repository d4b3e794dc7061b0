//! The audit: the smallest set of fixtures, what was accepted, the configuration.

#[path = "../binary/mod.rs"]
mod binary;
mod apart;
mod configuration;
mod cover;
mod made;
mod state;
mod suite;
mod transitions;
