-- The stragglers first, then the other workers; each group by largest z.
SELECT * FROM (
    SELECT s.*, GREATEST(z, row_z) AS largest FROM {stragglers} s) a
ORDER BY named DESC, largest DESC, job, worker
LIMIT {limit}
