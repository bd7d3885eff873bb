: > empty; tfprof info empty
