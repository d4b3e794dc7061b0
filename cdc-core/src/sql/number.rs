//! Numbers out of text and into text, as Spark reads and prints them.

use std::str::FromStr;

use bigdecimal::{BigDecimal, RoundingMode};

use super::moment::blanks_off;

/// Decimals have at most this many digits.
pub(super) const MAX_DIGITS: u8 = 38;

/// A whole number: a sign and digits.
pub(super) fn int(text: &str) -> Option<i64> {
    blanks_off(text).parse().ok()
}

/// A floating point number, as Java reads it: a `d` or `f` may stand at its end.
pub(super) fn floating<N: FromStr>(text: &str) -> Option<N> {
    let text = blanks_off(text);
    if matches!(text, "+NaN" | "-NaN") {
        return "nan".parse().ok();
    }
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => return "inf".parse().ok(),
        "-inf" | "-infinity" => return "-inf".parse().ok(),
        "nan" => return "nan".parse().ok(),
        _ => {}
    }
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    Numeral::parse(digits)?;
    digits.parse().ok()
}

/// An exact number, with or without exponent: `Err` if it is none, `Ok(None)` if it has too many digits.
pub(super) fn decimal(text: &str) -> Result<Option<BigDecimal>, ()> {
    let text = blanks_off(text);
    let numeral = Numeral::parse(text).ok_or(())?;
    // An exponent is worked off into digits: a great one must not become a gigabyte of zeros.
    if numeral.top < -1_000 {
        return Ok(Some(BigDecimal::from(0)));
    }
    if i64::from(MAX_DIGITS) < numeral.top {
        return Ok(None);
    }
    BigDecimal::from_str(text).map(Some).map_err(|_| ())
}

/// The number with this many digits behind the point, if it has no more than `precision` digits then.
pub(super) fn fitted(number: &BigDecimal, precision: u8, scale: u8) -> Option<BigDecimal> {
    let rounded = number.with_scale_round(scale.into(), RoundingMode::HalfUp);
    (rounded.digits() <= precision.into()).then_some(rounded)
}

/// As Java prints a double or, with its own shortest digits, a float.
pub(super) fn shown<N: std::fmt::Debug + std::fmt::UpperExp>(number: &N, size: f64) -> String {
    if size.is_nan() {
        return "NaN".into();
    }
    if size.is_infinite() {
        return if size < 0.0 { "-Infinity" } else { "Infinity" }.into();
    }
    if size == 0.0 || (1e-3..1e7).contains(&size.abs()) {
        return format!("{number:?}");
    }
    let text = format!("{number:E}");
    if text.contains('.') { text } else { text.replacen('E', ".0E", 1) }
}

/// The shape of a numeral: a sign, digits with or without a point, and an exponent.
struct Numeral {
    /// How many digits stand before the point, once the exponent is worked off.
    top: i64,
}

impl Numeral {
    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut all = whole.bytes().chain(fraction.bytes());
        if digits.len() <= usize::from(digits.contains('.')) || !all.all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let zeros = whole.bytes().chain(fraction.bytes()).take_while(|byte| *byte == b'0').count();
        let top = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()?;
        Some(Self { top: top.saturating_add(exponent) })
    }
}
