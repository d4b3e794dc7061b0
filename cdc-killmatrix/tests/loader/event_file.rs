//! Files of events: what reading them chose, what of other programs is refused, and batches.

use cdc_core::Schema;
use cdc_killmatrix::{Diagnostics, EventFile};

use super::Folder;

fn read(name: &str, text: &str, schema: &str) -> Result<EventFile, Diagnostics> {
    let folder = Folder::new().with(name, text);
    EventFile::read(&folder.path(name), &schema.parse::<Schema>().expect("a schema"))
}

fn notes(text: &str, schema: &str) -> Vec<String> {
    read("a.csv", text, schema).unwrap_or_else(|faults| panic!("{faults}")).notes
}

/// What is wrong with a file, from the place on.
fn faults(text: &str, schema: &str) -> Vec<String> {
    let faults = read("a.csv", text, schema).unwrap_err().to_string();
    faults.lines().map(|line| line.split_once("a.csv:").expect("the path").1.to_owned()).collect()
}

/// What is said of one field of a type, from its name on.
fn fault(field: &str, data_type: &str) -> String {
    let faults = faults(&format!("c,d\n{field},\n"), &format!("c {data_type}, d STRING"));
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].strip_prefix("2:1: `c` is ").expect("the place").to_owned()
}

fn values(text: &str, schema: &str) -> Vec<String> {
    let file = read("a.csv", text, schema).unwrap_or_else(|faults| panic!("{faults}"));
    file.feed.events().iter().flat_map(|event| event.values.iter().map(ToString::to_string)).collect()
}

#[test]
fn zeros_before_a_number_are_kept_in_a_text_and_lost_in_a_number() {
    let text = "zip,n,d,f\n00712,00712,-007.50,01.5\n0,0,0.5,0\n";
    let schema = "zip STRING, n INT, d DECIMAL(6,2), f DOUBLE";
    assert_eq!(values(text, schema), ["00712", "712", "-7.50", "1.5", "0", "0", "0.50", "0.0"]);
    assert_eq!(
        notes(text, schema),
        [
            "`n`: numbers begin with zeros (line 2: `00712` is `712` as INT); if they are names, the column is a STRING",
            "`d`: numbers begin with zeros (line 2: `-007.50` is `-7.50` as DECIMAL(6,2)); if they are names, the column \
             is a STRING",
            "`f`: numbers begin with zeros (line 2: `01.5` is `1.5` as DOUBLE); if they are names, the column is a STRING",
        ]
    );
}

#[test]
fn empty_fields_are_null_and_empty_quotes_an_empty_text() {
    let text = "n,email,b,c\n,,\"\",x\n,\"\",x,\"\"\n\"\",,,y\n,,x,z\n";
    let schema = "c STRING, email STRING, n INT, b STRING";
    assert_eq!(
        notes(text, schema),
        [
            "`c`: 1 empty field in quotes is the empty text",
            "`email`: 3 empty fields are NULL, 1 in quotes is the empty text",
            "`n`: 4 empty fields are NULL",
            "`b`: 1 empty field is NULL, 1 in quotes is the empty text",
        ]
    );
}

#[test]
fn words_for_null_are_texts_in_a_column_of_texts() {
    let text = "c,d\nNULL, x\nnull,y\t\n\\N,1.23E+05\nNullable,\u{1b}\n";
    assert_eq!(
        notes(text, "c STRING, d STRING"),
        [
            "`c`: `NULL` (line 2, and 2 more) is a text; an empty field is NULL",
            "`d`: ` x` (line 2, and 1 more) keeps its blanks",
            "`d`: `1.23E+05` (line 4) looks as if a spreadsheet had rounded it",
        ]
    );
    assert_eq!(notes("c\nNU\u{1b}LL\n\u{1b} \n", "c STRING"), [r"`c`: `\u{1b} ` (line 3) keeps its blanks"]);
    assert_eq!(values(text, "c STRING, d STRING")[..2], ["NULL", " x"]);
}

#[test]
fn a_file_that_leaves_no_choice_has_no_notes() {
    assert_eq!(notes("a,b,c\n10,x,1.5\n-1,0,0.5\n", "a INT, b STRING, c DOUBLE"), [""; 0]);
    assert_eq!(notes("a\n0011\n", "a BINARY"), [""; 0], "base64 is no number");
    let lines = read("a.jsonl", "{\"a\": null}\n", "a STRING").unwrap();
    assert_eq!(lines.notes, [""; 0]);
}

#[test]
fn decimal_commas_are_refused_with_what_to_write() {
    let schema = "id INT, price DECIMAL(10,2), size DOUBLE";
    let expected = [
        "2:3: `price` is the text `12,50`; expected a number (DECIMAL(10,2)), written `12.50`",
        "2:11: `size` is the text `0,5`; expected a number (DOUBLE), written `0.5`",
    ];
    assert_eq!(faults("id,price,size\n1,\"12,50\",\"0,5\"\n", schema), expected);
    let divided = faults("id;price;size\n1;12,50;0,5\n", schema);
    assert_eq!(divided[0], "1:3: is the separator `;`? expected `,`");
    assert_eq!(divided[1], expected[0]);
    assert_eq!(divided[2], expected[1].replace("2:11", "2:9"));
    let quoted = faults("\"id\";\"price\";\"size\"\n1;\"12,50\";\"x\"\n", schema);
    assert_eq!(quoted.len(), 3, "{quoted:?}");
}

