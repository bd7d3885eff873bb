-- One row per worker: its steps, and why it is excluded ('' if it is not).
-- The graph of a header without a graph hash is '' and is not compared. If half
-- of the repeated steps have equal times, folders are copies: a few steps of
-- different runs can be equally long by chance.
SELECT u.job AS job, u.worker AS worker, u.steps_n AS steps_n,
       u.graph_id AS graph_id, u.graph_end AS graph_end, u.usual AS usual,
       t.typical AS typical, u.problem AS problem, u.damaged_n AS damaged_n,
       u.folders AS folders, COALESCE(k.same, 0) AS same_steps,
       u.schema_min AS schema_min, u.schema_max AS schema_max,
       CASE WHEN u.schema_max <> {schema} OR u.schema_min <> {schema} THEN 'other schema'
            WHEN u.damaged_n > 0 THEN 'damaged'
            WHEN COALESCE(o.has_header, 0) > 0 THEN 'incomplete'
            WHEN COALESCE(k.same, 0) > 0 AND 2 * k.same >= k.repeated
                 THEN 'written twice'
            WHEN u.graph_id <> u.graph_end OR
                 (u.graph_id <> '' AND u.graph_id <> u.usual)
                 THEN 'other graph'
            WHEN u.steps_n < {min_steps} OR
                 10 * u.steps_n < t.typical THEN 'too few steps'
            ELSE '' END AS reason
FROM (
    SELECT s.*,
           COALESCE(MIN(CASE WHEN same > 0 AND same = most THEN graph_id END)
                    OVER (PARTITION BY job), '') AS usual
    FROM (
        SELECT c.*, MAX(same) OVER (PARTITION BY job) AS most
        FROM (
            SELECT w.*, SUM(CASE WHEN graph_id <> '' THEN 1 ELSE 0 END)
                        OVER (PARTITION BY job, graph_id) AS same
            FROM {headers} w) c) s) u
INNER JOIN (
    SELECT job, QUANTILE(steps_n, 0.5) AS typical
    FROM {headers} x GROUP BY job) t ON u.job = t.job
LEFT JOIN {copies} k ON u.job = k.job AND u.worker = k.worker
LEFT JOIN {orphans} o ON u.job = o.job AND u.worker = o.worker
