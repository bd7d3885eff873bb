tfprof advise graph.pb run_meta -checkers ExpensiveOperationChecker
