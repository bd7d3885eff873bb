tfprof --version
