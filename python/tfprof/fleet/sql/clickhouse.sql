-- The tables of `tfprof aggregate` in ClickHouse. Columns that the files of
-- earlier versions do not have are unknown. If queries need another label, add
-- its column to each table.
CREATE TABLE rows (
    job LowCardinality(String), worker String, row Int64,
    view LowCardinality(String), name String, op_type LowCardinality(String),
    device LowCardinality(String), program LowCardinality(String),
    depth Int64, kind LowCardinality(String), count Int64, sum Int64,
    self_sum Int64, squares_hi Int64, squares_lo Int64, min Int64, max Int64,
    runs Int64
) ENGINE = MergeTree ORDER BY (job, row, worker);

CREATE TABLE histogram (
    job LowCardinality(String), worker String, row Int64, bucket Int64,
    count Int64
) ENGINE = MergeTree ORDER BY (job, row, bucket);

CREATE TABLE steps (
    job LowCardinality(String), worker String, step Int64, wall_ns Int64,
    device_ns Int64, busy_ns Int64, input_wait_ns Int64,
    compute_ns Int64 DEFAULT -1, collective_ns Int64 DEFAULT -1
) ENGINE = MergeTree ORDER BY (job, step, worker);

CREATE TABLE header (
    job LowCardinality(String), worker String, schema Int64, graph String,
    tfprof LowCardinality(String), producer LowCardinality(String),
    machine String, steps Int64, first_step Int64, last_step Int64,
    rows Int64, dropped Int64, inputs Int64, damaged Int64, problems String
) ENGINE = MergeTree ORDER BY (job, worker);
