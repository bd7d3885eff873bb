-- Sums over the compared steps of each worker. "c" is its compute time divided
-- by the median of the step, "i" its input wait above the median, divided by
-- the median pace, and "p" its pace divided by the median pace. "load" is the
-- sum of the median compute times of its steps.
SELECT job, worker, COUNT(*) AS compared, COUNT(c) AS c_n, SUM(c) AS c_sum,
       SUM(c * c) AS c_squares, MAX(c) AS c_most, COUNT(i) AS i_n,
       SUM(i) AS i_sum, SUM(i * i) AS i_squares, MAX(i) AS i_most,
       AVG(waited) AS waiting, AVG(p) AS pace, SUM(mid_compute) AS load
FROM (
    SELECT s.job AS job, s.worker AS worker, m.mid_compute AS mid_compute,
           s.compute_ns / NULLIF(m.mid_compute, 0e0) AS c,
           CASE WHEN s.input_wait_ns >= 0 THEN 1e0 * s.input_wait_ns END
               AS waited,
           CASE WHEN s.input_wait_ns >= 0
                THEN (s.input_wait_ns - m.mid_waited) /
                     NULLIF(m.mid_pace, 0e0) END AS i,
           (s.compute_ns + GREATEST(s.input_wait_ns, 0)) /
               NULLIF(m.mid_pace, 0e0) AS p
    FROM {steps} s {only_steps}
    INNER JOIN {step_middles} m ON s.job = m.job AND s.step = m.step_id
    WHERE s.compute_ns >= 0) a
GROUP BY job, worker
