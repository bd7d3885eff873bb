-- Rows of the view op in which a worker exceeds its job: the robust z, and the
-- excess as time per step. A worker without the row has the time 0. But if the
-- row belongs to a group of workers (see groups.sql), only these workers are
-- compared, and there must be at least {peers} of them. Rows that never take
-- {least} of the compute time cannot exceed the median by that much, so they
-- are not in the table "counting".
SELECT job, worker, row_id, mean, row_mid, excess, z
FROM (
    SELECT v.job AS job, v.worker AS worker, v.row_id AS row_id,
           v.mean AS mean, v.row_mid AS row_mid, v.mid AS mid,
           v.mean - v.row_mid AS excess,
           (v.mean - v.row_mid) /
               GREATEST(1.4826e0 * d.mad * (1e0 + 8e0 / v.peers),
                        0.001e0 * v.row_mid, 0.0001e0 * v.mid, v.error, v.drift,
                        1e-9)
               AS z
    FROM {deviations} v
    INNER JOIN (
        SELECT job, row_id, QUANTILE(off, 0.5) AS mad
        FROM {deviations} x
        GROUP BY job, row_id) d ON v.job = d.job AND v.row_id = d.row_id
    WHERE v.peers >= {peers}) j
WHERE z >= {z} AND excess >= {least} * mid
