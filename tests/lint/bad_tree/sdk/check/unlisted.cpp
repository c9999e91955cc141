int Unlisted() { return 1; }
