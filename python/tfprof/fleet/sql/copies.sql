-- Workers that have folders with steps in the same range: the number of steps
-- whose number occurs more than once (repeated), and of those that have equal
-- times each time (same). Times of -1 are unknown and are not compared.
SELECT job, worker, SUM(repeated_1) AS repeated, SUM(same_1) AS same
FROM (
    SELECT job, worker, step_id,
           CASE WHEN SUM(n) > 1 THEN 1 ELSE 0 END AS repeated_1,
           MAX(CASE WHEN n > 1 THEN 1 ELSE 0 END) AS same_1
    FROM (
        SELECT s.job AS job, s.worker AS worker, s.step AS step_id,
               s.wall_ns AS wall, s.device_ns AS device, s.busy_ns AS busy,
               s.input_wait_ns AS input_wait, COUNT(*) AS n
        FROM {steps} s
        INNER JOIN (SELECT job, worker FROM {headers} x
                    WHERE overlap = 1) h
            ON s.job = h.job AND s.worker = h.worker
        WHERE GREATEST(s.wall_ns, s.device_ns, s.busy_ns) >= 0
        GROUP BY s.job, s.worker, s.step, s.wall_ns, s.device_ns, s.busy_ns,
                 s.input_wait_ns) a
    GROUP BY job, worker, step_id) b
GROUP BY job, worker
