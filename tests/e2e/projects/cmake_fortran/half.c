int half_of(int x) { return x / 2; }
