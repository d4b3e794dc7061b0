use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use foldhash::fast::FixedState;
use sqlparser::dialect::DatabricksDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

/// How deeply types may be nested: far above any real table, far below the stack.
const MAX_DEPTH: usize = 64;

/// How many fields a struct, or columns a table, may have: far above any real one.
const MAX_FIELDS: usize = 4096;

/// A Spark SQL type. It is shown as it is declared, so that it can be read again.
///
/// ```
/// use cdc_core::DataType;
///
/// let point: DataType = "struct<x: int, y: decimal(10, 2)>".parse()?;
/// assert_eq!(point.to_string(), "STRUCT<x: INT, y: DECIMAL(10,2)>");
/// let named: DataType = "struct<`zip code`: int, `1`: map<string, struct<`a``b`: date>>>".parse()?;
/// assert_eq!(named.to_string(), "STRUCT<`zip code`: INT, `1`: MAP<STRING, STRUCT<`a``b`: DATE>>>");
/// assert_eq!(named.to_string().parse(), Ok(named));
/// # Ok::<(), cdc_core::ParseTypeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataType {
    /// True or false.
    Boolean,
    /// Whole numbers of 8 bits.
    TinyInt,
    /// Whole numbers of 16 bits.
    SmallInt,
    /// Whole numbers of 32 bits.
    Int,
    /// Whole numbers of 64 bits.
    BigInt,
    /// Floating point numbers of 32 bits.
    Float,
    /// Floating point numbers of 64 bits.
    Double,
    /// Exact numbers of up to 38 digits.
    Decimal {
        /// All digits, 1 to 38.
        precision: u8,
        /// The digits behind the point, 0 to `precision`.
        scale: u8,
    },
    /// Text.
    String,
    /// Bytes.
    Binary,
    /// A day.
    Date,
    /// A point in time, to the microsecond.
    Timestamp,
    /// A day and a time of day without a zone, to the microsecond.
    TimestampNtz,
    /// Named fields.
    Struct(Vec<Field>),
    /// A list.
    Array(Box<Self>),
    /// Pairs with unique keys.
    Map(Box<Self>, Box<Self>),
}

/// A named part of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, spelled as declared.
    pub name: String,
    /// The type.
    pub data_type: DataType,
}

impl DataType {
    /// Whether values of the type can be sorted; Spark sorts all but maps and what holds a map.
    pub fn is_orderable(&self) -> bool {
        match self {
            Self::Map(..) => false,
            Self::Array(element) => element.is_orderable(),
            Self::Struct(fields) => fields.iter().all(|field| field.data_type.is_orderable()),
            _ => true,
        }
    }

    /// The smallest and the greatest value of a type of whole numbers.
    pub fn int_bounds(&self) -> Option<(i64, i64)> {
        match self {
            Self::TinyInt => Some((i8::MIN.into(), i8::MAX.into())),
            Self::SmallInt => Some((i16::MIN.into(), i16::MAX.into())),
            Self::Int => Some((i32::MIN.into(), i32::MAX.into())),
            Self::BigInt => Some((i64::MIN, i64::MAX)),
            _ => None,
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean => f.write_str("BOOLEAN"),
            Self::TinyInt => f.write_str("TINYINT"),
            Self::SmallInt => f.write_str("SMALLINT"),
            Self::Int => f.write_str("INT"),
            Self::BigInt => f.write_str("BIGINT"),
            Self::Float => f.write_str("FLOAT"),
            Self::Double => f.write_str("DOUBLE"),
            Self::Decimal { precision, scale } => write!(f, "DECIMAL({precision},{scale})"),
            Self::String => f.write_str("STRING"),
            Self::Binary => f.write_str("BINARY"),
            Self::Date => f.write_str("DATE"),
            Self::Timestamp => f.write_str("TIMESTAMP"),
            Self::TimestampNtz => f.write_str("TIMESTAMP_NTZ"),
            Self::Array(element) => write!(f, "ARRAY<{element}>"),
            Self::Map(key, value) => write!(f, "MAP<{key}, {value}>"),
            Self::Struct(fields) => {
                f.write_str("STRUCT<")?;
                for (i, field) in fields.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    write!(f, "{}: {}", declared(&field.name), field.data_type)?;
                }
                f.write_str(">")
            }
        }
    }
}

/// The name of a field as a type declares it: in backticks where it would be read as something else without.
fn declared(name: &str) -> Cow<'_, str> {
    let is_plain = !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { Cow::Borrowed(name) } else { Cow::Owned(format!("`{}`", name.replace('`', "``"))) }
}

/// Why a text is no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTypeError(String);

impl fmt::Display for ParseTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseTypeError {}

impl FromStr for DataType {
    type Err = ParseTypeError;

    fn from_str(text: &str) -> Result<Self, ParseTypeError> {
        let mut types = TypeParser::new(text)?;
        let data_type = types.data_type(0)?;
        types.end()?;
        Ok(data_type)
    }
}

/// Reads types, and lists of columns, from a text's tokens.
pub(crate) struct TypeParser {
    tokens: Vec<Token>,
    at: usize,
}

impl TypeParser {
    pub(crate) fn new(text: &str) -> Result<Self, ParseTypeError> {
        let tokens = Tokenizer::new(&DatabricksDialect, text)
            .tokenize()
            .map_err(|error| ParseTypeError(error.to_string()))?;
        let mut parser = Self { tokens: Vec::new(), at: 0 };
        for token in tokens {
            match token {
                Token::Whitespace(_) => {}
                // `>>` closes two types.
                Token::ShiftRight => parser.tokens.extend([Token::Gt, Token::Gt]),
                // `<>` holds nothing, which is wrong; but it's no comparison.
                Token::Neq => parser.tokens.extend([Token::Lt, Token::Gt]),
                token => parser.tokens.push(token),
            }
        }
        Ok(parser)
    }

