/// The parameters of `create_auto_cdc_flow`, with their names and meaning.
///
/// Source: <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>. An empty list
/// counts as left out, as in Spark, except where an error says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// KEYS: the columns that identify a row.
    pub keys: Vec<String>,
    /// SEQUENCE BY: a column, or `struct(a, b)`, by which the events of a key are ordered.
    pub sequence_by: String,
    /// IGNORE NULL UPDATES: a null in an update keeps the stored value, in every column.
    pub ignore_null_updates: bool,
    /// IGNORE NULL UPDATES ON: only in these columns.
    pub ignore_null_updates_column_list: Option<Vec<String>>,
    /// IGNORE NULL UPDATES ON * EXCEPT: in all columns but these.
    pub ignore_null_updates_except_column_list: Option<Vec<String>>,
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
}

/// STORED AS SCD TYPE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScdType {
    /// One row a key: the newest.
    #[default]
    One,
    /// Every version of a key, each with `__START_AT` and `__END_AT`.
    Two,
}
