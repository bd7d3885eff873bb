-- How far the mean of each worker and row is from the median of its job.
SELECT g.job AS job, g.worker AS worker, g.row_id AS row_id, g.mean AS mean,
       g.error AS error, m.row_mid AS row_mid, g.mid AS mid, g.peers AS peers,
       ABS(g.mean - m.row_mid) AS off
FROM {grid} g
INNER JOIN (
    SELECT job, row_id, QUANTILE(mean, 0.5) AS row_mid
    FROM {grid} x
    GROUP BY job, row_id) m ON g.job = m.job AND g.row_id = m.row_id
