-- The jobs that have at least one worker that is not excluded.
SELECT w.job AS job, SUM(w.steps_n) AS steps
FROM {workers} w
WHERE w.reason = ''
GROUP BY w.job
ORDER BY w.job
