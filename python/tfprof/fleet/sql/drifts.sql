-- How heavy the steps of a worker are for all workers (relative), compared
-- with those of the others. The rows of a worker cannot be compared if some of
-- its steps cannot, or if it has a single step.
SELECT l.job AS job, l.worker AS worker, l.load_1 / m.mid_load AS relative,
       ABS(l.load_1 / m.mid_load - 1e0) AS drift
FROM (
    SELECT p.job AS job, p.worker AS worker, p.load / p.compared AS load_1
    FROM {paces} p
    INNER JOIN {workers} w ON p.job = w.job AND p.worker = w.worker
    WHERE p.compared = w.steps_n AND p.compared > 1 AND p.load > 0) l
INNER JOIN (
    SELECT job, QUANTILE(load_2, 0.5) AS mid_load
    FROM (SELECT p.job AS job, p.load / p.compared AS load_2
          FROM {paces} p WHERE p.load > 0) x
    GROUP BY job) m ON l.job = m.job
