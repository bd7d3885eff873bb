tfprof info op_log_lost
