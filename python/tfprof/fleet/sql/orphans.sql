-- Workers that have rows without a header, or a header without rows.
SELECT job, worker, SUM(in_header) AS has_header
FROM (
    SELECT DISTINCT r.job AS job, r.worker AS worker, 1 AS in_rows,
           0 AS in_header
    FROM {rows} r
    UNION ALL
    SELECT DISTINCT h.job AS job, h.worker AS worker,
           CASE WHEN h.rows = 0 THEN 1 ELSE 0 END AS in_rows, 1 AS in_header
    FROM {header} h) x
GROUP BY job, worker
HAVING SUM(in_header) = 0 OR SUM(in_rows) = 0
