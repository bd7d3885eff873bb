-- The median compute time per step of each job, with and without the rows of
-- groups.
SELECT job, QUANTILE(compute, 0.5) AS mid, QUANTILE(common, 0.5) AS mid_common,
       COUNT(*) AS peers
FROM {totals} t
GROUP BY job
