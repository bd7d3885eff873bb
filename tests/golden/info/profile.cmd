tfprof info profile
