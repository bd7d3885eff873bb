-- The two measures of each worker: the mean over its compared steps (value),
-- the mean without its largest step (rest), and the sum of squared deviations
-- from the mean (spread). Rows of groups are left out of the compute time.
SELECT job, worker, measure, n, total / n - apart AS value,
       (total - most) / NULLIF(n - 1, 0) - apart AS rest,
       GREATEST(0e0, squares - total * total / n) AS spread
FROM (
    SELECT p.job AS job, p.worker AS worker, 'compute' AS measure, p.c_n AS n,
           p.c_sum AS total, p.c_squares AS squares, p.c_most AS most,
           t.apart * p.c_n / p.load AS apart
    FROM {paces} p INNER JOIN {totals} t
        ON p.job = t.job AND p.worker = t.worker
    WHERE p.c_n > 0
    UNION ALL
    SELECT p.job AS job, p.worker AS worker, 'input' AS measure, p.i_n AS n,
           p.i_sum AS total, p.i_squares AS squares, p.i_most AS most,
           0e0 AS apart
    FROM {paces} p
    WHERE p.i_n > 0) a
