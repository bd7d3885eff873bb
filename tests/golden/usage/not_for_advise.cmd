tfprof advise -select micros graph.pb
