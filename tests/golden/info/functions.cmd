tfprof info functions.pb
