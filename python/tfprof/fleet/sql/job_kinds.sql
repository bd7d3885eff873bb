-- Time per job and kind of work, from view op.
SELECT r.job AS job, r.kind AS kind_name, SUM(r.self_sum) AS time_n
FROM {rows} r {only}
WHERE r.view = 'op' AND r.job IN ({jobs})
GROUP BY r.job, r.kind
ORDER BY r.job, r.kind
