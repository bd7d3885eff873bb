mkdir d && cp graph.pb run_meta d && echo hello > d/note && tfprof info d
