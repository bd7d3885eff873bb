tfprof advise op_log
