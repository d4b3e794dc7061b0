//! How large the schema of a Parquet file is, before anything else reads it.

/// What a file of Parquet begins and ends with.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// How many groups and columns a schema may have: as many as a table may have columns, and their parts.
const ELEMENTS: u64 = 1 << 14;

/// How large the stack must be for a schema of that many groups, each inside the one before. The decoder takes a step down
/// for each, without a limit of its own.
pub(super) const STACK: usize = 256 << 20;

/// What is wrong with the schema's size, if anything is.
///
/// The footer stands before its length, in four bytes, and the last four. It begins with the version, then the schema, as a
/// list; in Thrift's compact protocol these are `15 version 19 header`.
pub(super) fn fault_of(bytes: &[u8]) -> Option<String> {
    let schema = || -> Option<u64> {
        let end = bytes.len().checked_sub(8)?;
        let length = u32::from_le_bytes(bytes.get(end..end + 4)?.try_into().ok()?);
        let footer = bytes.get(end.checked_sub(length.try_into().ok()?)?..end)?;
        let (_, rest) = number(footer.strip_prefix(&[0x15])?)?;
        let (header, rest) = rest.strip_prefix(&[0x19])?.split_first()?;
        let (size, kind) = (header >> 4, header & 0x0f);
        // A longer list has its size behind the header; of structs the kind is 12.
        let size = if size == 15 { number(rest)?.0 } else { size.into() };
        (kind == 12).then_some(size)
    };
    match schema() {
        Some(size) if size <= ELEMENTS => None,
        Some(_) => Some(format!("its schema has more than {ELEMENTS} groups and columns; expected fewer")),
        None => Some(
            "this Parquet can't be read: its footer doesn't begin with a schema; is it complete?".to_owned(),
        ),
    }
}

/// A number, seven bits a byte, the lowest first; and what follows it.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let length = bytes.iter().take(9).position(|byte| byte & 0x80 == 0)? + 1;
    let (digits, rest) = bytes.split_at(length);
    Some((digits.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f)), rest))
}
