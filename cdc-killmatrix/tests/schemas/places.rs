//! Where a fault is, and what hostile texts do.

use std::fmt::Write as _;
use std::fs;

use cdc_killmatrix::columns;

use crate::{fails, faults, printed};

#[test]
fn all_faults_are_said_at_once_with_their_places() {
    fails(
        "CREATE TABLE t (\n  id BIGNT,\n  ID INT,\n  v VARIANT,\n  x,\n  `` INT,\n  s STRUCT<a: INT, A: INT>,\n\
         \x20 m MAP<STRING>,\n  d DECIMAL(50, 2), 'q' INT,)",
        &[
            "2:6: CREATE TABLE: the type of `id`: `BIGNT` is no type; expected one of BOOLEAN, TINYINT, SMALLINT, INT, \
             BIGINT, FLOAT, DOUBLE, DECIMAL(p,s), STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, STRUCT<..>, \
             ARRAY<..>, MAP<..>",
            "3:3: CREATE TABLE: `id` and `ID` are the same column: names match without case",
            "4:5: CREATE TABLE: the type of `v`: the model has no `VARIANT`; leave the column out, or write \
             STRING if the flow or the events name it",
            "5:4: CREATE TABLE: the type of `x`: found no type; expected a type, as in `id BIGINT`",
            "6:3: CREATE TABLE: the name of the column is empty; expected a name",
            "7:5: CREATE TABLE: the type of `s`: the field `A` is given twice; names match without case",
            "8:15: CREATE TABLE: the type of `m`: unexpected `>`; expected `,`",
            "9:5: CREATE TABLE: the type of `d`: `DECIMAL(50,2)`: expected 1 to 38 digits, no more of them behind the \
             point",
            "9:21: CREATE TABLE: unexpected `'q'`; expected the name of a column, in backticks if it needs quotes",
            "9:28: CREATE TABLE: the list ends in a comma; expected the name of a column",
        ],
    );
    fails("id BIGINT,, city STRING NULL; x", &["1:31: columns: unexpected `x` behind `;`; expected the end"]);
    fails("id BIGINT,, n INT", &["1:11: columns: unexpected `,`; expected the name of a column"]);
    fails(
        "id, n INT",
        &["1:3: columns: the type of `id`: found no type; expected a type, as in `id BIGINT`"],
    );
    for path in ["id", "columns.txt", "no/such", "../x.y", "C:\\x"] {
        let expected = "expected a file, or columns such as `id BIGINT, city STRING`";
        fails(path, &[&format!(" there is no such file `{path}`; {expected}")]);
    }
    fails("id STRING WITH x", &["1:11: columns: the type of `id`: unexpected `WITH x` behind the type"]);
}

#[test]
fn types_that_the_model_lacks_name_the_column() {
    for name in ["VARIANT", "INTERVAL", "VOID", "OBJECT", "GEOGRAPHY", "GEOMETRY", "TIME"] {
        let text = format!("id INT, v ARRAY<{}(4)>", name.to_lowercase());
        let wanted = format!(
            "1:17: columns: the type of `v`: the model has no `{name}`; leave the column out, or write STRING if the \
             flow or the events name it"
        );
        fails(&text, &[&wanted]);
    }
    assert!(columns::read("variant INT, s STRUCT<interval: INT, void STRING>").is_ok());
}

#[test]
fn files_are_named_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let faults = columns::read(path.to_str().unwrap()).unwrap_err().to_string();
        faults.strip_prefix(folder.path().to_str().unwrap()).unwrap()[1..].to_owned()
    };
    // The end of a name says nothing.
    assert_eq!(
        read("a.sql", b"id\tbigint\nb\tvoid\n"),
        "a.sql:2:3: DESCRIBE: the type of `b`: the model has no `VOID`; leave the column out, or write STRING if the \
             flow or the events name it"
    );
    let nothing = "there is nothing here; expected columns such as `id BIGINT, city STRING`";
    assert_eq!(read("empty.txt", b""), format!("empty.txt:1:1: {nothing}"));
    assert_eq!(read("blank.json", b"\xef\xbb\xbf \r\n"), format!("blank.json:1:1: {nothing}"));
    let wide: Vec<u8> = "\u{feff}id BIGINT".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        read("wide.txt", &wide),
        "wide.txt: the file is in UTF-16, as PowerShell's `>` writes it; expected a text file in UTF-8"
    );
    assert_eq!(
        read("latin.txt", b"gr\xf6sse INT"),
        "latin.txt:1:3: the byte 0xf6 is no UTF-8; expected a text file in UTF-8"
    );
    assert_eq!(
        read("comment.sql", b"-- nothing"),
        "comment.sql:1:1: columns: there is no column here; expected at least one"
    );
}

