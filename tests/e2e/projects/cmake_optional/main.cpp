#include <cstdio>

int squares();

#ifdef WITH_CUDA
int main() { std::printf("%d wrong\n", squares()); }
#else
int main() { std::puts("no device"); }
#endif
