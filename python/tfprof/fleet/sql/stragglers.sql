-- All workers with the z of their measures and the largest z of a row that
-- exceeds its job. A worker that exceeds its job is named, unless it is one of
-- more than two and more than a tenth of the workers, which then are another
-- kind of worker.
SELECT b.*,
       CASE WHEN slow_all <= 2 OR 10 * slow_all <= workers_n
            THEN slow_1 ELSE 0 END AS slow,
       CASE WHEN waits_all <= 2 OR 10 * waits_all <= workers_n
            THEN waits_1 ELSE 0 END AS waits
FROM (
    SELECT a.*, SUM(slow_1) OVER (PARTITION BY job) AS slow_all,
           SUM(waits_1) OVER (PARTITION BY job) AS waits_all,
           COUNT(*) OVER (PARTITION BY job) AS workers_n
    FROM (
        SELECT t.job AS job, t.worker AS worker, t.steps_n AS steps_n,
               t.compute AS compute, t.collective AS collective,
               m.mid AS mid, m.mid_collective AS mid_collective,
               m.mid_waiting AS mid_waiting, p.waiting AS waiting,
               p.pace AS pace, COALESCE(c.excess, 0e0) AS excess,
               COALESCE(c.z, 0e0) AS z, COALESCE(i.excess, 0e0) AS input_excess,
               COALESCE(i.z, 0e0) AS input_z, COALESCE(n.row_z, 0e0) AS row_z,
               CASE WHEN COALESCE(c.peers, 0) = 0 THEN 1 ELSE 0 END
                   AS is_alone,
               CASE WHEN COALESCE(n.row_z, 0e0) > 0 OR
                         (c.z >= {z} AND c.rest_z >= {z} AND
                          c.excess >= {least} AND c.peers >= {peers})
                    THEN 1 ELSE 0 END AS slow_1,
               CASE WHEN i.z >= {z} AND i.rest_z >= {z} AND
                         i.excess >= {least} AND i.peers >= {peers}
                    THEN 1 ELSE 0 END AS waits_1
        FROM {totals} t
        INNER JOIN {middle} m ON t.job = m.job
        LEFT JOIN {paces} p ON t.job = p.job AND t.worker = p.worker
        LEFT JOIN (SELECT * FROM {judged} x WHERE measure = 'compute') c
            ON t.job = c.job AND t.worker = c.worker
        LEFT JOIN (SELECT * FROM {judged} x WHERE measure = 'input') i
            ON t.job = i.job AND t.worker = i.worker
        LEFT JOIN (
            SELECT job, worker, MAX(z) AS row_z
            FROM {differing} d GROUP BY job, worker) n
            ON t.job = n.job AND t.worker = n.worker) a) b