#[test]
fn numbers_of_other_programs_are_refused_with_what_to_write() {
    for (field, data_type, expected) in [
        (
            "\"1,234.56\"",
            "DECIMAL(10,2)",
            "the text `1,234.56`; expected a number (DECIMAL(10,2)), written `1234.56`",
        ),
        ("\"1.234,56\"", "DOUBLE", "the text `1.234,56`; expected a number (DOUBLE), written `1234.56`"),
        ("\"1,234\"", "BIGINT", "the text `1,234`; expected a whole number (BIGINT), written `1234`"),
        ("\"1,234\"", "DOUBLE", "the text `1,234`; expected a number (DOUBLE), written `1.234` or `1234`"),
        ("\"12,50\"", "BIGINT", "the text `12,50`; expected a whole number (BIGINT)"),
        ("$12.50", "DECIMAL(10,2)", "the text `$12.50`; expected a number (DECIMAL(10,2)), written `12.50`"),
        (
            "12.50 €",
            "DECIMAL(10,2)",
            "the text `12.50 €`; expected a number (DECIMAL(10,2)), written `12.50`",
        ),
        (" 12", "BIGINT", "the text ` 12`; expected a whole number (BIGINT), written `12`"),
        ("12\u{a0}", "DOUBLE", "the text `12\u{a0}`; expected a number (DOUBLE), written `12`"),
        ("+5", "INT", "the text `+5`; expected a whole number (INT), written `5`"),
        ("12.0", "INT", "the text `12.0`; expected a whole number (INT), written `12`"),
        ("12.5", "INT", "the number `12.5`; expected a whole number (INT) without point and exponent"),
        (".5", "DECIMAL(3,2)", "the text `.5`; expected a number (DECIMAL(3,2)), written `0.5`"),
        ("nan", "DOUBLE", "the text `nan`; expected a number (DOUBLE), written `NaN`"),
        ("300", "TINYINT", "the number `300`; expected a whole number (TINYINT) from -128 to 127"),
        ("NULL", "BIGINT", "the text `NULL`; expected a whole number (BIGINT); an empty field is NULL"),
        ("\\N", "DATE", "the text `\\N`; expected a day (DATE); an empty field is NULL"),
        ("null", "BOOLEAN", "the text `null`; expected true or false (BOOLEAN); an empty field is NULL"),
    ] {
        assert_eq!(fault(field, data_type), expected, "{field}");
    }
}

#[test]
fn what_a_spreadsheet_rounded_is_refused_as_a_whole_number() {
    for field in ["\"1,23E+05\"", "1.23E+05"] {
        let text = field.trim_matches('"');
        assert_eq!(
            fault(field, "BIGINT"),
            format!(
                "the text `{text}`; expected a whole number (BIGINT) with all its digits; a spreadsheet rounded this one"
            )
        );
    }
    assert_eq!(
        notes("c\n1.23E+05\n", "c DECIMAL(10,2)"),
        ["`c`: `1.23E+05` (line 2) looks as if a spreadsheet had rounded it"]
    );
}

#[test]
fn truths_are_true_and_false_in_any_case() {
    assert_eq!(values("c\nTRUE\nfalse\n", "c BOOLEAN"), ["true", "false"]);
    for (field, meant) in [("1", "true"), ("t", "true"), ("Yes", "true"), ("0", "false"), ("F", "false")] {
        assert_eq!(
            fault(field, "BOOLEAN"),
            format!("the text `{field}`; expected true or false (BOOLEAN), written `{meant}`")
        );
    }
    assert_eq!(fault("maybe", "BOOLEAN"), "the text `maybe`; expected true or false (BOOLEAN)");
}

#[test]
fn days_of_other_countries_are_refused_with_what_to_write() {
    for (field, written) in [
        ("31.12.2026", "`2026-12-31`"),
        ("12/31/2026", "`2026-12-31`"),
        ("31/12/2026", "`2026-12-31`"),
        ("01/02/2026", "`2026-01-02` or `2026-02-01`"),
        ("2026-1-5", "`2026-01-05`"),
        ("2026/01/05", "`2026-01-05`"),
        ("20260105", "`2026-01-05`"),
        ("2026-01-05 00:00:00", "`2026-01-05`"),
    ] {
        let expected = format!("the text `{field}`; expected a day (DATE), written {written}");
        assert_eq!(fault(field, "DATE"), expected, "{field}");
    }
    assert_eq!(
        fault("31.02.2026", "DATE"),
        "the text `31.02.2026`; expected a day (DATE) such as \"2024-02-29\""
    );
}

