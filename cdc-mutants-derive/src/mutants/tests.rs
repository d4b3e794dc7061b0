use super::{expand, snake_case};
use crate::faults::squeeze;
use quote::format_ident;

/// What is wrong with the type.
#[track_caller]
fn messages(source: &str) -> String {
    let expansion = expand(source.parse().unwrap());
    let code = expansion.squeezed();
    assert!(code.contains("constALL:&'static[::cdc_core::Mutant]=&[];"), "no empty list in {code}");
    expansion.messages()
}

/// The derived code has to be exactly this, white space aside.
#[track_caller]
fn assert_expands(source: &str, code: &str) {
    let expansion = expand(source.parse().unwrap());
    assert_eq!(expansion.messages(), "");
    assert_eq!(expansion.squeezed(), squeeze(code));
}

#[test]
fn an_enum_lists_its_variants_in_order() {
    assert_expands(
        "enum Ordering {
            /// Orders events by arrival, not by the sequence.
            #[mutant(order_of = |_, event| Some(Order::arrival(event)))]
            ArrivalOrder,

            /// Drops the second column.
            ///
            /// A tie follows.
            #[mutant(order_of = ties::first_only, needs = needs::two_columns)]
            FirstColumnOnly,
        }",
        r#"#[automatically_derived]
        impl ::cdc_core::Mutants for Ordering {
            const ALL: &'static [::cdc_core::Mutant] = &[
                ::cdc_core::Mutant::new(
                    "arrival_order",
                    "Orders events by arrival, not by the sequence",
                    ::cdc_core::Hook::order_of(|_, event| Some(Order::arrival(event)))
                ).family("ordering"),
                ::cdc_core::Mutant::new(
                    "first_column_only",
                    "Drops the second column",
                    ::cdc_core::Hook::order_of(ties::first_only)
                ).family("ordering").consequence("A tie follows").needing(needs::two_columns)
            ];
        }
        const _: () = { let _ = Ordering::ArrivalOrder; let _ = Ordering::FirstColumnOnly; };"#,
    );
}

#[test]
fn a_unit_struct_is_an_enum_of_one() {
    assert_expands(
        "/// Forgets.\n#[mutant(needs = deletes)]\n#[mutant(keeps = |_| false,)]\nstruct Forgets;",
        r#"#[automatically_derived]
        impl ::cdc_core::Mutants for Forgets {
            const ALL: &'static [::cdc_core::Mutant] = &[
                ::cdc_core::Mutant::new("forgets", "Forgets", ::cdc_core::Hook::keeps(|_| false))
                    .family("forgets").needing(deletes)
            ];
        }
        const _: () = { let _ = Forgets; };"#,
    );
}

#[test]
fn a_crate_that_renames_the_core_says_so() {
    assert_expands(
        "/// Forgets.\n#[mutants(crate = crate::renamed)]\n#[mutant(keeps = no)]\nstruct Forgets;",
        r#"#[automatically_derived]
        impl crate::renamed::Mutants for Forgets {
            const ALL: &'static [crate::renamed::Mutant] = &[
                crate::renamed::Mutant::new("forgets", "Forgets", crate::renamed::Hook::keeps(no))
                    .family("forgets")
            ];
        }
        const _: () = { let _ = Forgets; };"#,
    );
}

#[test]
fn a_name_is_the_identifier_in_snake_case() {
    let name = |text: &str| snake_case(&format_ident!("{text}"));
    assert_eq!(name("ArrivalOrder"), "arrival_order");
    assert_eq!(name("SCD2Late"), "scd2_late");
    assert_eq!(name("Scd2late"), "scd2late");
    assert_eq!(name("HTTPServer"), "http_server");
    assert_eq!(name("TakesANull"), "takes_a_null");
    assert_eq!(name("ABA"), "aba");
    assert_eq!(name("Two_Words"), "two_words");
    assert_eq!(snake_case(&syn::parse_str("r#Loop").unwrap()), "loop");
}

