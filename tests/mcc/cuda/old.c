static one(void) { return 1; }
static int two(char* text) { return text != 0; }
static int (*const pointer)(int*) = two;
int main() {
  char* number = 7;
  return later(number == 0) + one() - 1 + pointer(0);
}
int later(int x) { return x; }
