-- The named workers first, then the other workers; each group by largest z.
SELECT * FROM (
    SELECT s.*, GREATEST(slow, waits) AS named,
           GREATEST(z, row_z, input_z) AS largest
    FROM {stragglers} s) a
ORDER BY named DESC, largest DESC, job, worker
LIMIT {limit}
