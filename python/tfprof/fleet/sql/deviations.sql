-- How far the mean of each worker and row is from the median of its job. The
-- standard error is at least the typical one of the job: that of a few steps
-- can be small by chance.
SELECT g.job AS job, g.worker AS worker, g.row_id AS row_id, g.mean AS mean,
       GREATEST(g.error, m.typical) AS error, m.row_mid AS row_mid, g.mid AS mid, g.peers AS peers,
       g.drift * GREATEST(g.mean, m.row_mid) AS drift,
       ABS(g.mean - m.row_mid) AS off
FROM {grid} g
INNER JOIN (
    SELECT job, row_id, QUANTILE(mean, 0.5) AS row_mid,
           SQRT(AVG(error * error)) AS typical
    FROM {grid} x
    GROUP BY job, row_id) m ON g.job = m.job AND g.row_id = m.row_id