#[test]
fn a_mutant_needs_a_description_and_a_hook() {
    assert_eq!(
        messages("enum E {\n #[mutant(a = |_| true)] A,\n /// \n #[mutant()] B,\n /// x\n C }"),
        "2:26: mutant `A` needs a `///` line that says what it does wrong\n\
         4:14: mutant `B` needs a `///` line that says what it does wrong\n\
         4:14: mutant `B` breaks no hook: expected `#[mutant(hook = |..| ..)]`\n\
         6:2: mutant `C` breaks no hook: expected `#[mutant(hook = |..| ..)]`",
    );
}

#[test]
fn a_mutant_breaks_one_hook_only() {
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a = |_| true, b = f)]\n #[mutant(a = f)] A }"),
        "1:42: mutant `A` already breaks `a`: it can break one hook only\n\
         2:11: mutant `A` already breaks `a`: it can break one hook only",
    );
}

#[test]
fn a_mutant_has_no_fields() {
    let text = "can't have fields: expected a name for one wrong decision";
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a = f)] A(u8), /** x */ #[mutant(a = f)] B { b: u8 } }"),
        format!("1:37: mutant `A` {text}\n1:71: mutant `B` {text}"),
    );
    assert_eq!(messages("/// x\n#[mutant(a = f)] struct S {}"), format!("2:27: mutant `S` {text}"));
}

#[test]
fn a_mutant_has_no_self() {
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a = |_| say![self.b])] A, /** x */ #[mutant(a = self)] B }"),
        "1:41: mutant `A` can't use `self`: expected a closure that captures nothing\n\
         1:76: mutant `B` can't use `self`: expected a closure that captures nothing",
    );
    assert_expands_without_fault("/// x\n#[mutant(a = self::function)] struct S;");
}

#[track_caller]
fn assert_expands_without_fault(source: &str) {
    assert_eq!(expand(source.parse().unwrap()).messages(), "");
}

#[test]
fn a_wrong_decision_is_a_closure_or_a_path() {
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a)] A, /** x */ #[mutant(a = make(1))] B }"),
        "1:28: mutant `A` gives `a` no value: expected a closure that captures nothing, or a path\n\
         1:57: mutant `B` can't use this as `a`: expected a closure that captures nothing, or a path",
    );
}

#[test]
fn needs_is_one_path() {
    assert_eq!(
        messages(
            "enum E {\n /** x */ #[mutant(a = f, needs = g, needs = h)] A,\n \
             /** x */ #[mutant(a = f, needs)] B,\n /** x */ #[mutant(a = f, needs = |_| Ok(()))] C }"
        ),
        "2:38: mutant `A` has two `needs`: expected one at most\n\
         3:27: mutant `B` gives `needs` no value: expected `needs = path`\n\
         4:35: mutant `C` can't use this as `needs`: expected `needs = path`",
    );
}

#[test]
fn a_faulty_needs_hides_no_other_fault() {
    assert_eq!(
        messages("/// x\n#[mutant(needs, needs = g)] struct S;"),
        "2:10: mutant `S` gives `needs` no value: expected `needs = path`\n\
         2:17: mutant `S` has two `needs`: expected one at most\n\
         2:36: mutant `S` breaks no hook: expected `#[mutant(hook = |..| ..)]`",
    );
}

#[test]
fn an_attribute_that_is_no_list_is_explained() {
    let text = "names no hook here: expected `#[mutant(hook = |..| ..)]`";
    assert_eq!(
        messages("enum E { /** x */ #[mutant] A, /** x */ #[mutant = \"a\"] B }"),
        format!("1:21: mutant `A` {text}\n1:43: mutant `B` {text}"),
    );
}

#[test]
fn an_attribute_that_cannot_be_read_is_one_fault() {
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a: f)] A, /** x */ #[mutant(crate = f)] B }"),
        "1:29: expected `=`\n1:56: expected identifier, found keyword `crate`",
    );
}

