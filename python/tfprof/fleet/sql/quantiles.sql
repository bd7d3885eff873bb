-- Quantiles of chosen rows from their histograms. Row 0 is the wall time of
-- the step. Bucket -1 represents 0; bucket k represents
-- 2 * gamma^k / (gamma + 1).
SELECT row_id, n,
       CASE WHEN b50 < 0 THEN 0e0 ELSE
           2e0 * POWER(1.01e0 / 0.99e0, b50) / (1.01e0 / 0.99e0 + 1e0)
           END AS p50,
       CASE WHEN b90 < 0 THEN 0e0 ELSE
           2e0 * POWER(1.01e0 / 0.99e0, b90) / (1.01e0 / 0.99e0 + 1e0)
           END AS p90,
       CASE WHEN b99 < 0 THEN 0e0 ELSE
           2e0 * POWER(1.01e0 / 0.99e0, b99) / (1.01e0 / 0.99e0 + 1e0)
           END AS p99,
       CASE WHEN b100 < 0 THEN 0e0 ELSE
           2e0 * POWER(1.01e0 / 0.99e0, b100) / (1.01e0 / 0.99e0 + 1e0)
           END AS longest
FROM (
    SELECT row_id, MAX(total) AS n,
           MIN(CASE WHEN 100 * below >= 50 * total THEN bucket_id END) AS b50,
           MIN(CASE WHEN 100 * below >= 90 * total THEN bucket_id END) AS b90,
           MIN(CASE WHEN 100 * below >= 99 * total THEN bucket_id END) AS b99,
           MAX(bucket_id) AS b100
    FROM (
        SELECT row_id, bucket_id,
               SUM(n) OVER (PARTITION BY row_id ORDER BY bucket_id) AS below,
               SUM(n) OVER (PARTITION BY row_id) AS total
        FROM (
            SELECT h.row AS row_id, h.bucket AS bucket_id, SUM(h.count) AS n
            FROM {histogram} h {only_histogram}
            WHERE h.row IN ({chosen})
            GROUP BY h.row, h.bucket) c) d
    GROUP BY row_id) q
ORDER BY row_id
