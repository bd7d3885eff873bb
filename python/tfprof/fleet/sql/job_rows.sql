-- Time per step of each row in each job, over all its workers and steps. The
-- self times (own) of all rows add up to the complete time of the view.
SELECT r.job AS job, r.row AS row_id, SUM(r.{time}) AS time_n,
       SUM(r.self_sum) AS own
FROM {rows} r {only}
WHERE r.view = '{view}' AND r.job IN ({jobs})
GROUP BY r.job, r.row
ORDER BY r.job, r.row
