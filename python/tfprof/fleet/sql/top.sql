-- The most expensive rows of each view. The self times of all rows of a view
-- add up to its complete time (whole). Of equal rows, the outer one is first.
SELECT view_name, row_id, ran, total, own, whole, place
FROM (
    SELECT t.*, SUM(own) OVER (PARTITION BY view_name) AS whole,
           ROW_NUMBER() OVER (PARTITION BY view_name
                              ORDER BY {order} DESC, depth_1, row_id) AS place
    FROM (
        SELECT r.row AS row_id, MIN(r.view) AS view_name,
               SUM(r.count) AS ran, SUM(r.sum) AS total,
               SUM(r.self_sum) AS own, MIN(r.depth) AS depth_1
        FROM {rows} r {only}
        GROUP BY r.row) t) p
WHERE place <= {top}
ORDER BY view_name, place
