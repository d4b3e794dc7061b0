//! Text of days and points in time, read and written as Spark does, in UTC.

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// What a text of a point in time says.
pub(super) struct Moment {
    pub(super) civil: DateTime,
    /// The zone's offset, if the text names one.
    pub(super) offset: Option<Offset>,
}

impl Moment {
    /// The same point in time in UTC, which is also what a text without a zone is in.
    pub(super) fn in_utc(&self) -> Option<DateTime> {
        let offset = self.offset.unwrap_or(Offset::UTC).seconds();
        self.civil.checked_sub(SignedDuration::from_secs(offset.into())).ok()
    }
}

/// `2026`, `2026-8`, `2026-08-30`, the latter with anything behind a blank or a `T`.
pub(super) fn date(text: &str) -> Option<Date> {
    let mut scan = Scan(blanks_off(text).as_bytes());
    let (date, whole) = scan.date()?;
    (scan.0.is_empty() || whole && matches!(scan.0[0], b' ' | b'T')).then_some(date)
}

/// A day, then maybe a blank or a `T` and `10`, `10:00`, `10:00:00` or `10:00:00.123456`; behind seconds maybe
/// a zone: `Z`, `UTC`, `GMT`, `+02:00`, `UTC+2`. Names of regions would need a database of zones.
pub(super) fn moment(text: &str) -> Option<Moment> {
    let mut scan = Scan(blanks_off(text).as_bytes());
    let (date, whole) = scan.date()?;
    if scan.0.is_empty() {
        return Some(Moment { civil: date.to_datetime(Time::midnight()), offset: None });
    }
    if !whole || !(scan.take(b' ') || scan.take(b'T')) {
        return None;
    }
    let (time, to_the_second) = scan.time()?;
    let zone = std::str::from_utf8(scan.0).ok()?.trim_matches(' ');
    let offset = if zone.is_empty() { None } else { Some(offset(zone).filter(|_| to_the_second)?) };
    Some(Moment { civil: date.to_datetime(time), offset })
}

/// As Spark prints it: `2026-08-30 10:00:00`, the fraction without zeros at its end.
pub(super) fn shown(moment: DateTime) -> String {
    moment.to_string().replacen('T', " ", 1)
}

/// Text without the blanks and control characters around it, which is what casts of Spark ignore.
pub(super) fn blanks_off(text: &str) -> &str {
    text.trim_matches(|char: char| char <= ' ' || char == '\u{7f}')
}

fn offset(zone: &str) -> Option<Offset> {
    let named = ["UTC", "GMT", "UT"].iter().find_map(|name| zone.strip_prefix(name));
    if zone == "Z" || named == Some("") {
        return Some(Offset::UTC);
    }
    let mut scan = Scan(named.unwrap_or(zone).as_bytes());
    let negative = scan.take(b'-');
    if !negative && !scan.take(b'+') {
        return None;
    }
    let (hours, mut minutes, mut seconds);
    if let (4, Some(digits)) = (scan.0.len(), scan.digits(4, 4)) {
        (hours, minutes, seconds) = (digits / 100, digits % 100, 0);
    } else {
        (hours, minutes, seconds) = (scan.digits(1, 2)?, 0, 0);
        if scan.take(b':') {
            minutes = scan.digits(1, 2)?;
            if scan.take(b':') {
                seconds = scan.digits(1, 2)?;
            }
        }
    }
    let all = 3600 * hours + 60 * minutes + seconds;
    // No zone is more than 18 hours off.
    if !scan.0.is_empty() || 59 < minutes || 59 < seconds || 18 * 3600 < all {
        return None;
    }
    Offset::from_seconds(if negative { -all } else { all }).ok()
}

/// The bytes not yet read.
struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    /// The day, and whether all of it was given.
    fn date(&mut self) -> Option<(Date, bool)> {
        let negative = self.take(b'-');
        if !negative {
            self.take(b'+');
        }
        let year = self.digits(4, 7)?;
        let year = i16::try_from(if negative { -year } else { year }).ok()?;
        let (mut month, mut day, mut whole) = (1, 1, false);
        if self.take(b'-') {
            month = self.small()?;
            if self.take(b'-') {
                day = self.small()?;
                whole = true;
            }
        }
        Some((Date::new(year, month, day).ok()?, whole))
    }

    /// The time of day, and whether it has seconds.
    fn time(&mut self) -> Option<(Time, bool)> {
        let (hour, mut minute, mut second, mut nanosecond) = (self.small()?, 0, 0, 0);
        let mut to_the_second = false;
        if self.take(b':') {
            minute = self.small()?;
            if self.take(b':') {
                second = self.small()?;
                to_the_second = true;
                if self.take(b'.') {
                    nanosecond = self.fraction();
                }
            }
        }
        Some((Time::new(hour, minute, second, nanosecond).ok()?, to_the_second))
    }

    /// To the microsecond; what is behind it is cut off.
    fn fraction(&mut self) -> i32 {
        let (mut nanoseconds, mut unit) = (0, 100_000_000);
        while let [digit @ b'0'..=b'9', rest @ ..] = self.0 {
            if 1_000 <= unit {
                nanoseconds += i32::from(digit - b'0') * unit;
            }
            unit /= 10;
            self.0 = rest;
        }
        nanoseconds
    }

    fn small(&mut self) -> Option<i8> {
        i8::try_from(self.digits(1, 2)?).ok()
    }

    /// A number of so many digits, at least and at most.
    fn digits(&mut self, least: usize, most: usize) -> Option<i32> {
        let count = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count < least || most < count {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(digits.iter().fold(0, |number, digit| 10 * number + i32::from(digit - b'0')))
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.0.first() == Some(&byte);
        self.0 = &self.0[usize::from(found)..];
        found
    }
}
