//! `#[mutant(..)]` and `#[mutants(..)]`, as written.

use crate::faults::Faults;
use crate::source::mentions;
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Ident, Meta, Path, Result, Token, ext::IdentExt as _, parse_quote};

/// What a mutant does: the hook, the wrong decision, and what a plan must have for it to matter.
pub(super) struct Breaks {
    pub(super) hook: Ident,
    pub(super) broken: Expr,
    pub(super) needs: Option<Expr>,
}

/// `key = value`, where the value may be missing still.
struct Argument {
    key: Ident,
    value: Option<Expr>,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(Self { key, value: None });
        }
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: Some(input.parse()?) })
    }
}

/// What the attributes of a mutant say, unless one is at fault.
pub(super) fn read_breaks(mutant: &Ident, attrs: &[Attribute], faults: &mut Faults) -> Option<Breaks> {
    let before = faults.count();
    let arguments = read_arguments(mutant, attrs, faults);
    let all_readable = faults.count() == before;
    let (mut hook, mut broken, mut needs) = (None, None, None);
    for Argument { key, value } in arguments {
        let value = check_value(mutant, &key, value, faults);
        if key == "needs" {
            if needs.is_some() {
                faults.add(&key, format_args!("mutant `{mutant}` has two `needs`: expected one at most"));
            }
            needs = needs.or(Some(value));
        } else if let Some(hook) = &hook {
            let text = format_args!("mutant `{mutant}` already breaks `{hook}`: it can break one hook only");
            faults.add(&key, text);
        } else {
            (hook, broken) = (Some(key), value);
        }
    }
    // An attribute that can't be read may well have named a hook.
    if hook.is_none() && all_readable {
        let text = format_args!("mutant `{mutant}` breaks no hook: expected `#[mutant(hook = |..| ..)]`");
        faults.add(mutant, text);
    }
    Some(Breaks { hook: hook?, broken: broken?, needs: needs.flatten() })
}

fn read_arguments(mutant: &Ident, attrs: &[Attribute], faults: &mut Faults) -> Vec<Argument> {
    let mut arguments = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("mutant")) {
        if let Meta::List(_) = attr.meta {
            let parsed = attr.parse_args_with(Punctuated::<Argument, Token![,]>::parse_terminated);
            arguments.extend(faults.keep(parsed).into_iter().flatten());
        } else {
            let text =
                format_args!("mutant `{mutant}` names no hook here: expected `#[mutant(hook = |..| ..)]`");
            faults.add(attr.path(), text);
        }
    }
    arguments
}

/// The value, if the key can have it.
fn check_value(mutant: &Ident, key: &Ident, value: Option<Expr>, faults: &mut Faults) -> Option<Expr> {
    let is_needs = key == "needs";
    let expected = if is_needs { "`needs = path`" } else { "a closure that captures nothing, or a path" };
    let Some(value) = value.map(without_group) else {
        faults.add(key, format_args!("mutant `{mutant}` gives `{key}` no value: expected {expected}"));
        return None;
    };
    let is_answer = match &value {
        Expr::Path(_) => true,
        Expr::Closure(_) => !is_needs,
        _ => false,
    };
    if !is_answer {
        faults.add(value, format_args!("mutant `{mutant}` can't use this as `{key}`: expected {expected}"));
        return None;
    }
    let selves = mentions(value.to_token_stream(), &["self"]);
    for word in &selves {
        let text =
            format_args!("mutant `{mutant}` can't use `self`: expected a closure that captures nothing");
        faults.add(word, text);
    }
    selves.is_empty().then_some(value)
}

/// An expression that comes from a macro of the user's own is in a group that nobody sees.
fn without_group(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => without_group(*group.expr),
        other => other,
    }
}

/// The path of `cdc-core`, from the type's attributes.
pub(super) fn read_crate(attrs: &[Attribute], faults: &mut Faults) -> Path {
    let mut renamed = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("mutants")) {
        if !matches!(attr.meta, Meta::List(_)) {
            faults.add(attr.path(), "`mutants` names no crate here: expected `#[mutants(crate = path)]`");
            continue;
        }
        let path = faults.keep(attr.parse_args_with(parse_crate));
        if renamed.is_some() {
            faults.add(attr.path(), "`mutants` is given twice: expected one `#[mutants(crate = path)]`");
        }
        renamed = renamed.or(path);
    }
    renamed.unwrap_or_else(|| parse_quote!(::cdc_core))
}

fn parse_crate(input: ParseStream<'_>) -> Result<Path> {
    let key = input.call(Ident::parse_any)?;
    if key != "crate" {
        return Err(Error::new(key.span(), format_args!("unknown option `{key}`: expected `crate = path`")));
    }
    input.parse::<Token![=]>()?;
    let path = input.call(Path::parse_mod_style)?;
    input.parse::<Option<Token![,]>>()?;
    Ok(path)
}

/// Adds a fault for an attribute in the wrong place.
pub(super) fn refuse(attrs: &[Attribute], name: &str, text: &str, faults: &mut Faults) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        faults.add(attr.path(), format_args!("`#[{name}]` {text}"));
    }
}
