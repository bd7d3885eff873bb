-- The medians of the compute time, of the input wait, and of both together
-- (pace) of the workers that ran a step. A step that fewer than {step_peers}
-- workers ran is not compared.
SELECT job, step_id, QUANTILE(compute, 0.5) AS mid_compute,
       QUANTILE(waited, 0.5) AS mid_waited, QUANTILE(pace, 0.5) AS mid_pace
FROM (
    SELECT s.job AS job, s.step AS step_id, 1e0 * s.compute_ns AS compute,
           CASE WHEN s.input_wait_ns >= 0 THEN 1e0 * s.input_wait_ns END
               AS waited,
           1e0 * (s.compute_ns + GREATEST(s.input_wait_ns, 0)) AS pace
    FROM {steps} s {only_steps}
    WHERE s.compute_ns >= 0) a
GROUP BY job, step_id
HAVING COUNT(*) >= {step_peers}
