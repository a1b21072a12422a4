#include <musa_occupancy.h>
int main() {
  int threads = 0, blocks = 0;
  return musaOccMaxPotentialOccupancyBlockSize(&blocks, &threads);
}
