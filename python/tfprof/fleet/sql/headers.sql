-- One row per worker, which merges the headers of its folders. If folders have
-- steps in the same range (overlap), "copies" looks for equal steps.
SELECT job, worker, SUM(steps) AS steps_n, SUM(damaged) AS damaged_n,
       COALESCE(MIN(CASE WHEN graph <> '' THEN graph END), '') AS graph_id,
       MAX(graph) AS graph_end, MAX(problems) AS problem,
       COUNT(*) AS folders, MIN(schema_1) AS schema_min,
       MAX(schema_1) AS schema_max,
       MAX(CASE WHEN place > 1 AND before >= first_step THEN 1 ELSE 0 END)
           AS overlap
FROM (
    SELECT h.job AS job, h.worker AS worker, h.steps AS steps,
           h.damaged AS damaged, h.graph AS graph, h.problems AS problems,
           h.schema AS schema_1, h.first_step AS first_step,
           ROW_NUMBER() OVER (PARTITION BY h.job, h.worker
                              ORDER BY h.first_step, h.last_step) AS place,
           MAX(h.last_step) OVER (
               PARTITION BY h.job, h.worker ORDER BY h.first_step, h.last_step
               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM {header} h) f
GROUP BY job, worker
