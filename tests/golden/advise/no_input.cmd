tfprof advise