#[test]
fn deep_types_and_many_columns_are_refused_in_every_form() {
    let deep = "types are nested more than 64 deep; expected less";
    let nested = format!("{}INT{}", "ARRAY<".repeat(100_000), ">".repeat(100_000));
    let structs = format!("{}INT{}", "STRUCT<a:".repeat(100_000), ">".repeat(100_000));
    let mut tree = String::from("root\n |-- a: array (nullable = true)\n");
    for depth in 1..300 {
        writeln!(tree, " |{}-- element: array (containsNull = true)", "    |".repeat(depth)).unwrap();
    }
    let mut json = String::from("\"long\"");
    for _ in 0..70 {
        json = format!("{{\"type\":\"array\",\"elementType\":{json}}}");
    }
    let json = format!("{{\"type\":\"struct\",\"fields\":[{{\"name\":\"a\",\"type\":{json}}}]}}");
    for text in
        [format!("a {nested}"), format!("CREATE TABLE t (a {structs})"), format!("a\t{nested}\n"), tree, json]
    {
        let faults = faults(&text);
        assert!(faults.len() == 1 && faults[0].ends_with(deep), "{faults:?}");
    }
    let columns = |count: usize| (0..count).map(|n| format!("c{n} INT")).collect::<Vec<_>>();
    assert_eq!(columns::read(&columns(4096).join(", ")).unwrap().len(), 4096);
    let tabs = columns(4097).join("\n").replace(' ', "\t");
    for (text, form) in [(columns(4097).join(", "), "columns"), (tabs, "DESCRIBE")] {
        let faults = faults(&text);
        let wanted = format!("{form}: there are more than 4096 columns; expected fewer");
        assert!(faults.len() == 1 && faults[0].ends_with(&wanted), "{faults:?}");
    }
}

#[test]
fn quotes_without_end_and_deep_parentheses_are_faults() {
    for text in [
        "`id INT",
        "id STRUCT<`a",
        "id STRUCT<a: INT COMMENT '",
        "id DECIMAL(",
        "col_name,data_type\n\"id",
        "id /* INT",
        "root\n |-- `",
        "CREATE TABLE",
        "|",
        "+-",
        "{\"type\":\"struct\",\"fields\":[]}",
        "\u{0}",
        ";",
    ] {
        assert!(!faults(text).is_empty(), "{text}");
    }
    let quotes = format!("a STRUCT<b: INT COMMENT {}>", "''".repeat(100_000));
    assert!(columns::read(&quotes).is_ok());
}

#[test]
fn a_text_cut_anywhere_is_read_or_refused() {
    for name in ["create.sql", "describe.csv", "schema.json.txt", "show.txt", "tabs.txt", "tree.txt"] {
        let text = fs::read_to_string(printed(name)).unwrap();
        let whole = columns::read(&text).unwrap();
        let others = ["é", "`", "<", "\"", "|", "\t"].iter().cycle();
        for ((cut, sign), other) in text.char_indices().zip(others) {
            if let Ok(found) = columns::read(&text[..cut]) {
                assert!(found.len() <= whole.len(), "{name}: {}", &text[..cut]);
            }
            // A sign in the place of another one; the rest is there.
            let changed = [&text[..cut], other, &text[cut + sign.len_utf8()..]].concat();
            if let Err(faults) = columns::read(&changed) {
                assert!(faults.faults().iter().all(|fault| fault.place.is_some()), "{faults}");
            }
        }
    }
}
