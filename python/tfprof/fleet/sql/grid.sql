-- One row for each worker and each row of its job in "counting": its mean, as
-- if all workers had run equally heavy steps. A worker that does not have the
-- row gets the mean 0. If the row belongs to a group (apart), only the workers
-- of the group are compared.
SELECT a.job AS job, a.worker AS worker, row_id,
       SUM(mean_1) / MAX(d.relative) AS mean, SUM(error_1) AS error,
       MAX(mid_1) AS mid, MAX(peers_1) AS peers, MAX(d.drift) AS drift
FROM (
    SELECT l.job AS job, l.worker AS worker, l.row_id AS row_id,
           l.mean AS mean_1, l.error AS error_1, c.mid AS mid_1,
           c.peers AS peers_1
    FROM {loads} l
    INNER JOIN {counting} c ON l.job = c.job AND l.row_id = c.row_id
    UNION ALL
    SELECT t.job AS job, t.worker AS worker, c.row_id AS row_id,
           0e0 AS mean_1, 0e0 AS error_1, c.mid AS mid_1, c.peers AS peers_1
    FROM {totals} t INNER JOIN {counting} c ON t.job = c.job
    WHERE c.apart = 0) a
INNER JOIN {drifts} d ON a.job = d.job AND a.worker = d.worker
GROUP BY a.job, a.worker, row_id
