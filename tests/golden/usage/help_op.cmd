tfprof op -h
