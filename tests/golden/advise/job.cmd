tfprof advise graph.pb -checkers JobChecker
