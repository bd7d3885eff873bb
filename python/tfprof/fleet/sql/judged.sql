-- The compute time per step of each worker, compared with its job: the excess
-- and the robust z. Rows of groups are left out of both.
SELECT v.job AS job, v.worker AS worker, v.steps_n AS steps_n,
       v.compute AS compute, v.collective AS collective, v.waiting AS waiting,
       v.mid AS mid, v.peers AS peers, d.mid_collective AS mid_collective,
       d.mid_waiting AS mid_waiting, v.common - v.mid_common AS excess,
       (v.common - v.mid_common) /
           GREATEST(1.4826e0 * d.mad * (1e0 + 8e0 / v.peers),
                    0.001e0 * v.mid, v.error, 1e-9) AS z
FROM (
    SELECT t.*, m.mid AS mid, m.mid_common AS mid_common, m.peers AS peers
    FROM {totals} t INNER JOIN {middle} m ON t.job = m.job) v
INNER JOIN (
    SELECT x.job AS job, QUANTILE(x_off, 0.5) AS mad,
           QUANTILE(collective, 0.5) AS mid_collective,
           QUANTILE(waiting, 0.5) AS mid_waiting
    FROM (
        SELECT t.job AS job, ABS(t.common - m.mid_common) AS x_off,
               t.collective AS collective, t.waiting AS waiting
        FROM {totals} t INNER JOIN {middle} m ON t.job = m.job) x
    GROUP BY x.job) d ON v.job = d.job
