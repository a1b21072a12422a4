// A file without device code. To it a kernel is a function, which does nothing when it is called.
void addToCounter(int by);
int fromHost() {
  addToCounter(1);
  return 42;
}
