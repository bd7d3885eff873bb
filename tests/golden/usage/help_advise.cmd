tfprof advise -h
