//! `#[hooks]`: reads a trait of decisions and writes how to replace any one of them.

use crate::faults::{Expansion, Faults};
use crate::source::first_doc_line;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{FnArg, Ident, ItemTrait, Pat, Receiver, ReceiverKind, ReturnType, Signature, TraitItem, Type};
use syn::{ext::IdentExt as _, parse_quote};

mod leaf;

#[cfg(test)]
mod tests;

/// A method of the trait, as a mutant sees it.
struct Hook {
    ident: Ident,
    about: String,
    args: Vec<Ident>,
    types: Vec<Type>,
    output: ReturnType,
}

/// The trait with what makes its methods replaceable.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> Expansion {
    let mut faults = Faults::default();
    if !args.is_empty() {
        faults.add(args, "`#[hooks]` takes no arguments");
    }
    let Some(mut model) = faults.keep(syn::parse2::<ItemTrait>(item.clone())) else {
        return Expansion { code: item, faults };
    };
    check_trait(&model, &mut faults);
    let hooks: Vec<Hook> = model.items.iter().filter_map(|item| Hook::read(item, &mut faults)).collect();
    if !faults.is_empty() {
        // Else rustc repeats at every implementation that the method is missing.
        add_missing_bodies(&mut model);
    }
    let hook = write_hook(&model, &hooks);
    let models = [write_mutant(&model, &hooks), write_mutants(&model, &hooks), write_spy(&model, &hooks)];
    Expansion { code: quote!(#model #hook #(#models)*), faults }
}

fn check_trait(model: &ItemTrait, faults: &mut Faults) {
    let name = &model.ident;
    if let Some(token) = &model.unsafety {
        faults.add(token, format_args!("trait `{name}` can't be unsafe: mutants implement it in safe code"));
    }
    if !model.generics.params.is_empty() {
        let text = format_args!("trait `{name}` can't be generic: a mutant holds a function pointer");
        faults.add(&model.generics, text);
    }
    if model.items.is_empty() {
        faults.add(name, format_args!("trait `{name}` has no hooks: expected at least one method"));
    }
}

fn add_missing_bodies(model: &mut ItemTrait) {
    for item in &mut model.items {
        if let TraitItem::Fn(method) = item
            && method.default.is_none()
        {
            let allow = parse_quote!(#[allow(unused_variables, reason = "the body is missing")]);
            method.attrs.push(allow);
            method.default = Some(parse_quote!({ ::core::unreachable!() }));
            method.semi_token = None;
        }
    }
}

impl Hook {
    /// The hook, unless its signature is at fault: a fault elsewhere leaves something to refer to.
    fn read(item: &TraitItem, faults: &mut Faults) -> Option<Self> {
        let TraitItem::Fn(method) = item else {
            faults.add(item, "a trait of hooks holds methods only: expected `fn`");
            return None;
        };
        let sig = &method.sig;
        let about = first_doc_line(&method.attrs);
        if about.is_none() {
            fault(faults, sig, &sig.ident, "needs a doc comment: its first line says what the hook decides");
        }
        leaf::check_body(sig, method.default.as_ref(), faults);
        let before = faults.count();
        leaf::check_signature(sig, faults);
        let (args, types) = read_arguments(sig, faults);
        (faults.count() == before).then(|| Self {
            ident: sig.ident.clone(),
            about: about.unwrap_or_default(),
            args,
            types,
            output: sig.output.clone(),
        })
    }

    fn text(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// The type of what can replace it: `fn(&Plan, &Event) -> Option<Key>`.
    fn pointer(&self) -> TokenStream {
        let Self { types, output, .. } = self;
        quote!(fn(#(#types),*) #output)
    }
}

fn read_arguments(sig: &Signature, faults: &mut Faults) -> (Vec<Ident>, Vec<Type>) {
    let mut inputs = sig.inputs.iter().peekable();
    match inputs.next_if(|input| matches!(input, FnArg::Receiver(_))) {
        Some(FnArg::Receiver(Receiver { kind: ReceiverKind::Reference(_, None, None), .. })) => {}
        Some(other) => fault(faults, sig, other, "must take `&self`: asking a model doesn't change it"),
        None => fault(faults, sig, &sig.ident, "must take `&self` first: it is asked of a model"),
    }
    let (mut args, mut types) = (Vec::new(), Vec::new());
    for input in inputs {
        // Only the first argument can be a receiver.
        let FnArg::Typed(arg) = input else { continue };
        match &*arg.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => args.push(pat.ident.clone()),
            pat => fault(faults, sig, pat, "needs a plain argument name here: a mutant passes it on"),
        }
        types.push((*arg.ty).clone());
    }
    (args, types)
}

/// Adds a fault of the hook with this signature.
fn fault(faults: &mut Faults, sig: &Signature, at: impl ToTokens, text: &str) {
    faults.add(at, format_args!("hook `{}` {text}", sig.ident.unraw()));
}

fn write_hook(model: &ItemTrait, hooks: &[Hook]) -> TokenStream {
    let (vis, name) = (&model.vis, model.ident.unraw());
    let idents: Vec<&Ident> = hooks.iter().map(|hook| &hook.ident).collect();
    let texts: Vec<String> = hooks.iter().map(Hook::text).collect();
    let abouts: Vec<&String> = hooks.iter().map(|hook| &hook.about).collect();
    let pointers: Vec<TokenStream> = hooks.iter().map(Hook::pointer).collect();
    let docs = hooks.iter().map(|hook| format!("{}.\n\nReplaces [`{name}::{}`].", hook.about, hook.text()));
    let about = format!("One decision of [`{name}`], and what a mutant decides instead.");
    quote! {
        #[doc = #about]
        #[derive(Clone, Copy)]
        #vis struct Hook(Broken);

        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types, reason = "a variant has the name of its hook")]
        enum Broken { #(#idents(#pointers)),* }

        impl Hook {
            /// The name of every hook and what it decides, in the order in which the trait declares them.
            pub const ALL: &'static [(&'static str, &'static str)] = &[#((#texts, #abouts)),*];

            #(
                #[doc = #docs]
                pub const fn #idents(broken: #pointers) -> Self { Self(Broken::#idents(broken)) }
            )*

            /// The name of the method that it replaces.
            pub const fn name(&self) -> &'static str {
                match self.0 { #(Broken::#idents(_) => #texts),* }
            }

            /// What the method that it replaces decides.
            pub const fn about(&self) -> &'static str {
                match self.0 { #(Broken::#idents(_) => #abouts),* }
            }
        }

        /// Shows the name: the address of a function differs from run to run.
        impl ::core::fmt::Debug for Hook {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_tuple("Hook").field(&::core::format_args!("{}", self.name())).finish()
            }
        }
    }
}

/// The reference but for one hook.
fn write_mutant(model: &ItemTrait, hooks: &[Hook]) -> TokenStream {
    let (name, broken) = (&model.ident, local("broken"));
    write_model(model, hooks, &quote!(Mutant), |Hook { ident, args, .. }| {
        quote! {
            match self.breaks.0 {
                Broken::#ident(#broken) => #broken(#(#args),*),
                _ => #name::#ident(&Reference, #(#args),*),
            }
        }
    })
}

/// The reference but for several hooks: of two mutants that break the same one the first counts.
fn write_mutants(model: &ItemTrait, hooks: &[Hook]) -> TokenStream {
    let (name, mutant, broken) = (&model.ident, local("mutant"), local("broken"));
    write_model(model, hooks, &quote!([Mutant]), |Hook { ident, args, .. }| {
        quote! {
            for #mutant in self {
                if let Broken::#ident(#broken) = #mutant.breaks.0 {
                    return #broken(#(#args),*);
                }
            }
            #name::#ident(&Reference, #(#args),*)
        }
    })
}

