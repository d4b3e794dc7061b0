//! Which row is meant.

use cdc_core::{Key, Mutants};

/// Faults of key equality.
#[derive(Mutants)]
pub enum Keys {
    /// All events share one key, as if there were one customer.
    #[mutant(key_of = |_, _| Some(Key::new([])))]
    CollapsedKey,
}
