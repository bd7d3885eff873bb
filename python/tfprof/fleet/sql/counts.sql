-- The size of the fleet, and the number of excluded workers.
SELECT COUNT(DISTINCT job) AS jobs, COUNT(*) AS workers,
       COALESCE(SUM(steps_n), 0) AS steps,
       SUM(CASE WHEN reason <> '' THEN 1 ELSE 0 END) AS excluded,
       COUNT(DISTINCT CASE WHEN reason = '' AND graph_id <> ''
                           THEN graph_id END) AS graphs
FROM {workers} w
