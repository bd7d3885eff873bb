-- The names of chosen rows.
SELECT r.row AS row_id, MIN(r.name) AS name, MIN(r.device) AS device,
       MIN(r.program) AS program,
       MIN(r.kind) AS kind, MIN(r.op_type) AS op_type
FROM {rows} r
WHERE r.row IN ({chosen})
GROUP BY r.row
