// Begins with what leading_others.mu begins with, and more.
#include <string>
#include <vector>

__global__ void kernel() {}

int main() {
  std::vector<std::string> words(3);
  kernel<<<1, 1>>>();
  return static_cast<int>(words.size());
}
