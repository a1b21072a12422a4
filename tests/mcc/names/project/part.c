int part(void) { return 21; }
