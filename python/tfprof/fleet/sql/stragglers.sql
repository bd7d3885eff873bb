-- All workers, with the largest z of a row that exceeds its job, and whether
-- the worker is a straggler (named).
SELECT * FROM (
    SELECT j.*, COALESCE(n.row_z, 0e0) AS row_z,
           CASE WHEN COALESCE(n.rows_n, 0) > 0 OR
                     (j.z >= {z} AND j.excess >= {least} * j.mid AND
                      j.peers >= {peers}) THEN 1 ELSE 0 END AS named
    FROM {judged} j
    LEFT JOIN (
        SELECT job, worker, COUNT(*) AS rows_n, MAX(z) AS row_z
        FROM {differing} d GROUP BY job, worker) n
        ON j.job = n.job AND j.worker = n.worker) a
