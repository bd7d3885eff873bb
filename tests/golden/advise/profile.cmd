tfprof advise profile
