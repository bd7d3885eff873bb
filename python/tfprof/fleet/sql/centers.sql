-- The medians of the measures of each job.
SELECT job, measure, QUANTILE(value, 0.5) AS mid, QUANTILE(rest, 0.5) AS mid_rest
FROM {measured} m
GROUP BY job, measure
