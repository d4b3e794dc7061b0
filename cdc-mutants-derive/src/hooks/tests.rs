use super::expand;
use crate::faults::{Expansion, squeeze};
use proc_macro2::TokenStream;

/// Expands a trait with these items, the first of which starts in line 2.
fn expand_trait(items: &str) -> Expansion {
    expand(TokenStream::new(), format!("pub trait Model {{\n{items}\n}}").parse().unwrap())
}

/// What is wrong with the trait.
#[track_caller]
fn messages(items: &str) -> String {
    let expansion = expand_trait(items);
    let code = expansion.squeezed();
    assert!(code.contains("structHook(Broken)") && code.contains("implModelforMutant"), "{code}");
    expansion.messages()
}

/// What the trait becomes, without white space.
#[track_caller]
fn code(items: &str) -> String {
    let expansion = expand_trait(items);
    assert_eq!(expansion.messages(), "");
    expansion.squeezed()
}

#[track_caller]
fn assert_has(code: &str, part: &str) {
    assert!(code.contains(&squeeze(part)), "no `{part}` in {code}");
}

const TWO: &str = "/// Which row.\nfn key_of(&self, _plan: &Plan, event: &Event) -> Option<Key> { event.key() }\n\
    /// Whether it counts.\nfn admits(&self, around: Around<'_>, broken: &[&Version]) -> bool { true }";

#[test]
fn the_trait_stays_as_it_is() {
    assert!(code(TWO).starts_with(&squeeze(&format!("pub trait Model {{ {} }}", printed(TWO)))));
}

/// The source as a compiler prints it: a doc comment is an attribute.
fn printed(source: &str) -> String {
    let tokens: TokenStream = source.parse().unwrap();
    tokens.to_string()
}

#[test]
fn a_hook_has_a_constructor_with_the_types_of_its_method() {
    let code = code(TWO);
    assert_has(&code, "pub const fn key_of(broken: fn(&Plan, &Event) -> Option<Key>) -> Self");
    assert_has(&code, "pub const fn admits(broken: fn(Around<'_>, &[&Version]) -> bool) -> Self");
    assert_has(&code, "enum Broken { key_of(fn(&Plan, &Event) -> Option<Key>), admits(");
}

#[test]
fn hooks_are_listed_in_the_order_of_the_trait_with_their_first_doc_line() {
    assert_has(&code(TWO), r#"&[("key_of", "Which row"), ("admits", "Whether it counts")]"#);
}

#[test]
fn a_mutant_answers_its_own_hook_and_leaves_the_others_to_the_reference() {
    let code = code(TWO);
    assert_has(
        &code,
        "#[inline] fn key_of(&self, _plan: &Plan, event: &Event) -> Option<Key> { match self.breaks.0 {
            Broken::key_of(broken) => broken(_plan, event),
            _ => Model::key_of(&Reference, _plan, event),
        } }",
    );
}

