//! `#[mutant(..)]` and `#[mutants(..)]`, as written.

use crate::faults::Faults;
use crate::source::mentions;
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Result, Token};
use syn::{ext::IdentExt as _, parse_quote};

/// What a mutant does: the hook, the wrong decision, what a plan must have for it to matter, and what is claimed
/// of it.
pub(super) struct Breaks {
    pub(super) hook: Ident,
    pub(super) broken: Expr,
    pub(super) needs: Option<Expr>,
    pub(super) claims: Vec<(Ident, LitStr)>,
}

/// The keys that hold a text, and are methods of `Mutant` with that name.
const CLAIMS: [&str; 3] = ["report", "caught_by", "equivalent"];

/// What `#[mutants(..)]` on the type says.
#[derive(Default)]
pub(super) struct Options {
    krate: Option<Path>,
    family: Option<LitStr>,
}

impl Options {
    /// The path of `cdc-core`.
    pub(super) fn krate(&self) -> Path {
        self.krate.clone().unwrap_or_else(|| parse_quote!(::cdc_core))
    }

    /// The name of the family.
    pub(super) fn family(&self) -> Option<String> {
        self.family.as_ref().map(LitStr::value)
    }
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
    let mut claims: Vec<(Ident, LitStr)> = Vec::new();
    for Argument { key, value } in arguments {
        if CLAIMS.iter().any(|claim| key == claim) {
            if claims.iter().any(|(other, _)| *other == key) {
                faults.add(&key, format_args!("mutant `{mutant}` has two `{key}`: expected one at most"));
            } else if let Some(text) = check_claim(mutant, &key, value, faults) {
                claims.push((key, text));
            }
            continue;
        }
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
    Some(Breaks { hook: hook?, broken: broken?, needs: needs.flatten(), claims })
}

/// The text of a claim.
fn check_claim(mutant: &Ident, key: &Ident, value: Option<Expr>, faults: &mut Faults) -> Option<LitStr> {
    match value.map(without_group) {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) if !text.value().trim().is_empty() => Some(text),
        _ => {
            let text = format_args!("mutant `{mutant}` needs a text here: expected `{key} = \"..\"`");
            faults.add(key, text);
            None
        }
    }
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

/// What the attributes of the type say.
pub(super) fn read_options(attrs: &[Attribute], faults: &mut Faults) -> Options {
    let mut options = Options::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("mutants")) {
        if !matches!(attr.meta, Meta::List(_)) {
            let text = "`mutants` says nothing here: expected `#[mutants(crate = path)]` or `#[mutants(family = \"..\")]`";
            faults.add(attr.path(), text);
            continue;
        }
        let parsed = attr.parse_args_with(Punctuated::<Choice, Token![,]>::parse_terminated);
        for choice in faults.keep(parsed).into_iter().flatten() {
            match choice {
                Choice::Crate(key, path) => {
                    if options.krate.replace(path).is_some() {
                        faults.add(key, "`crate` is given twice: expected one `#[mutants(crate = path)]`");
                    }
                }
                Choice::Family(key, name) => {
                    if options.family.replace(name).is_some() {
                        faults
                            .add(key, "`family` is given twice: expected one `#[mutants(family = \"..\")]`");
                    }
                }
            }
        }
    }
    options
}

/// One of the things that `#[mutants(..)]` may say.
enum Choice {
    Crate(Ident, Path),
    Family(Ident, LitStr),
}

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        if key == "crate" {
            input.parse::<Token![=]>()?;
            return Ok(Self::Crate(key, input.call(Path::parse_mod_style)?));
        }
        if key == "family" {
            input.parse::<Token![=]>()?;
            return Ok(Self::Family(key, input.parse()?));
        }
        let text = format_args!("unknown option `{key}`: expected `crate = path` or `family = \"..\"`");
        Err(Error::new(key.span(), text))
    }
}

/// Adds a fault for an attribute in the wrong place.
pub(super) fn refuse(attrs: &[Attribute], name: &str, text: &str, faults: &mut Faults) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        faults.add(attr.path(), format_args!("`#[{name}]` {text}"));
    }
}