/// A mutant that is watched: at its own hook the reference is asked, too.
fn write_spy(model: &ItemTrait, hooks: &[Hook]) -> TokenStream {
    let (name, broken) = (&model.ident, local("broken"));
    let (answer, right) = (local("answer"), local("right"));
    write_model(model, hooks, &quote!(Spy<'_>), |Hook { ident, args, .. }| {
        let words = args.iter().map(|arg| arg.unraw().to_string().trim_start_matches('_').to_owned());
        quote! {
            match self.mutant.breaks.0 {
                Broken::#ident(#broken) => {
                    let #answer = #broken(#(#args),*);
                    let #right = #name::#ident(&Reference, #(#args),*);
                    self.note(&#right, &#answer, || ::std::vec![#((#words, Told::told(&#args))),*]);
                    #answer
                }
                _ => #name::#ident(&Reference, #(#args),*),
            }
        }
    })
}

/// An implementation of the trait, with a body for each hook.
fn write_model(
    model: &ItemTrait,
    hooks: &[Hook],
    of: &TokenStream,
    body: impl Fn(&Hook) -> TokenStream,
) -> TokenStream {
    let model = &model.ident;
    let methods = hooks.iter().map(|hook| {
        let Hook { ident, args, types, output, .. } = hook;
        let body = body(hook);
        quote! {
            #[inline]
            fn #ident(&self, #(#args: #types),*) #output { #body }
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(
            unreachable_patterns,
            irrefutable_let_patterns,
            unreachable_code,
            reason = "a trait of one hook has no other",
        )]
        #[allow(clippy::used_underscore_binding, reason = "the reference may ignore what it is passed")]
        impl #model for #of { #(#methods)* }
    }
}

/// A name of the macro's own: an argument may have it too.
fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
