-- Mean time per step of each worker and row of view op, in nanoseconds, and
-- the standard error of this mean from the sum of squares.
SELECT job, worker, row_id, kind_name, steps_n, own,
       1e0 * own / steps_n AS mean,
       SQRT(GREATEST(0e0, (4294967296e0 * hi + lo) / steps_n -
                          (1e0 * total / steps_n) * (1e0 * total / steps_n))
            / steps_n) AS error
FROM (
    SELECT r.job AS job, r.worker AS worker, r.row AS row_id,
           MIN(r.kind) AS kind_name, MAX(w.steps_n) AS steps_n,
           SUM(r.self_sum) AS own, SUM(r.sum) AS total,
           SUM(r.squares_hi) AS hi, SUM(r.squares_lo) AS lo
    FROM {rows} r
    INNER JOIN {workers} w ON r.job = w.job AND r.worker = w.worker
    WHERE r.view = 'op' AND w.reason = ''
    GROUP BY r.job, r.worker, r.row) s
