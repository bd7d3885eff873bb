mkdir none && tfprof info none
