echo hello > note; tfprof info note
