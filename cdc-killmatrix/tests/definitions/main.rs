//! What deployed definitions say, and what is wrong with them.

mod lookup;
mod python;
mod shipped;
mod sql;