#[test]
fn a_raw_name_is_shown_without_its_prefix() {
    let code = code("/// Matches.\nfn r#match(&self, r#type: u8) -> bool { r#type == 1 }");
    assert_has(&code, r#"("match", "Matches")"#);
    assert_has(&code, "Model::r#match(&Reference, r#type)");
}

#[test]
fn mutable_arguments_static_texts_and_functions_of_borrows_are_plain_enough() {
    code(
        "/// Says why.\nfn says(&self, mut batch: Vec<Event>) -> Result<(), &'static str> { Ok(()) }
        /// Says how.\nfn gives(&self, text: &str) -> Box<dyn Fn(&str) -> bool> { self::helper(text) }",
    );
}

#[test]
fn the_attribute_takes_no_arguments() {
    let item = "trait Model { /** x */ fn a(&self) -> u8 { 1 } }".parse().unwrap();
    let expansion = expand("all, of, it".parse().unwrap(), item);
    assert_eq!(expansion.messages(), "1:1: `#[hooks]` takes no arguments");
}

#[test]
fn the_attribute_goes_on_a_trait() {
    let expansion = expand(TokenStream::new(), "/// x\npub struct S;".parse().unwrap());
    assert_eq!(expansion.messages(), "2:5: expected `trait`");
    assert!(expansion.squeezed().ends_with("pubstructS;"), "the item is lost");
}

#[test]
fn a_trait_is_plain_and_has_hooks() {
    let expansion = expand(TokenStream::new(), "unsafe trait Model<T> {}".parse().unwrap());
    assert_eq!(
        expansion.messages(),
        "1:1: trait `Model` can't be unsafe: mutants implement it in safe code\n\
         1:19: trait `Model` can't be generic: a mutant holds a function pointer\n\
         1:14: trait `Model` has no hooks: expected at least one method",
    );
}

#[test]
fn a_trait_holds_methods_only() {
    assert_eq!(
        messages("const A: u8;\n  type B;\n  a!{}"),
        "2:1: a trait of hooks holds methods only: expected `fn`\n\
         3:3: a trait of hooks holds methods only: expected `fn`\n\
         4:3: a trait of hooks holds methods only: expected `fn`",
    );
}

#[test]
fn a_hook_needs_a_description_and_a_body() {
    assert_eq!(
        messages("fn a(&self) -> u8;"),
        "2:4: hook `a` needs a doc comment: its first line says what the hook decides\n\
         2:4: hook `a` needs a body: the body is what the reference decides",
    );
}

#[test]
fn a_hook_at_fault_can_still_be_referred_to() {
    let code = expand_trait("fn a(&self, x: u8) -> u8;").squeezed();
    assert_has(&code, "fn a(&self, x: u8) -> u8 { ::core::unreachable!() }");
    assert_has(&code, "pub const fn a(broken: fn(u8) -> u8) -> Self");
}

#[test]
fn a_hook_decides_alone() {
    assert_eq!(
        messages("/// x\nfn a(&self) -> u8 {\n self.b() + Reference.b() + sum![1, [self.b()]]\n}"),
        "4:2: hook `a` can't use `self`: it decides alone, so that breaking one hook breaks no other\n\
         4:13: hook `a` can't use `Reference`: it decides alone, so that breaking one hook breaks no other\n\
         4:38: hook `a` can't use `self`: it decides alone, so that breaking one hook breaks no other",
    );
}

#[test]
fn a_hook_is_a_plain_method() {
    assert_eq!(
        messages("/// x\nconst async unsafe extern \"C\" fn a<T>(&self) -> u8 { 1 }"),
        "3:1: hook `a` can't be const: expected a plain method\n\
         3:7: hook `a` can't be async: expected a plain method\n\
         3:13: hook `a` can't be unsafe: expected a plain method\n\
         3:20: hook `a` can't be extern: expected a plain method\n\
         3:35: hook `a` can't be generic: a mutant holds it as a function pointer",
    );
    assert_eq!(
        messages("/// x\nfn a(&self, x: impl Copy, y: &Self) -> u8 where Self: Sized { 1 }"),
        "3:43: hook `a` can't have a where clause: a mutant holds it as a function pointer\n\
         3:16: hook `a` can't use `impl` in its signature: a function pointer needs the type by name\n\
         3:31: hook `a` can't use `Self` in its signature: a function pointer has no model",
    );
}

#[test]
fn a_hook_takes_a_shared_self_first() {
    assert_eq!(
        messages("/// x\nfn a() -> u8 { 1 }\n/// x\nfn b(x: u8) -> u8 { 1 }"),
        "3:4: hook `a` must take `&self` first: it is asked of a model\n\
         5:4: hook `b` must take `&self` first: it is asked of a model",
    );
    assert_eq!(
        messages("/// x\nfn a(self) -> u8 { 1 }\n/// x\nfn b(&mut self) -> u8 { 1 }"),
        "3:6: hook `a` must take `&self`: asking a model doesn't change it\n\
         5:6: hook `b` must take `&self`: asking a model doesn't change it",
    );
}

#[test]
fn arguments_have_plain_names() {
    assert_eq!(
        messages("/// x\nfn a(&self, _: u8, (x, y): (u8, u8), _z: u8) -> u8 { 1 }"),
        "3:13: hook `a` needs a plain argument name here: a mutant passes it on\n\
         3:20: hook `a` needs a plain argument name here: a mutant passes it on",
    );
}

#[test]
fn a_hook_returns_an_owned_value() {
    let owned = "must return an owned value: expected a type that borrows nothing";
    assert_eq!(
        messages(
            "/// x\nfn a(&self) -> &'static str { \"\" }\n/// x\nfn b(&self, x: &u8) -> Option<&u8> { Some(x) }"
        ),
        format!("3:16: hook `a` {owned}\n5:31: hook `b` {owned}"),
    );
    assert_eq!(
        messages(
            "/// x\nfn a(&self, x: &u8) -> Around<'_> { around(x) }\n/// x\nfn b(&self) -> impl Copy { 1 }"
        ),
        format!(
            "3:31: hook `a` {owned}\n\
             5:16: hook `b` can't use `impl` in its signature: a function pointer needs the type by name"
        ),
    );
    assert_eq!(
        messages("/// x\nfn a(&self) { }"),
        "3:4: hook `a` must return a value: expected `->` and an owned type",
    );
}

#[test]
fn a_hook_leaves_the_names_that_mean_something_else() {
    assert_eq!(
        messages("/// x\nfn name(&self) -> u8 { 1 }\n/// x\nfn needs(&self) -> u8 { 1 }"),
        "3:4: hook `name` needs another name: this one means something else here\n\
         5:4: hook `needs` needs another name: this one means something else here",
    );
}
