#include <cstdio>
int* filled();
void grown(int*);
void doubled(int*);
int main() {
  int* const p = filled();
  grown(p);
  doubled(p);
  std::printf("%d wrong\n", *p != 86);
}
