//! What is wrong with an item, gathered so that a user sees all of it at once.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;
use syn::Error;

/// The faults found so far.
#[derive(Default)]
pub(crate) struct Faults(Option<Error>);

impl Faults {
    /// Adds a fault that shows under the tokens of `at`.
    pub(crate) fn add(&mut self, at: impl ToTokens, text: impl Display) {
        self.push(Error::new_spanned(at, text));
    }

    pub(crate) fn push(&mut self, fault: Error) {
        match &mut self.0 {
            Some(faults) => faults.combine(fault),
            None => self.0 = Some(fault),
        }
    }

    /// The value, unless it is a fault, which is kept.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|fault| self.push(fault)).ok()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// What a macro answers: code, and the faults that make it a stand-in.
pub(crate) struct Expansion {
    pub(crate) code: TokenStream,
    pub(crate) faults: Faults,
}

impl Expansion {
    pub(crate) fn into_tokens(self) -> TokenStream {
        let Self { mut code, faults } = self;
        code.extend(faults.0.map(Error::into_compile_error));
        code
    }

    /// The faults as `line:column: message`, a line each, in the order in which they were found.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> String {
        let line = |fault: Error| {
            let at = fault.span().start();
            format!("{}:{}: {fault}", at.line, at.column + 1)
        };
        self.faults.0.iter().flatten().map(line).collect::<Vec<String>>().join("\n")
    }

    /// The code without white space, to look for a piece of it.
    #[cfg(test)]
    pub(crate) fn squeezed(&self) -> String {
        squeeze(&self.code.to_string())
    }
}

#[cfg(test)]
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::{Expansion, Faults};
    use quote::{format_ident, quote};

    #[test]
    fn code_is_emitted_beside_every_fault() {
        let mut faults = Faults::default();
        assert!(faults.is_empty());
        faults.add(format_ident!("a"), "one");
        faults.add(format_ident!("b"), "two");
        assert_eq!(faults.keep(syn::parse_str::<syn::Ident>("3").map(|_| ())), None);
        assert_eq!(faults.count(), 3);
        let text = Expansion { code: quote!(S), faults }.into_tokens().to_string();
        assert!(text.starts_with("S "), "{text}");
        assert_eq!(text.matches("compile_error").count(), 3, "{text}");
    }
}
