"""The seeds of the fuzz corpora; make_corpus.py writes them."""
