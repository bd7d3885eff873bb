-- Time per step of each worker by kind. "apart" is the part of the compute
-- time in rows of groups, which other workers do not have.
SELECT job, worker, steps_1 AS steps_n, 1e0 * compute_1 / steps_1 AS compute,
       1e0 * apart_1 / steps_1 AS apart,
       1e0 * collective_1 / steps_1 AS collective
FROM (
    SELECT l.job AS job, l.worker AS worker, MAX(l.steps_n) AS steps_1,
           SUM(CASE WHEN l.kind_name = 'compute' THEN l.own ELSE 0 END)
               AS compute_1,
           SUM(CASE WHEN g.apart = 1 THEN l.own ELSE 0 END) AS apart_1,
           SUM(CASE WHEN l.kind_name = 'collective' THEN l.own ELSE 0 END)
               AS collective_1
    FROM {loads} l
    LEFT JOIN (SELECT job, row_id, apart FROM {groups} x WHERE apart = 1) g
        ON l.job = g.job AND l.row_id = g.row_id
    GROUP BY l.job, l.worker) t
