-- Each measure of a worker, compared with its job: the excess and the robust
-- z, and the z without its largest step (rest_z). The standard error is that
-- of as many steps of the other workers.
SELECT v.job AS job, v.worker AS worker, v.measure AS measure,
       v.excess AS excess, v.excess / v.scale AS z,
       COALESCE(v.rest_excess, 0e0) / v.scale AS rest_z, v.peers AS peers
FROM (
    SELECT m.job AS job, m.worker AS worker, m.measure AS measure,
           m.value - d.mid AS excess, m.rest - d.mid_rest AS rest_excess,
           d.peers AS peers,
           GREATEST(
               1.4826e0 * d.mad * (1e0 + 8e0 / d.peers), 0.001e0,
               COALESCE(SQRT(GREATEST(0e0, d.spreads - m.spread) /
                        NULLIF(d.free - (m.n - 1), 0) / m.n), 0e0)) AS scale
    FROM {measured} m
    INNER JOIN (
        SELECT x.job AS job, x.measure AS measure, COUNT(*) AS peers,
               MAX(c.mid) AS mid, MAX(c.mid_rest) AS mid_rest,
               QUANTILE(x_off, 0.5) AS mad, SUM(spread) AS spreads,
               SUM(n) - COUNT(*) AS free
        FROM (
            SELECT y.*, ABS(y.value - e.mid) AS x_off
            FROM {measured} y INNER JOIN {centers} e
                ON y.job = e.job AND y.measure = e.measure) x
        INNER JOIN {centers} c ON x.job = c.job AND x.measure = c.measure
        GROUP BY x.job, x.measure) d
        ON m.job = d.job AND m.measure = d.measure) v
