// CUDA 13's forms of driver functions beside those of CUDA 12.
#include <musa.h>
#include <musa_runtime.h>

#include <cstdio>

static int failures = 0;
static void expect(MUresult have, MUresult want, const char* what) {
  if (have == want) return;
  std::printf("%s: %d\n", what, int(have));
  ++failures;
}

int main() {
  MUdevice device = 0;
  MUcontext first = nullptr, second = nullptr;
  expect(muInit(0), MUSA_SUCCESS, "muInit");
  expect(muDeviceGet(&device, 0), MUSA_SUCCESS, "muDeviceGet");
  expect(muCtxCreate(&first, 0, device), MUSA_SUCCESS, "muCtxCreate");
  expect(muCtxCreate(&second, nullptr, 0, device), MUSA_SUCCESS, "muCtxCreate without parameters");

  MUdeviceptr memory = 0;
  expect(muMemAllocManaged(&memory, 4096, MU_MEM_ATTACH_GLOBAL), MUSA_SUCCESS, "muMemAllocManaged");
  MUmemLocation place{};
  place.type = MU_MEM_LOCATION_TYPE_DEVICE;
  expect(muMemAdvise(memory, 4096, MU_MEM_ADVISE_SET_PREFERRED_LOCATION, place), MUSA_SUCCESS, "muMemAdvise");
  expect(muMemAdvise(memory, 4096, MU_MEM_ADVISE_SET_READ_MOSTLY, device), MUSA_SUCCESS,
         "muMemAdvise before");
  expect(muMemPrefetchAsync(memory, 4096, place, 0, nullptr), MUSA_SUCCESS, "muMemPrefetchAsync");
  expect(muMemPrefetchAsync(memory, 4096, device, nullptr), MUSA_SUCCESS, "muMemPrefetchAsync before");

  MUgraph graph = nullptr;
  MUgraphNode a = nullptr, b = nullptr, from = nullptr, to = nullptr;
  expect(muGraphCreate(&graph, 0), MUSA_SUCCESS, "muGraphCreate");
  expect(muGraphAddEmptyNode(&a, graph, nullptr, 0), MUSA_SUCCESS, "muGraphAddEmptyNode");
  expect(muGraphAddEmptyNode(&b, graph, nullptr, 0), MUSA_SUCCESS, "muGraphAddEmptyNode");
  expect(muGraphAddDependencies(graph, &a, &b, nullptr, 1), MUSA_SUCCESS, "muGraphAddDependencies");
  size_t edges = 1, before = 1, after = 1;
  MUgraphEdgeData data{};
  expect(muGraphGetEdges(graph, &from, &to, &data, &edges), MUSA_SUCCESS, "muGraphGetEdges");
  expect(muGraphNodeGetDependencies(b, &from, nullptr, &before), MUSA_SUCCESS, "muGraphNodeGetDependencies");
  expect(muGraphNodeGetDependentNodes(a, &to, nullptr, &after), MUSA_SUCCESS, "muGraphNodeGetDependentNodes");
  if (edges != 1 || before != 1 || after != 1 || from != a || to != b) ++failures;
  expect(muGraphRemoveDependencies(graph, &a, &b, nullptr, 1), MUSA_SUCCESS, "muGraphRemoveDependencies");
  expect(muGraphAddDependencies(graph, &b, &a, 1), MUSA_SUCCESS, "muGraphAddDependencies before");
  expect(muGraphDestroy(graph), MUSA_SUCCESS, "muGraphDestroy");

  const longlong4_32a wide = make_longlong4_32a(1, 2, 3, 4);
  const double4_16a numbers = make_double4_16a(1, 2, 3, 4);
  if (wide.w + numbers.w != 8) ++failures;
  expect(muCtxDestroy(second), MUSA_SUCCESS, "muCtxDestroy");
  expect(muCtxDestroy(first), MUSA_SUCCESS, "muCtxDestroy");
  if (failures == 0) std::puts("passed");
  return failures;
}
