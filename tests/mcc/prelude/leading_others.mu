// Begins with one header, and uses what another has.
#include <string>

__global__ void kernel() {}

std::unordered_map<int, int> missing;
