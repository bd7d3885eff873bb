-- The rows in which stragglers exceed their job, by the excess.
SELECT d.job AS job, d.worker AS worker, d.row_id AS row_id, d.mean AS mean,
       d.row_mid AS row_mid, d.excess AS excess, d.z AS z
FROM {differing} d
INNER JOIN {stragglers} s ON d.job = s.job AND d.worker = s.worker
WHERE s.slow = 1
ORDER BY d.excess DESC, d.job, d.worker, d.row_id
LIMIT {limit}
