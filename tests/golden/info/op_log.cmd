tfprof info op_log op_log_inline
