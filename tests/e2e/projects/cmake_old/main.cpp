#include <cstdio>

int squares();
void more();

int main() {
  more();
  std::printf("%d wrong\n", squares());
}
