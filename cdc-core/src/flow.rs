use crate::data_type::DataType;

/// The parameters of `create_auto_cdc_flow`, with their names and meaning.
///
/// Source: <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>. An empty list
/// counts as left out, as in Spark, except where an error says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// KEYS: the columns that identify a row.
    pub keys: Vec<String>,
    /// SEQUENCE BY: a column, or `struct(a, b)`, by which the events of a key are ordered. Empty in a flow from
    /// snapshots, whose versions are the sequence.
    pub sequence_by: String,
    /// SYSTEM SEQUENCE BY: a column that says when an event became known. Of a bitemporal target only.
    pub system_sequence_by: Option<String>,
    /// IGNORE NULL UPDATES: a null in an update keeps the stored value, in every column.
    pub ignore_null_updates: bool,
    /// IGNORE NULL UPDATES ON: only in these columns.
    pub ignore_null_updates_column_list: Option<Vec<String>>,
    /// IGNORE NULL UPDATES ON * EXCEPT: in all columns but these.
    pub ignore_null_updates_except_column_list: Option<Vec<String>>,
    /// COLUMNS TO UPDATE: a column of the source of type `ARRAY<STRING>`, which says for each event which columns
    /// it writes.
    pub columns_to_update: Option<String>,
    /// APPLY AS DELETE WHEN: the condition under which an event is a delete.
    pub apply_as_deletes: Option<String>,
    /// APPLY AS TRUNCATE WHEN: the condition under which an event empties the table.
    pub apply_as_truncates: Option<String>,
    /// COLUMNS: the columns that reach the target.
    pub column_list: Option<Vec<String>>,
    /// COLUMNS * EXCEPT: all columns but these reach the target.
    pub except_column_list: Option<Vec<String>>,
    /// STORED AS: one row a key, or its history.
    pub stored_as_scd_type: ScdType,
    /// TRACK HISTORY ON: the columns in which a change opens a version.
    pub track_history_column_list: Option<Vec<String>>,
    /// TRACK HISTORY ON * EXCEPT: a change in all columns but these opens a version.
    pub track_history_except_column_list: Option<Vec<String>>,
    /// ONCE: the flow runs one time, and not again until a full refresh.
    pub once: bool,
    /// FROM SNAPSHOT: the source is a table as it stands, again and again; the type of its versions. These are the
    /// parameters of `create_auto_cdc_from_snapshot_flow`: keys, SCD type, tracked columns.
    pub from_snapshot: Option<DataType>,
    /// `pipelines.cdc.tombstoneGCThresholdInSeconds` of the target: how long a delete is remembered. Left out, it
    /// is [`Flow::TOMBSTONE_SECONDS`].
    pub tombstone_gc_threshold_seconds: Option<u64>,
    /// Whose rules hold where the vendors differ.
    pub dialect: Dialect,
}

impl Flow {
    /// How long a delete is remembered unless the target says otherwise: two days.
    ///
    /// Source: <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>.
    pub const TOMBSTONE_SECONDS: u64 = 172_800;

    /// How long a delete is remembered, in seconds.
    pub fn tombstone_seconds(&self) -> u64 {
        self.tombstone_gc_threshold_seconds.unwrap_or(Self::TOMBSTONE_SECONDS)
    }
}

/// STORED AS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScdType {
    /// SCD TYPE 1. One row a key: the newest.
    #[default]
    One,
    /// SCD TYPE 2. Every version of a key, each with `__START_AT` and `__END_AT`.
    Two,
    /// BITEMPORAL. Every version of a key as it was known at every time, each with `__SYSTEM_START_AT` and
    /// `__SYSTEM_END_AT` as well.
    Bitemporal,
}

impl ScdType {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::One => "SCD type 1",
            Self::Two => "SCD type 2",
            Self::Bitemporal => "BITEMPORAL",
        }
    }
}

/// A vendor's AUTO CDC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Databricks, as documented and captured in 2026.
    #[default]
    Databricks,
    /// Apache Spark 4.3, as released and measured.
    Spark43,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Databricks, Self::Spark43];

    /// The name in a fixture.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Databricks => "databricks",
            Self::Spark43 => "spark-4.3",
        }
    }
}
