CREATE TABLE spark_catalog.default.t (
  b BOOLEAN,
  t TINYINT,
  s SMALLINT,
  i INT,
  l BIGINT COMMENT 'say "it", it\'s',
  f FLOAT,
  d DOUBLE,
  de DECIMAL(10,2),
  str STRING,
  bin BINARY,
  da DATE,
  ts TIMESTAMP,
  tn TIMESTAMP_NTZ,
  vc VARCHAR(10),
  c CHAR(3),
  st STRUCT<a: BIGINT COMMENT 'x,y', `odd name`: STRING>,
  ar ARRAY<STRUCT<x: INT>>,
  m MAP<STRING, INT>,
  `odd ``name` INT,
  part STRING)
USING parquet
PARTITIONED BY (part)
COMMENT 'tab'
TBLPROPERTIES (
  'k' = 'v')
