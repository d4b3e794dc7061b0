//! What DESCRIBE prints.

use std::fs;

use crate::{fails, printed, reads};

#[test]
fn tabs_may_have_a_header_and_columns_before_the_name() {
    reads("col_name\tdata_type\tcomment\nid\tbigint\t\ncity\tstring\tNULL\n", "id BIGINT, city STRING");
    reads("\tcol_name\tdata_type\n0\tid\tbigint\n1\tcity\tstring\n", "id BIGINT, city STRING");
    reads(
        "id                  \tbigint              \t\ncity\tstring\nTime taken: 1 s",
        "id BIGINT, city STRING",
    );
}

#[test]
fn a_listing_ends_where_it_tells_other_things() {
    for end in [
        "# Partition Information\t\t",
        "# col_name\tdata_type\tcomment",
        "# Detailed Table Information\t\t",
        "# Clustering Information\t\t",
        "\t\t",
        "",
    ] {
        reads(&format!("id\tbigint\tNULL\n{end}\nCatalog\tmain\t"), "id BIGINT");
    }
    reads("col_name,data_type,comment\nid,bigint,null\n\"\",\"\",\"\"\nCatalog,main,\"\"", "id BIGINT");
}

#[test]
fn a_column_may_be_called_as_a_heading_starts() {
    reads(
        "id\tbigint\t\n# of rows\tint\t\n# Constraints\t\t\npk\tPRIMARY KEY\t",
        "id BIGINT, `# of rows` INT",
    );
}

#[test]
fn a_box_may_be_drawn_by_the_command_line_too() {
    reads(
        "+-----------+------------+----------+\n| col_name  | data_type  | comment  |\n\
         +-----------+------------+----------+\n| id        | bigint     | a | b    |\n\
         | city      | string     | NULL     |\n+-----------+------------+----------+\n",
        "id BIGINT, city STRING",
    );
}

#[test]
fn a_box_may_be_in_markdown() {
    reads(
        "| col_name | data_type | comment |\n| --- | --- | --- |\n| id | bigint | null |\n|  |  |  |\n| # Partition Information |  |  |\n| x | y | |",
        "id BIGINT",
    );
}

#[test]
fn a_box_of_rows_is_no_listing() {
    fails(
        "+--+----+\n|id|city|\n+--+----+\n|1 |Lyon|\n+--+----+",
        &["2:2: DESCRIBE: expected a box with the header `col_name`, `data_type`, as of `DESCRIBE`"],
    );
}

#[test]
fn quotes_inside_quotes_are_written_in_two_ways() {
    for quote in ["\"\"", "\\\""] {
        let text = format!(
            "col_name,data_type,comment\nid,\"decimal(10,2)\",\"say {quote}it{quote},\nor not\"\ncity,string,\n"
        );
        reads(&text, "id DECIMAL(10,2), city STRING");
    }
}

#[test]
fn what_is_cut_off_is_no_type() {
    let cut = "the line is cut off; expected all of it, as `show(1000, truncate=False)` prints it";
    let text = fs::read_to_string(printed("show_cut.txt")).unwrap();
    fails(
        &text,
        &[
            &format!("19:12: DESCRIBE: the type of `st`: {cut}"),
            "25:1: DESCRIBE: columns are left out: only showing top 20 rows; expected all, as in `show(1000, \
             truncate=False)`",
        ],
    );
    let text = "id\tint\ns\tstruct<a:int,... 30 more fields>\t";
    let message = "2:3: DESCRIBE: the type of `s`: fields are left out here; expected what `SHOW CREATE TABLE` or \
                   `df.schema.json()` prints";
    fails(text, &[message]);
}

#[test]
fn a_line_without_a_type_is_a_fault() {
    let behind = "the line says no type; expected the column's name,";
    fails("id\tbigint\ncity\n", &[&format!("2:1: DESCRIBE: {behind} a tab, its type")]);
    fails("col_name,data_type\ncity\n", &[&format!("2:1: DESCRIBE: {behind} a comma, its type")]);
    fails("|col_name|data_type|\n|id|int|\n|city||", &[&format!("3:2: DESCRIBE: {behind} `|`, its type")]);
    fails("col_name,data_type\n", &["1:1: DESCRIBE: there is no column here; expected at least one"]);
}
