tfprof advise -checkers ExpensiveOperationCheker graph.pb
