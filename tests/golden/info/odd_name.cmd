cp graph.pb $'a\x1b[2Jb\nc' && tfprof info $'a\x1b[2Jb\nc'
