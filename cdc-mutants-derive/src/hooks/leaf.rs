//! What makes a method a leaf: it decides alone, and a function pointer can stand for it.

use super::fault;
use crate::faults::Faults;
use crate::source::mentions;
use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{Block, FnArg, Lifetime, ParenthesizedGenericArguments, ReturnType, Safety, Signature};
use syn::{Type, TypeFnPtr, TypeImplTrait, TypeReference, ext::IdentExt as _};

/// Names that mean something else, on `Hook` or in `#[mutant(..)]`.
const TAKEN: [&str; 6] = ["name", "about", "needs", "report", "caught_by", "equivalent"];

/// A body that asks the model for another decision would break when that one is broken.
pub(super) fn check_body(sig: &Signature, body: Option<&Block>, faults: &mut Faults) {
    let Some(body) = body else {
        fault(faults, sig, &sig.ident, "needs a body: the body is what the reference decides");
        return;
    };
    for word in mentions(body.to_token_stream(), &["self", "Self", "Reference"]) {
        let text = format!("can't use `{word}`: it decides alone, so that breaking one hook breaks no other");
        fault(faults, sig, word, &text);
    }
}

/// All of the signature but the names of the arguments.
pub(super) fn check_signature(sig: &Signature, faults: &mut Faults) {
    let name = sig.ident.unraw();
    if TAKEN.iter().any(|taken| name == taken) {
        fault(faults, sig, &sig.ident, "needs another name: this one means something else here");
    }
    if let Some(token) = &sig.constness {
        fault(faults, sig, token, "can't be const: expected a plain method");
    }
    if let Some(token) = &sig.asyncness {
        fault(faults, sig, token, "can't be async: expected a plain method");
    }
    if !matches!(sig.safety, Safety::Default) {
        fault(faults, sig, &sig.safety, "can't be unsafe: expected a plain method");
    }
    if let Some(abi) = &sig.abi {
        fault(faults, sig, abi, "can't be extern: expected a plain method");
    }
    if !sig.generics.params.is_empty() {
        fault(faults, sig, &sig.generics, "can't be generic: a mutant holds it as a function pointer");
    } else if let Some(clause) = &sig.generics.where_clause {
        fault(faults, sig, clause, "can't have a where clause: a mutant holds it as a function pointer");
    }
    for input in sig.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_))) {
        check_names_no_model(input.to_token_stream(), sig, faults);
        NoImplTrait { sig, faults }.visit_fn_arg(input);
    }
    check_names_no_model(sig.output.to_token_stream(), sig, faults);
    check_owned(sig, faults);
}

/// `Self` is another type in the function pointer than in the trait.
fn check_names_no_model(tokens: proc_macro2::TokenStream, sig: &Signature, faults: &mut Faults) {
    for word in mentions(tokens, &["Self"]) {
        fault(faults, sig, word, "can't use `Self` in its signature: a function pointer has no model");
    }
}

fn check_owned(sig: &Signature, faults: &mut Faults) {
    match &sig.output {
        ReturnType::Default => {
            fault(faults, sig, &sig.ident, "must return a value: expected `->` and an owned type");
        }
        ReturnType::Type(_, output) => match &**output {
            Type::Reference(_) => fault(faults, sig, output, BORROWS),
            _ => NoBorrow { sig, faults }.visit_type(output),
        },
    }
}

const BORROWS: &str = "must return an owned value: expected a type that borrows nothing";
const IMPL: &str = "can't use `impl` in its signature: a function pointer needs the type by name";

/// Finds an `impl Trait`, which makes a method generic without saying so.
struct NoImplTrait<'a> {
    sig: &'a Signature,
    faults: &'a mut Faults,
}

impl Visit<'_> for NoImplTrait<'_> {
    fn visit_type_impl_trait(&mut self, ty: &TypeImplTrait) {
        fault(self.faults, self.sig, ty, IMPL);
    }
}

/// Finds what ties an answer to the life of an argument.
struct NoBorrow<'a> {
    sig: &'a Signature,
    faults: &'a mut Faults,
}

impl Visit<'_> for NoBorrow<'_> {
    fn visit_type_reference(&mut self, ty: &TypeReference) {
        match &ty.lifetime {
            Some(lifetime) if lifetime.ident == "static" => visit::visit_type_reference(self, ty),
            _ => fault(self.faults, self.sig, ty, BORROWS),
        }
    }

    fn visit_lifetime(&mut self, lifetime: &Lifetime) {
        if lifetime.ident != "static" {
            fault(self.faults, self.sig, lifetime, BORROWS);
        }
    }

    fn visit_type_impl_trait(&mut self, ty: &TypeImplTrait) {
        fault(self.faults, self.sig, ty, IMPL);
    }

    // What a returned function borrows, it borrows when it is called.
    fn visit_type_fn_ptr(&mut self, _: &TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(&mut self, _: &ParenthesizedGenericArguments) {}
}
