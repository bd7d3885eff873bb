-- The number of workers that have folders with steps in the same range.
SELECT COUNT(*) AS n FROM {headers} h WHERE overlap = 1
