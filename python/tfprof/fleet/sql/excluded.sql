-- The excluded workers, with the figures that explain the reason.
SELECT job, worker, reason, steps_n, typical, graph_id, graph_end, usual,
       damaged_n, folders, same_steps, problem, schema_min, schema_max,
       {min_steps} AS least_steps
FROM {workers} w WHERE reason <> ''
ORDER BY reason, job, worker
