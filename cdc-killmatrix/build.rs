//! Says where the fixtures are that the program carries.

use std::path::Path;

fn main() {
    // A link to them stands in the package, so that they are packed with it. Where links can't be checked out, it is a
    // file. They are named, not read: what is in them is no matter of the library, which needn't be built anew.
    let corpus = if Path::new("corpus").is_dir() { "corpus" } else { "../fixtures" };
    println!("cargo::rustc-env=CDC_CORPUS={}/{corpus}", env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
}