#[test]
fn times_have_milliseconds_and_zones() {
    let text = "c\n2026-12-31 10:00:00.123+02\n2026-12-31T10:00:00.000Z\n";
    assert_eq!(values(text, "c TIMESTAMP"), ["2026-12-31T08:00:00.123Z", "2026-12-31T10:00:00Z"]);
    for (field, written) in [
        ("31.12.2026 9:05", "2026-12-31 09:05"),
        ("12/31/2026 10:00:00.5", "2026-12-31 10:00:00.5"),
        ("2026-12-31 10:00:00 UTC", "2026-12-31 10:00:00Z"),
        ("2026-12-31 10:00:00 +0200", "2026-12-31 10:00:00+0200"),
        ("2026-12-31", "2026-12-31 00:00:00"),
    ] {
        let expected = format!("the text `{field}`; expected a time (TIMESTAMP), written `{written}`");
        assert_eq!(fault(field, "TIMESTAMP"), expected, "{field}");
    }
    assert_eq!(
        fault("2026-12-31T10:00:00Z", "TIMESTAMP_NTZ"),
        "the text `2026-12-31T10:00:00Z`; expected a time (TIMESTAMP_NTZ) without a zone"
    );
}

#[test]
fn what_is_wrong_everywhere_is_told_a_thousand_times_and_counted() {
    let text = format!("c\n{}", "\"1,5\"\n".repeat(1500));
    assert_eq!(read("a.csv", &text, "c INT").unwrap_err().count(), 1500);
}

fn batches(name: &str, text: &str, schema: &str, column: &str) -> Result<EventFile, String> {
    let folder = Folder::new().with(name, text);
    let path = folder.path(name);
    let read = EventFile::read_batches(&path, &schema.parse::<Schema>().expect("a schema"), column);
    read.map_err(|faults| folder.relative(Some(faults)).join("\n"))
}

fn sizes(file: &EventFile) -> Vec<usize> {
    (0..file.feed.batches()).map(|number| file.feed.batch(number).events.len()).collect()
}

#[test]
fn a_run_of_equal_values_is_a_batch() {
    let lines = "{\"id\": 1, \"Run\": 3}\n\n{\"id\": 2, \"run\": \"3\"}\n{\"run\": 1, \"id\": 3}\n";
    for (name, text) in [("a.csv", "Run,id\n3,1\n\n3,2\n1,3\n"), ("a.jsonl", lines)] {
        let file = batches(name, text, "id INT", "run").unwrap();
        assert_eq!(sizes(&file), [2, 1]);
        assert!(file.feed.events().iter().all(|event| event.values.len() == 1), "{name}");
    }
}

#[test]
fn a_column_of_the_schema_that_says_the_batch_stays_a_column() {
    let lines = "{\"id\": 1, \"run\": \"a\"}\n{\"id\": 2, \"run\": \"b\"}\n";
    for (name, text) in [("a.csv", "id,run\n1,a\n2,b\n"), ("a.jsonl", lines)] {
        let file = batches(name, text, "id INT, run STRING", "RUN").unwrap();
        assert_eq!(sizes(&file), [1, 1]);
        assert_eq!(file.feed.events()[1].values[1].to_string(), "b");
    }
}

#[test]
fn a_batch_that_comes_back_or_has_no_name_is_refused() {
    let back = "comes back, after `4`; expected the file in the order in which batches arrived";
    for (name, text, expected) in [
        ("a.csv", "id,run\n1,3\n2,4\n3,3\n4,3\n5,4\n6,5\n", format!("a.csv:4:3: batch `3` {back}")),
        (
            "a.csv",
            "id,run\n1,3\n2,\n",
            "a.csv:3:3: `run` is empty; expected the batch of the event".to_owned(),
        ),
        (
            "a.csv",
            "id\n1\n",
            "a.csv:1:1: there is no column `run` that says the batch; expected one of id".to_owned(),
        ),
        (
            "a.csv",
            "id,run,RUN\n1,3,3\n",
            "a.csv:1:8: the column `RUN` is given twice; names match without case".to_owned(),
        ),
        (
            "a.jsonl",
            "{\"id\": 1, \"run\": 3}\n{\"run\": 4}\n{\"run\": \"3\"}\n",
            format!("a.jsonl:3:9: batch `3` {back}"),
        ),
        ("a.jsonl", "{\"id\": 1}\n", "a.jsonl:1:1: the event has no `run`; expected its batch".to_owned()),
        (
            "a.jsonl",
            "{\"run\": null}\n",
            "a.jsonl:1:9: `run` is empty; expected the batch of the event".to_owned(),
        ),
        (
            "a.jsonl",
            "{\"run\": [1]}\n",
            "a.jsonl:1:9: `run` is a list; expected the event's batch, a number or a text".to_owned(),
        ),
        (
            "a.jsonl",
            "{\"run\": 1, \"Run\": 1}\n",
            "a.jsonl:1:12: the column `Run` is given twice; names match without case".to_owned(),
        ),
    ] {
        assert_eq!(batches(name, text, "id INT", "run").unwrap_err(), expected, "{text}");
    }
}
