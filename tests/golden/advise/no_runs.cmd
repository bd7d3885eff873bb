tfprof advise graph.pb op_log