    /// `name type, name type`, with or without a colon between name and type.
    pub(crate) fn fields(&mut self, depth: usize) -> Result<Vec<Field>, ParseTypeError> {
        let mut fields: Vec<Field> = Vec::new();
        let mut names: HashSet<String, FixedState> = HashSet::default();
        loop {
            if fields.len() == MAX_FIELDS {
                return Err(ParseTypeError(format!(
                    "there are more than {MAX_FIELDS} fields; expected fewer"
                )));
            }
            let name = self.word("the name of a field")?;
            self.take(&Token::Colon);
            let data_type = self.data_type(depth)?;
            if !names.insert(folded(&name)) {
                return Err(ParseTypeError(format!("`{name}` is declared twice; names match without case")));
            }
            fields.push(Field { name, data_type });
            if !self.take(&Token::Comma) {
                return Ok(fields);
            }
        }
    }

    pub(crate) fn end(&self) -> Result<(), ParseTypeError> {
        match self.tokens.get(self.at) {
            None => Ok(()),
            Some(token) => Err(ParseTypeError(format!("unexpected `{token}` after the type"))),
        }
    }

    fn data_type(&mut self, depth: usize) -> Result<DataType, ParseTypeError> {
        if MAX_DEPTH < depth {
            return Err(ParseTypeError(format!("types are nested more than {MAX_DEPTH} deep")));
        }
        let name = self.word("a type")?;
        Ok(match name.to_ascii_uppercase().as_str() {
            "BOOLEAN" => DataType::Boolean,
            "TINYINT" | "BYTE" => DataType::TinyInt,
            "SMALLINT" | "SHORT" => DataType::SmallInt,
            "INT" | "INTEGER" => DataType::Int,
            "BIGINT" | "LONG" => DataType::BigInt,
            "FLOAT" | "REAL" => DataType::Float,
            "DOUBLE" => DataType::Double,
            "DECIMAL" | "DEC" | "NUMERIC" => self.decimal()?,
            "STRING" => DataType::String,
            "BINARY" => DataType::Binary,
            "DATE" => DataType::Date,
            "TIMESTAMP" | "TIMESTAMP_LTZ" => DataType::Timestamp,
            "TIMESTAMP_NTZ" => DataType::TimestampNtz,
            "STRUCT" => {
                self.expect(&Token::Lt)?;
                let fields = self.fields(depth + 1)?;
                self.expect(&Token::Gt)?;
                DataType::Struct(fields)
            }
            "ARRAY" => {
                self.expect(&Token::Lt)?;
                let element = self.data_type(depth + 1)?;
                self.expect(&Token::Gt)?;
                DataType::Array(Box::new(element))
            }
            "MAP" => {
                self.expect(&Token::Lt)?;
                let key = self.data_type(depth + 1)?;
                self.expect(&Token::Comma)?;
                let value = self.data_type(depth + 1)?;
                self.expect(&Token::Gt)?;
                DataType::Map(Box::new(key), Box::new(value))
            }
            _ => {
                return Err(ParseTypeError(format!(
                    "`{name}` is no type; expected one of BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, \
                     DECIMAL(p,s), STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, STRUCT<..>, ARRAY<..>, MAP<..>"
                )));
            }
        })
    }

    /// `(p)`, `(p, s)` or nothing, which means `(10, 0)`.
    fn decimal(&mut self) -> Result<DataType, ParseTypeError> {
        let (mut precision, mut scale) = (10, 0);
        if self.take(&Token::LParen) {
            precision = self.digits()?;
            if self.take(&Token::Comma) {
                scale = self.digits()?;
            }
            self.expect(&Token::RParen)?;
        }
        if precision == 0 || 38 < precision || precision < scale {
            let text = format!(
                "`DECIMAL({precision},{scale})`: expected 1 to 38 digits, no more of them behind the point"
            );
            return Err(ParseTypeError(text));
        }
        Ok(DataType::Decimal { precision, scale })
    }

    fn digits(&mut self) -> Result<u8, ParseTypeError> {
        let text = match self.next() {
            Some(Token::Number(digits, _)) => match digits.parse() {
                Ok(number) => return Ok(number),
                Err(_) => digits,
            },
            token => shown(token),
        };
        Err(ParseTypeError(format!("expected a number of digits, found `{text}`")))
    }

    fn word(&mut self, what: &str) -> Result<String, ParseTypeError> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word.value),
            token => Err(ParseTypeError(format!("expected {what}, found `{}`", shown(token)))),
        }
    }

    fn expect(&mut self, token: &Token) -> Result<(), ParseTypeError> {
        match self.next() {
            Some(found) if found == *token => Ok(()),
            found => Err(ParseTypeError(format!("expected `{token}`, found `{}`", shown(found)))),
        }
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.tokens.get(self.at) == Some(token);
        self.at += usize::from(found);
        found
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }
}

fn shown(token: Option<Token>) -> String {
    token.map_or("the end".to_owned(), |token| token.to_string())
}

/// A name without its case: names that agree in it mean the same column or field.
///
/// ```
/// assert_eq!(cdc_core::folded("City"), "city");
/// ```
pub fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).collect()
}

/// Whether two names agree without their case, as [`folded`] says, but without a copy of either.
pub(crate) fn same_name(left: &str, right: &str) -> bool {
    left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase))
}
