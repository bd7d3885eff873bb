-- The medians of the times per step of each job.
SELECT t.job AS job, QUANTILE(compute, 0.5) AS mid,
       QUANTILE(collective, 0.5) AS mid_collective,
       QUANTILE(waiting, 0.5) AS mid_waiting, COUNT(*) AS peers
FROM (
    SELECT t.*, p.waiting AS waiting
    FROM {totals} t LEFT JOIN {paces} p
        ON t.job = p.job AND t.worker = p.worker) t
GROUP BY t.job
