// managedMemory: one pointer for host and devices. A list built by the host with
// its own pointers is walked by a kernel; a __managed__ counter is shared by all.
#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

struct Node {
  int value;
  Node* next;
};

__managed__ int visits = 0;
__managed__ long long sums[2] = {0, 0};

__global__ void walk(const Node* first) {
  long long sum = 0;
  int nodes = 0;
  for (const Node* node = first; node != nullptr; node = node->next) {
    sum += node->value;
    ++nodes;
  }
  sums[0] = sum;
  atomicAdd(&visits, nodes);
}

__global__ void squareAll(Node* nodes, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) nodes[i].value *= nodes[i].value;
}

int main(int argc, char** argv) {
  Options options(argc, argv, "Managed memory and managed variables.");
  const int count = static_cast<int>(options.size("--count", 1000, "nodes of the list"));
  options.finish();
  printDevice(0);

  Node* nodes = nullptr;
  CHECK(cudaMallocManaged(&nodes, static_cast<size_t>(count) * sizeof(Node)));
  long long plain = 0;
  long long squares = 0;
  for (int i = 0; i < count; ++i) {
    nodes[i].value = i % 300 - 50;
    nodes[i].next = i + 1 < count ? &nodes[i + 1] : nullptr;
    plain += nodes[i].value;
    squares += static_cast<long long>(nodes[i].value) * nodes[i].value;
  }

  walk<<<1, 1>>>(nodes);
  CHECK_LAUNCH();
  CHECK(cudaDeviceSynchronize());
  const bool plainRight = sums[0] == plain;
  printf("sum of the list:    %lld (%s)\n", sums[0], plainRight ? "ok" : "WRONG");

  sums[1] = sums[0];  // the host writes a managed variable
  squareAll<<<static_cast<unsigned>((count + 127) / 128), 128>>>(nodes, count);
  walk<<<1, 1>>>(nodes);
  CHECK_LAUNCH();
  CHECK(cudaDeviceSynchronize());
  const bool squaresRight = sums[0] == squares && sums[1] == plain;
  printf("sum of the squares: %lld (%s)\n", sums[0], squaresRight ? "ok" : "WRONG");
  printf("nodes visited:      %d\n", visits);

  CHECK(cudaFree(nodes));
  return verdict(plainRight && squaresRight && visits == 2 * count);
}
