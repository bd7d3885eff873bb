tfprof advise graph.pb run_meta op_log -output file:outfile=advice && cat advice
