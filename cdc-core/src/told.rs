//! What a decision is asked with, in a few words.

use crate::error::EvalError;
use crate::event::{Arrival, Event, Image, Key, Operation, Order, Version};
use crate::flow::Flow;
use crate::plan::Plan;
use crate::row::Row;
use crate::value::Value;

/// How many values, or things of a list, are told; of the others only how many there are.
const TOLD: usize = 6;
/// How many characters of a text are told.
const CHARACTERS: usize = 24;

/// An input or an answer of a decision, in words. Empty where there is nothing to tell: the plan is always the same.
pub(crate) trait Told {
    fn told(&self) -> String;
}

impl<T: Told + ?Sized> Told for &T {
    fn told(&self) -> String {
        (**self).told()
    }
}

impl<T: Told> Told for Option<T> {
    fn told(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Told::told)
    }
}

impl Told for Plan {
    fn told(&self) -> String {
        String::new()
    }
}

impl Told for Flow {
    fn told(&self) -> String {
        String::new()
    }
}

impl Told for bool {
    fn told(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl Told for u64 {
    fn told(&self) -> String {
        self.to_string()
    }
}

impl Told for usize {
    fn told(&self) -> String {
        self.to_string()
    }
}

impl Told for Value {
    fn told(&self) -> String {
        match self {
            Self::String(text) if CHARACTERS < text.chars().count() => {
                format!("{:?}..", text.chars().take(CHARACTERS).collect::<String>())
            }
            Self::String(text) => format!("{text:?}"),
            value => value.to_string(),
        }
    }
}

impl Told for Row {
    fn told(&self) -> String {
        listed(self)
    }
}

impl Told for Key {
    fn told(&self) -> String {
        listed(self)
    }
}

impl Told for Order {
    fn told(&self) -> String {
        match &**self {
            [value] => value.told(),
            values => listed(values),
        }
    }
}

impl Told for Event {
    fn told(&self) -> String {
        listed(&self.values)
    }
}

impl Told for Arrival {
    fn told(&self) -> String {
        format!("row {} of batch {}", self.row + 1, self.batch + 1)
    }
}

impl Told for Operation {
    fn told(&self) -> String {
        match self {
            Self::Upsert => "upsert",
            Self::Delete => "delete",
            Self::Truncate => "truncate",
        }
        .to_owned()
    }
}

impl Told for Version {
    fn told(&self) -> String {
        let known = self.system.as_ref().map(|system| format!(", known at {}", system.told()));
        format!("{} at {}{}", self.operation.told(), self.order.told(), known.unwrap_or_default())
    }
}

impl Told for Image<'_> {
    fn told(&self) -> String {
        format!("{} of {}", self.version.told(), self.row.told())
    }
}

impl Told for Result<Operation, EvalError> {
    fn told(&self) -> String {
        match self {
            Ok(operation) => operation.told(),
            Err(error) => error.to_string(),
        }
    }
}

macro_rules! told_lists {
    ($($item:ty),*) => {$(
        impl Told for [$item] {
            fn told(&self) -> String {
                format!("[{}]", cut(self))
            }
        }

        impl Told for Vec<$item> {
            fn told(&self) -> String {
                self.as_slice().told()
            }
        }
    )*};
}

told_lists!(usize, Event, Image<'_>, &Image<'_>);

fn listed(values: &[Value]) -> String {
    format!("({})", cut(values))
}

/// The first of some things, and how many there are beside.
fn cut<T: Told>(all: &[T]) -> String {
    let mut told: Vec<String> = all.iter().take(TOLD).map(Told::told).collect();
    if TOLD < all.len() {
        told.push(format!("and {} more", all.len() - TOLD));
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_as_their_values_and_long_ones_are_cut() {
        let row = Row::from([Value::Int(101), Value::from("Paris"), Value::Null]);
        assert_eq!(row.told(), r#"(101, "Paris", null)"#);
        let long: Row = (0..9).map(Value::Int).collect();
        assert_eq!(long.told(), "(0, 1, 2, 3, 4, 5, and 3 more)");
        assert_eq!(Value::from("x".repeat(25).as_str()).told(), format!("{:?}..", "x".repeat(24)));
    }

    #[test]
    fn an_order_of_one_value_reads_as_that_value() {
        assert_eq!(Order::new([Value::Int(9)]).told(), "9");
        assert_eq!(Order::new([Value::Int(9), Value::Int(1)]).told(), "(9, 1)");
    }
}
