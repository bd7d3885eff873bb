-- The slowest worker of each job with and without the stragglers. In
-- synchronous training, its compute time limits the step.
SELECT job, COUNT(*) AS workers, SUM(named) AS named_n, MAX(mid) AS middle,
       MAX(compute) AS slowest,
       MAX(CASE WHEN named = 0 THEN compute END) AS slowest_without
FROM {stragglers} s
GROUP BY job
ORDER BY named_n DESC, job
