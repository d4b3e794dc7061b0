//! Literals of text and of numbers.

use ordered_float::OrderedFloat;

use super::number::MAX_DIGITS;
use crate::data_type::DataType;
use crate::value::Value;

/// The platform's error class, and what is wrong.
pub(super) type Unfit = (&'static str, String);

/// The text between quotes, with escapes as Spark reads them: `\%` and `\_` keep their backslash for `LIKE`.
pub(super) fn text(raw: &str, quote: char) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        if char == quote {
            // Inside a literal, a quote stands twice.
            rest = rest.strip_prefix(quote).unwrap_or(rest);
            text.push(char);
        } else if char == '\\' {
            rest = escape(rest, &mut text);
        } else {
            text.push(char);
        }
    }
    text
}

/// Reads what is behind a backslash, and returns what is behind that.
fn escape<'a>(rest: &'a str, text: &mut String) -> &'a str {
    if let Some((char, rest)) = by_number(rest) {
        text.push(char);
        return rest;
    }
    let Some(char) = rest.chars().next() else {
        return rest;
    };
    match char {
        '0' => text.push('\0'),
        'b' => text.push('\u{8}'),
        'n' => text.push('\n'),
        'r' => text.push('\r'),
        't' => text.push('\t'),
        'Z' => text.push('\u{1a}'),
        '%' | '_' => text.extend(['\\', char]),
        other => text.push(other),
    }
    &rest[char.len_utf8()..]
}

/// `u0041`, `U00000041` or, in octal, `101`.
fn by_number(rest: &str) -> Option<(char, &str)> {
    let read = |rest: &str, from: usize, digits: usize, radix: u32| -> Option<u32> {
        let digits = rest.get(from..from + digits)?;
        let all = digits.chars().all(|char| char.is_digit(radix));
        all.then(|| u32::from_str_radix(digits, radix).ok())?
    };
    match rest.as_bytes().first()? {
        b'u' => {
            let unit = read(rest, 1, 4, 16)?;
            // Two halves of one character.
            if (0xd800..0xdc00).contains(&unit) && rest.get(5..7) == Some("\\u") {
                let low = read(rest, 7, 4, 16).filter(|low| (0xdc00..0xe000).contains(low));
                if let Some(low) = low {
                    let whole = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    return Some((character(whole), &rest[11..]));
                }
            }
            Some((character(unit), &rest[5..]))
        }
        b'U' => Some((character(read(rest, 1, 8, 16)?), &rest[9..])),
        b'0' | b'1' => Some((character(read(rest, 0, 3, 8)?), &rest[3..])),
        _ => None,
    }
}

/// Java writes half a character as a question mark.
fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or('?')
}

/// A literal of a number, maybe with a letter for its type at its end; `None` if the word is something else.
pub(super) fn number(word: &str, negative: bool) -> Option<Result<(Value, DataType), Unfit>> {
    let lower = word.to_ascii_lowercase();
    let (digits, suffix) = ["bd", "y", "s", "l", "d", "f"]
        .into_iter()
        .find_map(|suffix| Some((lower.strip_suffix(suffix)?, suffix)))
        .unwrap_or((lower.as_str(), ""));
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((digits, "0"));
    let whole = mantissa.bytes().all(|byte| byte.is_ascii_digit()) && digits == mantissa;
    let figures = mantissa.bytes().filter(u8::is_ascii_digit).count();
    let points = mantissa.bytes().filter(|byte| *byte == b'.').count();
    if figures == 0 || figures + points != mantissa.len() || 1 < points || exponent.parse::<i64>().is_err() {
        return None;
    }
    let signed = format!("{}{digits}", if negative { "-" } else { "" });
    match suffix {
        "y" => whole.then(|| bounded(&signed, DataType::TinyInt)),
        "s" => whole.then(|| bounded(&signed, DataType::SmallInt)),
        "l" => whole.then(|| bounded(&signed, DataType::BigInt)),
        "f" => Some(float(&signed)),
        "bd" => Some(decimal(&signed)),
        "" if whole => Some(
            bounded(&signed, DataType::Int)
                .or_else(|_| bounded(&signed, DataType::BigInt))
                .or_else(|_| decimal(&signed)),
        ),
        "" if digits == mantissa => Some(decimal(&signed)),
        _ => Some(double(&signed)),
    }
}

fn bounded(digits: &str, data_type: DataType) -> Result<(Value, DataType), Unfit> {
    let bounds = data_type.int_bounds().unwrap_or((i64::MIN, i64::MAX));
    match digits.parse() {
        Ok(number) if (bounds.0..=bounds.1).contains(&number) => Ok((Value::Int(number), data_type)),
        _ => Err(out_of_range(digits, &data_type)),
    }
}

fn float(digits: &str) -> Result<(Value, DataType), Unfit> {
    match digits.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok((Value::Float(OrderedFloat(number)), DataType::Float)),
        _ => Err(out_of_range(digits, &DataType::Float)),
    }
}

fn double(digits: &str) -> Result<(Value, DataType), Unfit> {
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((Value::from(number), DataType::Double)),
        _ => Err(out_of_range(digits, &DataType::Double)),
    }
}

fn decimal(digits: &str) -> Result<(Value, DataType), Unfit> {
    let unfit = || {
        let message = format!("`{digits}` has too many digits for a DECIMAL; expected at most {MAX_DIGITS}");
        ("DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", message)
    };
    let number = super::number::decimal(digits).ok().flatten().ok_or_else(unfit)?;
    // A great exponent stands for zeros before the point.
    let number = if number.fractional_digit_count() < 0 { number.with_scale(0) } else { number };
    let scale = u8::try_from(number.fractional_digit_count()).map_err(|_| unfit())?;
    let precision = u8::try_from(number.digits()).map_err(|_| unfit())?.max(scale);
    if MAX_DIGITS < precision {
        return Err(unfit());
    }
    Ok((Value::from(number), DataType::Decimal { precision, scale }))
}

fn out_of_range(digits: &str, data_type: &DataType) -> Unfit {
    ("INVALID_NUMERIC_LITERAL_RANGE", format!("`{digits}` does not fit into {data_type}"))
}
