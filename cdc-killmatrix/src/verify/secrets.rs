//! Whether a text may be a secret, which evidence must not hold.

use serde_json::Value as Json;

/// Words that stand beside secrets.
const WORDS: [&str; 11] = [
    "password",
    "passwd",
    "secret",
    "token",
    "credential",
    "private_key",
    "private-key",
    "api_key",
    "apikey",
    "access_key",
    "account.key",
];

/// What secrets begin with, and how many letters and digits follow at least.
const STARTS: [(&str, usize); 9] = [
    ("dapi", 8),
    ("dose", 24),
    ("dkea", 24),
    ("AKIA", 12),
    ("ghp_", 16),
    ("github_pat_", 16),
    ("xoxb-", 8),
    ("eyJ", 16),
    ("-----BEGIN", 0),
];

/// Whether a text names a secret, or has the form of one.
///
/// ```
/// use cdc_killmatrix::verify::secrets;
///
/// assert!(secrets::is_named("spark.hadoop.fs.azure.account.key.example"));
/// assert!(secrets::is_named("password=horse"));
/// assert!(!secrets::is_named("pipelines.tombstoneGCThresholdInSeconds"));
/// assert!(secrets::is_one("the key dapi0123456789abcdef"));
/// assert!(!secrets::is_one("a service principal"));
/// ```
pub fn is_named(text: &str) -> bool {
    let lower = text.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word)) || lower.contains("bearer ") || is_one(text)
}

/// Whether a part of a text has the form of a secret, such as a Databricks token or a private key.
pub fn is_one(text: &str) -> bool {
    STARTS.iter().any(|&(start, letters)| {
        text.match_indices(start).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let is_inside = before.is_some_and(char::is_alphanumeric);
            let rest = &text[at + start.len()..];
            let follow = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').count();
            !is_inside && letters <= follow
        })
    })
}

/// Where JSON names a secret in a member or a text, as `spark_conf.token`.
pub fn named_in(json: &Json) -> Option<String> {
    place(json, &is_named)
}

/// Where a text of JSON has the form of a secret.
pub fn one_in(json: &Json) -> Option<String> {
    place(json, &is_one)
}

fn place(json: &Json, is_secret: &dyn Fn(&str) -> bool) -> Option<String> {
    let below = |name: &str, json: &Json| {
        place(json, is_secret).map(|inside| format!("{name}.{inside}").trim_end_matches('.').to_owned())
    };
    match json {
        Json::String(text) => is_secret(text).then(String::new),
        Json::Array(list) => list.iter().enumerate().find_map(|(i, json)| below(&i.to_string(), json)),
        Json::Object(members) => members
            .iter()
            .find_map(|(name, json)| if is_secret(name) { Some(name.clone()) } else { below(name, json) }),
        _ => None,
    }
}
