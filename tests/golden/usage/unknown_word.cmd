tfprof scope graph.pb -select micro
