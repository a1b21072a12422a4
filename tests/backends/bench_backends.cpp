// What the layer itself costs. Not a test: run it by hand on a quiet machine.
#include <benchmark/benchmark.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "cpu/core/backend.h"
#include "image/test_params.h"

namespace {

using namespace musashim::backend;

std::vector<std::byte> readFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

struct Machine {
  Machine() {
    cpu::Settings settings = cpu::readSettings([](const char*) -> const char* { return nullptr; });
    if (!cpu::CpuBackend::create(settings, backend).isOk()) abort();
    if (!backend->device(0).loadImage(readFile(TEST_IMAGE_310), image).isOk()) abort();
    queue = backend->device(0).createQueue(0);
  }
  KernelLaunch launch(const char* name, MusaDim3 grid = {1, 1, 1}, MusaDim3 block = {1, 1, 1}) {
    KernelLaunch command;
    if (!image->findKernel(name, command.kernel).isOk()) abort();
    command.grid = grid;
    command.block = block;
    return command;
  }
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Image> image;
  std::shared_ptr<Queue> queue;
};

Machine& machine() {
  static Machine* const made = new Machine;
  return *made;
}

void launchAndWait(benchmark::State& state) {
  Queue& queue = *machine().queue;
  KernelLaunch empty = machine().launch("empty");
  for (auto _ : state) {
    KernelLaunch command;
    command.kernel = empty.kernel;
    queue.wait(queue.submit(std::move(command), {}));
  }
}
BENCHMARK(launchAndWait);

void launchMultiBlockAndWait(benchmark::State& state) {
  Queue& queue = *machine().queue;
  KernelLaunch empty = machine().launch("empty");
  for (auto _ : state) {
    KernelLaunch command;
    command.kernel = empty.kernel;
    command.grid = {static_cast<uint32_t>(state.range(0)), 1, 1};
    queue.wait(queue.submit(std::move(command), {}));
  }
}
BENCHMARK(launchMultiBlockAndWait)->Arg(2)->Arg(64)->Arg(4096);

// Nanoseconds per iteration are for 1000 launches and one wait.
void thousandLaunches(benchmark::State& state) {
  Queue& queue = *machine().queue;
  KernelLaunch empty = machine().launch("empty");
  for (auto _ : state) {
    uint64_t last = 0;
    for (int i = 0; i < 1000; ++i) {
      KernelLaunch command;
      command.kernel = empty.kernel;
      last = queue.submit(std::move(command), {});
    }
    queue.wait(last);
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(thousandLaunches)->UseRealTime();

void submitOnly(benchmark::State& state) {
  Queue& queue = *machine().queue;
  uint64_t last = 0;
  for (auto _ : state) {
    last = queue.submit(Marker{}, {});
    if (last % 1024 == 0) {
      state.PauseTiming();
      queue.wait(last);
      state.ResumeTiming();
    }
  }
  queue.wait(last);
}
BENCHMARK(submitOnly);

void markerAndWait(benchmark::State& state) {
  Queue& queue = *machine().queue;
  for (auto _ : state) queue.wait(queue.submit(Marker{}, {}));
}
BENCHMARK(markerAndWait);

void timestampAndWait(benchmark::State& state) {
  Queue& queue = *machine().queue;
  auto slot = std::make_shared<std::atomic<int64_t>>(0);
  for (auto _ : state) queue.wait(queue.submit(Timestamp{slot}, {}));
}
BENCHMARK(timestampAndWait);

void fencedMarkerAndWait(benchmark::State& state) {
  auto first = machine().backend->device(0).createQueue(0),
       second = machine().backend->device(0).createQueue(0);
  std::vector<Fence> waits(1);
  for (auto _ : state) {
    waits[0] = {first, first->submit(Marker{}, {})};
    second->wait(second->submit(Marker{}, waits));
  }
}
BENCHMARK(fencedMarkerAndWait);

void copyAndWait(benchmark::State& state) {
  Queue& queue = *machine().queue;
  size_t bytes = static_cast<size_t>(state.range(0));
  void *from = nullptr, *to = nullptr;
  if (!machine().backend->device(0).allocate(bytes, &from).isOk()) abort();
  if (!machine().backend->device(0).allocate(bytes, &to).isOk()) abort();
  memset(from, 1, bytes);
  memset(to, 1, bytes);
  for (auto _ : state) queue.wait(queue.submit(Copy{to, from, bytes}, {}));
  state.SetBytesProcessed(state.iterations() * state.range(0));
  (void)machine().backend->device(0).release(from);
  (void)machine().backend->device(0).release(to);
}
BENCHMARK(copyAndWait)->Arg(4)->Arg(1 << 20)->Arg(4 << 20)->Arg(64 << 20)->UseRealTime();

void mallocAndFree(benchmark::State& state) {
  Device& device = machine().backend->device(0);
  for (auto _ : state) {
    void* pointer = nullptr;
    if (!device.allocate(static_cast<size_t>(state.range(0)), &pointer).isOk()) abort();
    if (!device.release(pointer).isOk()) abort();
  }
}
BENCHMARK(mallocAndFree)->Arg(256)->Arg(1 << 20)->Arg(64 << 20);

// Items are switches of fibers: threads x barriers.
void barriers(benchmark::State& state) {
  constexpr uint32_t kRounds = 100;
  uint32_t threads = static_cast<uint32_t>(state.range(0));
  void* out = nullptr;
  if (!machine().backend->device(0).allocate(64, &out).isOk()) abort();
  Queue& queue = *machine().queue;
  uint32_t perRound = 2;  // and one per halving
  for (uint32_t half = threads / 2; half > 0; half /= 2) ++perRound;
  for (auto _ : state) {
    KernelLaunch command = machine().launch("reduce", {1, 1, 1}, {threads, 1, 1});
    command.dynamicSharedBytes = threads * 8;
    OutParams params{static_cast<int64_t*>(out), kRounds};
    command.params = ParamBuffer(sizeof params);
    memcpy(command.params.data(), &params, sizeof params);
    queue.wait(queue.submit(std::move(command), {}));
  }
  state.SetItemsProcessed(state.iterations() * threads * kRounds * perRound);
  (void)machine().backend->device(0).release(out);
}
BENCHMARK(barriers)->Arg(32)->Arg(256)->Arg(1024);

void shuffles(benchmark::State& state) {
  constexpr uint32_t kRounds = 100;
  uint32_t threads = static_cast<uint32_t>(state.range(0));
  void* out = nullptr;
  if (!machine().backend->device(0).allocate(threads * 8, &out).isOk()) abort();
  Queue& queue = *machine().queue;
  for (auto _ : state) {
    KernelLaunch command = machine().launch("chain", {1, 1, 1}, {threads, 1, 1});
    OutParams params{static_cast<int64_t*>(out), kRounds};
    command.params = ParamBuffer(sizeof params);
    memcpy(command.params.data(), &params, sizeof params);
    queue.wait(queue.submit(std::move(command), {}));
  }
  state.SetItemsProcessed(state.iterations() * threads * kRounds);
  (void)machine().backend->device(0).release(out);
}
BENCHMARK(shuffles)->Arg(32)->Arg(256);

}  // namespace

BENCHMARK_MAIN();
