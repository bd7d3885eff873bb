-- Names of chosen rows, and quantiles of the means of the workers. The mean
-- of a worker is over the steps in which the row ran.
SELECT row_id, MIN(name_1) AS name, MIN(type_1) AS op_type,
       MIN(device_1) AS device, MIN(program_1) AS program, MIN(kind_1) AS kind, COUNT(*) AS workers,
       QUANTILE(mean, 0.1) AS low, QUANTILE(mean, 0.5) AS mid,
       QUANTILE(mean, 0.9) AS high, MAX(longest) AS longest
FROM (
    SELECT r.job AS job, r.worker AS worker, r.row AS row_id,
           MIN(r.name) AS name_1, MIN(r.op_type) AS type_1,
           MIN(r.device) AS device_1, MIN(r.program) AS program_1,
           MIN(r.kind) AS kind_1,
           MAX(r.max) AS longest,
           1e0 * SUM(r.sum) / NULLIF(SUM(r.count), 0) AS mean
    FROM {rows} r {only}
    WHERE r.row IN ({chosen})
    GROUP BY r.job, r.worker, r.row) m
GROUP BY row_id
