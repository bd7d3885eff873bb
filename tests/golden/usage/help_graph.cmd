tfprof graph --help
