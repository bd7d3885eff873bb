tfprof scope graph.pb -order_by qqq
