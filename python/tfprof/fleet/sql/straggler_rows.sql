-- The rows in which stragglers exceed their job, by the excess.
SELECT job, worker, row_id, mean, row_mid, excess, z
FROM {differing} d
ORDER BY excess DESC, job, worker, row_id
LIMIT {limit}
