-- The compute rows of each job that take at least {least} of the median
-- compute time in some worker, and the number of workers that are compared.
SELECT g.job AS job, g.row_id AS row_id, m.mid AS mid, g.apart AS apart,
       CASE WHEN g.apart = 1 THEN g.having_n ELSE m.peers END AS peers
FROM {groups} g INNER JOIN {middle} m ON g.job = m.job
WHERE g.largest >= {least} * m.mid
