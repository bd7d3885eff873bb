tfprof scope -select params
