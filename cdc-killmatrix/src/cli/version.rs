//! The version, and what the model was checked against. The test `version` counts it in the fixtures.

/// The version alone.
pub(super) const SHORT: &str = concat!("cdc-killmatrix ", env!("CARGO_PKG_VERSION"), "\n");

/// What the model was checked against.
pub(super) const LONG: &str = "\
Its model of AUTO CDC gives
  36 tables that were captured on Databricks: 18 configurations, twice each,
     on 2026-09-01 (https://github.com/ivanvyd/lakeflow-auto-cdc-torture-test)
  12 worked examples of the documentation, read in November 2026
  64 histories that were measured on Apache Spark 4.3.0, in November 2026
and what an independent oracle gives on random histories. Each is a fixture that
this program carries: cdc-killmatrix run corpus:databricks
Apache Spark 4.3.0 gave the same rows on 900 random histories, and the same
cells for 13 broken copies on 38 fixtures, on 2026-11-30. Neither was tried on
Databricks.
";
