//! `#[derive(Mutants)]`: reads names for wrong decisions and writes the list of them.

use crate::faults::{Expansion, Faults};
use crate::source::{first_doc_line, second_doc_paragraph};
use attributes::Breaks;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{Attribute, Data, DataEnum, DeriveInput, Fields, Generics, Ident, Path};
use syn::{ext::IdentExt as _, spanned::Spanned as _};

mod attributes;

#[cfg(test)]
mod tests;

/// A name for one wrong decision.
struct Mutant {
    name: String,
    about: String,
    consequence: Option<String>,
    breaks: Breaks,
}

/// The implementation of `Mutants`: an empty one beside a fault, so that its users still compile.
pub(crate) fn expand(item: TokenStream) -> Expansion {
    let mut faults = Faults::default();
    let Some(input) = faults.keep(syn::parse2::<DeriveInput>(item)) else {
        return Expansion { code: TokenStream::new(), faults };
    };
    check_generics(&input.generics, &mut faults);
    let options = attributes::read_options(&input.attrs, &mut faults);
    let krate = options.krate();
    let family = options.family().unwrap_or_else(|| snake_case(&input.ident).replace('_', " "));
    let mutants = read_mutants(&input, &mut faults);
    let entries = mutants.iter().filter(|_| faults.is_empty()).map(|mutant| mutant.entry(&krate, &family));

    let ty = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let uses = write_uses(&input);
    let code = quote! {
        #[automatically_derived]
        impl #impl_generics #krate::Mutants for #ty #ty_generics #where_clause {
            const ALL: &'static [#krate::Mutant] = &[#(#entries),*];
        }
        #uses
    };
    Expansion { code, faults }
}

fn check_generics(generics: &Generics, faults: &mut Faults) {
    let text = "`#[derive(Mutants)]` goes on a type that isn't generic: mutants are names";
    if !generics.params.is_empty() {
        faults.add(generics, text);
    } else if let Some(clause) = &generics.where_clause {
        faults.add(clause, text);
    }
}

fn read_mutants(input: &DeriveInput, faults: &mut Faults) -> Vec<Mutant> {
    match &input.data {
        Data::Struct(data) => {
            Mutant::read(&input.ident, &input.attrs, &data.fields, faults).into_iter().collect()
        }
        Data::Enum(data) => {
            check_enum(input, data, faults);
            let variants = data.variants.iter();
            variants
                .filter_map(|it| {
                    attributes::refuse(&it.attrs, "mutants", "goes on the type, not on a variant", faults);
                    Mutant::read(&it.ident, &it.attrs, &it.fields, faults)
                })
                .collect()
        }
        Data::Union(data) => {
            let text = "`#[derive(Mutants)]` goes on an enum of unit variants or on a unit struct";
            faults.add(data.union_token, text);
            Vec::new()
        }
    }
}

fn check_enum(input: &DeriveInput, data: &DataEnum, faults: &mut Faults) {
    let ty = &input.ident;
    attributes::refuse(&input.attrs, "mutant", "goes on a variant, not on the enum", faults);
    if data.variants.is_empty() {
        faults.add(ty, format_args!("enum `{ty}` names no mutant: expected at least one variant"));
    }
    let mut seen: BTreeMap<String, &Ident> = BTreeMap::new();
    for ident in data.variants.iter().map(|variant| &variant.ident) {
        let name = snake_case(ident);
        if let Some(first) = seen.get(&name) {
            let text = format_args!(
                "mutant `{ident}` is `{name}` in reports, as `{first}` is: expected names that differ there too"
            );
            faults.add(ident, text);
        } else {
            seen.insert(name, ident);
        }
    }
}

impl Mutant {
    fn read(ident: &Ident, attrs: &[Attribute], fields: &Fields, faults: &mut Faults) -> Option<Self> {
        if !matches!(fields, Fields::Unit) {
            let text =
                format_args!("mutant `{ident}` can't have fields: expected a name for one wrong decision");
            faults.add(fields, text);
        }
        let about = first_doc_line(attrs);
        if about.is_none() {
            faults
                .add(ident, format_args!("mutant `{ident}` needs a `///` line that says what it does wrong"));
        }
        let breaks = attributes::read_breaks(ident, attrs, faults);
        let consequence = second_doc_paragraph(attrs);
        Some(Self { name: snake_case(ident), about: about?, consequence, breaks: breaks? })
    }

    /// The mutant as a value, each part under the tokens that it comes from.
    fn entry(&self, krate: &Path, family: &str) -> TokenStream {
        let Self { name, about, consequence, breaks: Breaks { hook, broken, needs, claims } } = self;
        let needing = needs.iter().map(|needs| quote_spanned!(needs.span()=> .needing(#needs)));
        let hook = quote_spanned!(hook.span()=> #krate::Hook::#hook(#broken));
        let consequence = consequence.iter().map(|text| quote!(.consequence(#text)));
        let claims = claims.iter().map(|(key, text)| quote_spanned!(key.span()=> .#key(#text)));
        quote!(#krate::Mutant::new(#name, #about, #hook).family(#family) #(#consequence)* #(#needing)* #(#claims)*)
    }
}

/// Counts as a use of every name, so that rustc doesn't call the names dead code.
fn write_uses(input: &DeriveInput) -> Option<TokenStream> {
    if !input.generics.params.is_empty() {
        return None;
    }
    let ty = &input.ident;
    let values: Vec<TokenStream> = match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Unit) => vec![quote!(#ty)],
        Data::Enum(data) => {
            let units = data.variants.iter().filter(|variant| matches!(variant.fields, Fields::Unit));
            units.map(|variant| &variant.ident).map(|variant| quote!(#ty::#variant)).collect()
        }
        Data::Struct(_) | Data::Union(_) => return None,
    };
    Some(quote!(const _: () = { #(let _ = #values;)* };))
}

/// `ArrivalOrder` as `arrival_order`, `SCD2Late` as `scd2_late`: digits stay with what precedes them.
fn snake_case(ident: &Ident) -> String {
    let chars: Vec<char> = ident.unraw().to_string().chars().collect();
    let mut name = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let starts_word = match before {
            Some(before) if before.is_uppercase() => chars.get(at + 1).is_some_and(|it| it.is_lowercase()),
            Some(before) => before != '_',
            None => false,
        };
        if c.is_uppercase() && starts_word {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}
