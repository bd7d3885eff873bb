-- Wall time of each job, over the steps whose wall time is known.
SELECT s.job AS job, SUM(s.wall_ns) AS wall, COUNT(*) AS n
FROM {steps} s {only_steps}
WHERE s.wall_ns >= 0 AND s.job IN ({jobs})
GROUP BY s.job
ORDER BY s.job
