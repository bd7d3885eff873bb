-- The compute rows of each job: the number of workers that have the row, its
-- largest mean, and whether the row belongs to a group of workers with another
-- role (apart). This is true of a row that fewer than half of the workers
-- have, but more than a tenth of them and at least two.
SELECT l.job AS job, l.row_id AS row_id, COUNT(*) AS having_n,
       MAX(l.mean) AS largest,
       CASE WHEN COUNT(*) >= 2 AND 2 * COUNT(*) < MAX(p.workers_n) AND
                 10 * COUNT(*) > MAX(p.workers_n) THEN 1 ELSE 0 END AS apart
FROM {loads} l
INNER JOIN (
    SELECT job, COUNT(*) AS workers_n
    FROM (SELECT DISTINCT job, worker FROM {loads} x) d
    GROUP BY job) p ON l.job = p.job
WHERE l.kind_name = 'compute'
GROUP BY l.job, l.row_id