#[test]
fn attributes_stand_where_they_belong() {
    assert_eq!(
        messages("#[mutant(a = f)] enum E { /** x */ #[mutants(crate = c)] #[mutant(a = f)] A }"),
        "1:3: `#[mutant]` goes on a variant, not on the enum\n\
         1:38: `#[mutants]` goes on the type, not on a variant",
    );
}

#[test]
fn options_of_the_type_are_given_once() {
    let messages = |attrs: &str| messages(&format!("{attrs} /** x */ #[mutant(a = f)] struct S;"));
    assert_eq!(
        messages("#[mutants]"),
        "1:3: `mutants` says nothing here: expected `#[mutants(crate = path)]` or `#[mutants(family = \"..\")]`"
    );
    assert_eq!(
        messages("#[mutants(krate = x)]"),
        "1:11: unknown option `krate`: expected `crate = path` or `family = \"..\"`"
    );
    assert_eq!(messages("#[mutants(crate = 1)]"), "1:19: expected identifier");
    assert_eq!(messages("#[mutants(family = keys)]"), "1:20: expected string literal");
    let twice = |attrs: &str| {
        let item = format!("/// x\n{attrs} #[mutant(c = f)] struct S;");
        expand(item.parse().unwrap()).messages()
    };
    assert_eq!(
        twice("#[mutants(crate = a)] #[mutants(crate = b)]"),
        "2:33: `crate` is given twice: expected one `#[mutants(crate = path)]`"
    );
    assert_eq!(
        twice("#[mutants(family = \"a\", family = \"b\")]"),
        "2:25: `family` is given twice: expected one `#[mutants(family = \"..\")]`"
    );
}

#[test]
fn claims_are_methods_of_the_mutant() {
    assert_expands(
        "/// Forgets.\n#[mutants(family = \"lost deletes\", crate = c)]\n\
         #[mutant(keeps = no, report = \"https://a\", caught_by = \"s/f\", equivalent = \"b\")]\nstruct Forgets;",
        r#"#[automatically_derived]
        impl c::Mutants for Forgets {
            const ALL: &'static [c::Mutant] = &[
                c::Mutant::new("forgets", "Forgets", c::Hook::keeps(no))
                    .family("lost deletes").report("https://a").caught_by("s/f").equivalent("b")
            ];
        }
        const _: () = { let _ = Forgets; };"#,
    );
}

#[test]
fn a_claim_is_one_text() {
    assert_eq!(
        messages(
            "/// x\n#[mutant(a = f, report, caught_by = f, equivalent = \" \", report = \"b\", report = \"c\")] struct S;"
        ),
        "2:17: mutant `S` needs a text here: expected `report = \"..\"`\n\
         2:25: mutant `S` needs a text here: expected `caught_by = \"..\"`\n\
         2:40: mutant `S` needs a text here: expected `equivalent = \"..\"`\n\
         2:72: mutant `S` has two `report`: expected one at most",
    );
}

#[test]
fn an_enum_names_at_least_one_mutant() {
    assert_eq!(messages("enum E {}"), "1:6: enum `E` names no mutant: expected at least one variant");
}

#[test]
fn names_differ_in_snake_case() {
    assert_eq!(
        messages("enum E { /** x */ #[mutant(a = f)] AbC, /** x */ #[mutant(a = f)] Ab_C }"),
        "1:67: mutant `Ab_C` is `ab_c` in reports, as `AbC` is: expected names that differ there too",
    );
}

#[test]
fn a_union_is_no_list_of_names() {
    assert_eq!(
        messages("union U { a: u8 }"),
        "1:1: `#[derive(Mutants)]` goes on an enum of unit variants or on a unit struct",
    );
}

#[test]
fn a_generic_type_is_no_list_of_names() {
    let text = "`#[derive(Mutants)]` goes on a type that isn't generic: mutants are names";
    assert_eq!(messages("enum E<T: Copy> { /** x */ #[mutant(a = f)] A }"), format!("1:7: {text}"));
    assert_eq!(messages("/// x\n#[mutant(a = f)] struct S where u8: Copy;"), format!("2:27: {text}"));
}
