tfprof info step_stats.pbtxt
