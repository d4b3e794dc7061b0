//! The chunks of a statement's result: the first stands in its answer, each other one in an answer of its own.

use jsonc_parser::ast::Object;
use jsonc_parser::common::Range as Place;

use crate::json::{At, Json, Reader};
use crate::words::{counted, listed};

/// A chunk of a result.
pub(super) struct Chunk<'j, 't> {
    /// Which of the answers has it.
    pub(super) answer: usize,
    pub(super) rows: &'j [Json<'t>],
    number: usize,
}

/// The chunks in the order of their rows, if all of them are here, each once.
///
/// `results` are the objects with the rows, the first being that of the statement's own answer.
pub(super) fn ordered<'j, 't>(
    readers: &mut [Reader<'_>],
    statement: &Object<'_>,
    manifest: &Object<'_>,
    results: &[Option<&'j Object<'t>>],
) -> Option<Vec<Chunk<'j, 't>>> {
    let known = readers.iter().map(|reader| reader.faults.count()).sum::<usize>();
    let id = statement.get_string("statement_id").map(|id| &*id.value);
    let count = number(manifest, "total_chunk_count").unwrap_or(1).max(1);
    let mut chunks: Vec<Chunk<'j, 't>> = Vec::new();
    let mut is_more_told = false;
    for (answer, (reader, result)) in readers.iter_mut().zip(results).enumerate() {
        let start = result.map_or_else(|| start(manifest), start);
        let chunk = result.and_then(|result| number(result, "chunk_index"));
        let Some(chunk) = chunk.or((answer == 0).then_some(0)) else {
            let text =
                "there is no `chunk_index`; expected the answer with a chunk of the result, as it came";
            reader.fault(At::File, &start, text);
            continue;
        };
        let rows = match result.map(|result| rows(reader, result, start)) {
            Some(Some(rows)) => rows,
            Some(None) => continue,
            None => &[],
        };
        let other = result.and_then(|result| other_statement(result, id?));
        if let Some(text) = other.or_else(|| misplaced(manifest, *result, chunk, rows.len(), count)) {
            reader.fault(At::File, &start, text);
            continue;
        }
        if chunks.iter().any(|known| known.number == chunk) {
            reader.fault(At::File, &start, format!("the chunk {chunk} is given twice; expected each once"));
        }
        let next = result.and_then(|result| result.get("next_chunk_index"));
        is_more_told |= next.is_some_and(|next| number_of(&next.value).is_some_and(|next| count <= next));
        chunks.push(Chunk { answer, rows, number: chunk });
    }
    chunks.sort_by_key(|chunk| chunk.number);
    if readers.iter().map(|reader| reader.faults.count()).sum::<usize>() != known {
        return None;
    }
    let fault = incomplete(manifest, results, &chunks, if is_more_told { count + 1 } else { count });
    if let Some(text) = fault {
        readers[0].fault(At::File, &start(manifest), text);
        return None;
    }
    Some(chunks)
}

/// What is missing of a result, if anything is.
fn incomplete(
    manifest: &Object<'_>,
    results: &[Option<&Object<'_>>],
    chunks: &[Chunk<'_, '_>],
    count: usize,
) -> Option<String> {
    let missing = (0..count).filter(|number| chunks.iter().all(|chunk| chunk.number != *number));
    // A damaged count may be any number.
    let missing: Vec<String> = missing.take(chunks.len() + 8).map(|number| number.to_string()).collect();
    if !missing.is_empty() {
        let s = if missing.len() == 1 { "" } else { "s" };
        let here = if chunks.len() == 1 { "one is".to_owned() } else { format!("{} are", chunks.len()) };
        return Some(format!(
            "the result has {count} chunks, and {here} here; expected all of them, each with its own `--rows`: what \
             `GET /api/2.0/sql/statements/ID/result/chunks/N` answers for the chunk{s} {}",
            listed(&missing)
        ));
    }
    let mut before = 0;
    for chunk in chunks {
        let offset = results[chunk.answer].and_then(|result| number(result, "row_offset"));
        if let Some(offset) = offset.filter(|offset| *offset != before) {
            return Some(format!(
                "the chunk {} begins at row {offset}, and {} come before it; expected as many",
                chunk.number,
                counted(before, "row")
            ));
        }
        before += chunk.rows.len();
    }
    let found = counted(before, "row");
    match number(manifest, "total_row_count") {
        Some(total) if total == before => None,
        Some(total) => Some(format!("{found} of {total} are here; expected all of them")),
        None => Some(format!("there is no `total_row_count`, so that nothing tells whether {found} is all")),
    }
}

/// Why an answer is none of this statement's, by the link to its next chunk.
fn other_statement(result: &Object<'_>, id: &str) -> Option<String> {
    let link = result.get_string("next_chunk_internal_link")?;
    let (_, rest) = link.value.split_once("/statements/")?;
    let other = rest.split('/').next().unwrap_or_default();
    (other != id).then(|| format!("this is a chunk of the statement {other}; expected one of {id}"))
}

/// Why a chunk isn't the one of its number, by what it says of itself and what the manifest says of it.
fn misplaced(
    manifest: &Object<'_>,
    result: Option<&Object<'_>>,
    chunk: usize,
    rows: usize,
    count: usize,
) -> Option<String> {
    if count <= chunk {
        return Some(format!("this is the chunk {chunk}; expected one of those from 0 to {}", count - 1));
    }
    let listed = manifest.get_array("chunks").map(|list| &list.elements[..]).unwrap_or_default();
    let listed = listed.iter().filter_map(Json::as_object);
    let listed = listed.filter(|said| number(said, "chunk_index") == Some(chunk));
    let said = result
        .into_iter()
        .chain(listed)
        .find_map(|said| number(said, "row_count").filter(|said| *said != rows));
    said.map(|said| format!("{} of {said} are here; expected all of the chunk {chunk}", counted(rows, "row")))
}

/// The rows of a chunk. Without any, the answer may leave the list out.
fn rows<'j, 't>(reader: &mut Reader<'_>, result: &'j Object<'t>, start: Place) -> Option<&'j [Json<'t>]> {
    if result.get("external_links").is_some() {
        let text =
            "the rows lie behind `external_links`; expected them here, as the disposition INLINE gives them";
        reader.fault(At::File, &start, text);
        return None;
    }
    match result.get("data_array") {
        Some(member) => Some(&reader.list(At::File, member)?.elements[..]),
        None => Some(&[]),
    }
}

fn number(object: &Object<'_>, name: &str) -> Option<usize> {
    number_of(&object.get(name)?.value)
}

fn number_of(json: &Json<'_>) -> Option<usize> {
    if let Json::NumberLit(number) = json { number.value.parse().ok() } else { None }
}

/// Where an object begins.
pub(super) fn start(object: &Object<'_>) -> Place {
    Place::new(object.range.start, object.range.start + 1)
}
