//! A capture in CSV.

use cdc_core::Schema;
use jsonc_parser::common::Range as Place;

use super::capture::Capture;
use super::cells;
use super::gathered::{Gathered, Slot, too_many, twice};
use crate::diagnostic::Diagnostics;
use crate::fixture::Records;
use crate::json::{At, Reader, Source};
use crate::words::counted;

/// A CSV under a header.
pub(super) fn read(source: &Source, target: &Schema) -> Result<Capture, Diagnostics> {
    let mut reader = Reader::new(source);
    let mut gathered = Gathered::new(target);
    let mut records = Records::new(source.text(), ',');
    let mut slots: Option<Vec<Slot>> = None;
    for record in &mut records {
        let fields = match record {
            Ok(fields) => fields,
            Err((range, message)) => {
                reader.fault(At::File, &Place::new(range.start, range.end), message);
                break;
            }
        };
        let whole = Place::new(fields[0].range.start, fields[fields.len() - 1].range.end);
        let Some(slots) = &slots else {
            match gathered.header(fields.iter().map(|field| field.text.trim())) {
                Ok(found) => slots = Some(found),
                Err(name) => {
                    reader.fault(At::File, &whole, twice(&name));
                    break;
                }
            }
            continue;
        };
        if fields.len() != slots.len() {
            let found = counted(fields.len(), "field");
            let text = format!("the record has {found}; expected {}, as in the header", slots.len());
            reader.fault(At::File, &whole, text);
            continue;
        }
        if !gathered.has_room() {
            reader.fault(At::File, &whole, too_many());
            break;
        }
        let values = slots.iter().zip(&fields).filter_map(|(slot, field)| match *slot {
            Slot::Known(place) => Some((place, cells::of_field(source, field, &target[place]))),
            Slot::Other => None,
        });
        let values = values.collect();
        gathered.add(values);
    }
    gathered.finished(reader)
}
