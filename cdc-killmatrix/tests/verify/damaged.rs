//! Files of Parquet that are no whole ones.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cdc_killmatrix::Fixtures;
use cdc_killmatrix::verify::{Capture, Verification};

use crate::folder;
use crate::parquet::{kept, of_toys, verified};

#[test]
fn a_file_that_is_no_whole_parquet_is_no_pass() {
    let whole = fs::read(kept("toys_none.parquet")).unwrap();
    let encrypted = [b"PARE", &whole[4..]].concat();
    for (bytes, expected) in [
        (&b""[..], "the file is empty: nothing was captured"),
        (b"PAR1", "the file ends before its end; is it complete?"),
        (b"[{\"id\": 1}]", "this isn't Parquet, in spite of its name"),
        (&encrypted, "this Parquet is encrypted"),
        (&whole[..whole.len() - 1], "the file ends before its end; is it complete?"),
    ] {
        let folder = folder();
        fs::write(folder.path().join("rows.parquet"), bytes).unwrap();
        let (code, text) = verified(&folder, "pets/toys.json", "rows.parquet");
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
    for (name, expected) in [
        ("twice.parquet", "the column `ID` is given twice"),
        ("julian.parquet", "its days are in Spark's old calendar"),
    ] {
        let (code, text) = of_toys(name);
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_damaged_file_is_told_and_never_panics() {
    let folder = folder();
    let fixtures = Fixtures::load([folder.path().join("pets/toys.json")]).unwrap();
    let fixture = fixtures.pairs().next().unwrap().1;
    let file = folder.path().join("rows.parquet");
    let read = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        catch_unwind(AssertUnwindSafe(|| Capture::read(&file, fixture.plan()))).expect("no panic comes out")
    };
    let (mut refused, mut differing) = (0, 0);
    for name in ["toys_gzip.parquet", "spark_toys/part-00001.snappy.parquet"] {
        let whole = fs::read(kept(name)).unwrap();
        assert!(read(&whole).is_ok());
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{name}, cut at {length}");
        }
        let mut damaged = whole.clone();
        for place in 0..whole.len() {
            damaged[place] ^= 1 << (place % 8);
            match read(&damaged) {
                Ok(capture) => differing += usize::from(!Verification::new(fixture, 1, capture).is_equal()),
                Err(_) => refused += 1,
            }
            damaged[place] = whole[place];
        }
    }
    // What nobody reads, such as statistics, may change: then the rows are those of the file all the same.
    assert!(100 < refused && 0 < differing, "{refused}, {differing}");
}

#[test]
fn a_schema_without_end_is_told() {
    for (name, expected) in [
        ("deep.parquet", "its columns are nested more than 192 deep"),
        ("wide.parquet", "its schema has more than 16384 groups and columns"),
    ] {
        let folder = folder();
        let whole = fs::read(kept("toys_none.parquet")).unwrap();
        fs::write(folder.path().join(name), with_schema(&whole, name == "deep.parquet")).unwrap();
        let (code, text) = verified(&folder, "pets/toys.json", name);
        assert_eq!(code, 1, "{name}: {text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// A file without rows whose schema is 16000 groups, each in the one before, or 20000 columns.
fn with_schema(whole: &[u8], is_deep: bool) -> Vec<u8> {
    // Seven bits a byte, the lowest first.
    let varint = |number: u64| {
        [number & 0x7f | 0x80, number >> 7 & 0x7f | 0x80, number >> 14].map(|bits| bits.to_le_bytes()[0])
    };
    // Fields 3 (how it repeats), 4 (name), 5 (children) of a group; 1 (type), 3 and 4 of a column.
    let group: &[u8] = &[0x35, 0, 0x18, 1, b'a', 0x15, 2, 0];
    let column: &[u8] = &[0x15, 2, 0x25, 0, 0x18, 1, b'a', 0];
    let (inner, outer) = if is_deep { (group.repeat(16_000), 1) } else { (column.repeat(20_000), 20_001) };
    let count = if is_deep { 16_002 } else { 20_002 };
    let root = [&[0x48, 1, b'r', 0x15][..], &varint(2 * outer), &[0]].concat();
    let schema = [&[0x15, 2, 0x19, 0xfc][..], &varint(count), &root, &inner, column].concat();
    // Field 3, no rows; field 4, no groups of rows.
    let footer = [&schema[..], &[0x16, 0, 0x19, 0x0c, 0]].concat();
    [&whole[..4], &footer, &u32::try_from(footer.len()).unwrap().to_le_bytes(), &whole[..4]].concat()
}
