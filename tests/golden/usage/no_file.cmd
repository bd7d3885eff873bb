tfprof info
