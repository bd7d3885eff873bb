-- The slowest worker of each job with and without the named ones. In
-- synchronous training, its compute time and input wait limit the step. The
-- times are shares of the median of each step, so that workers with other
-- steps can be compared.
SELECT s.job AS job, COUNT(*) AS workers, SUM(s.slow) AS slow_n,
       SUM(s.waits) AS waits_n,
       SUM(GREATEST(s.slow, s.waits)) AS named_n, SUM(s.is_alone) AS alone_n,
       SUM(CASE WHEN s.slow_1 > s.slow OR s.waits_1 > s.waits THEN 1
                ELSE 0 END) AS group_n,
       MAX(m.step) AS middle, MAX(m.step * s.pace) AS slowest,
       MAX(CASE WHEN s.slow = 0 AND s.waits = 0 THEN m.step * s.pace END)
           AS slowest_without
FROM {stragglers} s
LEFT JOIN (SELECT job, AVG(mid_pace) AS step FROM {step_middles} x
           GROUP BY job) m ON s.job = m.job
GROUP BY s.job
ORDER BY named_n DESC, job
