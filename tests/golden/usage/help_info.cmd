tfprof help info
