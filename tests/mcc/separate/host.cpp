// A file without device code.
int fromHost() { return 42; }
