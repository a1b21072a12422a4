#include "mccl/perf/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "mccl/perf/pattern.h"

namespace musashim::perf {
namespace {

using Clock = std::chrono::steady_clock;

void must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "mccl-tests: %s failed: %s\n", what, mcclGetLastError(nullptr));
  std::_Exit(2);
}

#define MUST(call) must((call) == mcclSuccess, #call)
#define MUST_MUSA(call) must((call) == musaSuccess, #call)

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

}  // namespace

Run::Run(const Options& options, const Collective& collective, Processes& processes)
    : options_(options),
      collective_(collective),
      processes_(processes),
      local_(options.threads * options.devices),
      ranks_(local_ * processes.size()) {}

template <class Body>
void Run::onThreads(Body&& body) {
  std::vector<std::thread> threads;
  for (int thread = 1; thread < options_.threads; ++thread)
    threads.emplace_back([&, thread] { body(thread); });
  body(0);
  for (std::thread& one : threads) one.join();
}

void Run::openRanks(int thread) {
  MUST(mcclGroupStart());
  for (int i = 0; i < options_.devices; ++i) {
    Rank& rank = here_[static_cast<size_t>(thread * options_.devices + i)];
    MUST_MUSA(musaSetDevice(rank.device));
    MUST(mcclCommInitRank(&rank.comm, ranks_, id_, rank.rank));
  }
  MUST(mcclGroupEnd());
}

void Run::open(Table& table) {
  int devices = 0;
  MUST_MUSA(musaGetDeviceCount(&devices));
  must(local_ * processes_.sizeHere() <= devices || std::getenv("MCCL_TESTS_DEVICE"),
       "there are not enough devices; that");
  if (processes_.rank() == 0) MUST(mcclGetUniqueId(&id_));
  processes_.broadcast(&id_, sizeof id_);
  // Buffers hold the largest size, and what a rank gets of each.
  bufferBytes_ = options_.maxBytes + 16 * static_cast<size_t>(ranks_);
  std::string lines;
  char host[64] = "";
  gethostname(host, sizeof host - 1);
  here_.resize(static_cast<size_t>(local_));
  for (int i = 0; i < local_; ++i) {
    Rank& rank = here_[static_cast<size_t>(i)];
    rank.rank = processes_.rank() * local_ + i;
    rank.device = (processes_.rankHere() * local_ + i) % devices;
    MUST_MUSA(musaSetDevice(rank.device));
    musaDeviceProp properties;
    MUST_MUSA(musaGetDeviceProperties(&properties, rank.device));
    lines += fmt::format("#  Rank {:2} Group {:2} Pid {:6} on {:>10} device {:2} [{:04x}:{:02x}:{:02x}] {}\n",
                         rank.rank, 0, getpid(), host, rank.device, properties.pciDomainID,
                         properties.pciBusID, properties.pciDeviceID, properties.name);
    if (!options_.nullStream) MUST_MUSA(musaStreamCreateWithFlags(&rank.stream, musaStreamNonBlocking));
    void *send = nullptr, *recv = nullptr;
    MUST(mcclMemAlloc(&send, bufferBytes_));
    MUST(mcclMemAlloc(&recv, bufferBytes_));
    rank.send = static_cast<char*>(send);
    rank.recv = static_cast<char*>(recv);
  }
  // Of all ranks, as long as those of any process.
  lines.resize(static_cast<size_t>(processes_.combine(static_cast<double>(lines.size())).largest));
  table.devices(processes_.gather(lines.data(), lines.size()));
  if (options_.parallelInit || options_.threads == 1) {
    onThreads([&](int thread) { openRanks(thread); });
  } else {
    MUST(mcclGroupStart());
    for (Rank& rank : here_) {
      MUST_MUSA(musaSetDevice(rank.device));
      MUST(mcclCommInitRank(&rank.comm, ranks_, id_, rank.rank));
    }
    MUST(mcclGroupEnd());
  }
  for (Rank& rank : here_) {
    if (options_.registration != 1) continue;
    MUST(mcclCommRegister(rank.comm, rank.send, bufferBytes_, &rank.handles[0]));
    MUST(mcclCommRegister(rank.comm, rank.recv, bufferBytes_, &rank.handles[1]));
  }
  if (options_.registration == 2) {
    std::vector<std::array<mcclWindow_t, 2>> windows(here_.size());  // there at the group's end
    MUST(mcclGroupStart());
    for (size_t i = 0; i < here_.size(); ++i) {
      const Rank& rank = here_[i];
      MUST(mcclCommWindowRegister(rank.comm, rank.send, bufferBytes_, &windows[i][0],
                                  MCCL_WIN_COLL_SYMMETRIC));
      MUST(mcclCommWindowRegister(rank.comm, rank.recv, bufferBytes_, &windows[i][1],
                                  MCCL_WIN_COLL_SYMMETRIC));
    }
    MUST(mcclGroupEnd());
    for (size_t i = 0; i < here_.size(); ++i) std::ranges::copy(windows[i], here_[i].handles);
  }
}

void Run::close() {
  for (Rank& rank : here_) {
    MUST_MUSA(musaSetDevice(rank.device));
    for (void* handle : rank.handles) {
      if (options_.registration == 1) MUST(mcclCommDeregister(rank.comm, handle));
      if (options_.registration == 2) {
        MUST(mcclCommWindowDeregister(rank.comm, static_cast<mcclWindow_t>(handle)));
      }
    }
    MUST(mcclCommDestroy(rank.comm));
    MUST(mcclMemFree(rank.send));
    MUST(mcclMemFree(rank.recv));
    if (rank.stream) MUST_MUSA(musaStreamDestroy(rank.stream));
  }
}

Call Run::callOf(const Rank& rank, const Case& one, mcclRedOp_t op) const {
  const size_t size = sizeOf(one.type);
  const auto index = static_cast<size_t>(rank.rank);
  // In place all lies in the larger of the two buffers: that of the receiver, or the sender's.
  char* base = one.counts.send > one.counts.recv ? rank.send : rank.recv;
  const char* send = one.inPlace ? base + one.counts.sendInPlace * index * size : rank.send;
  char* recv = one.inPlace ? base + one.counts.recvInPlace * index * size : rank.recv;
  return {send, recv, one.counts.call, one.type, op, one.root, rank.rank, ranks_, rank.comm, rank.stream};
}

void Run::callOnce(int thread, const Case& one, const std::vector<mcclRedOp_t>& operations) {
  // The hypercube's exchanges must end one after the other: each is a group of its own.
  MUST(mcclGroupStart());
  for (int repeat = 0; repeat < options_.aggregate; ++repeat) {
    for (int i = 0; i < options_.devices; ++i) {
      const size_t index = static_cast<size_t>(thread * options_.devices + i);
      MUST_MUSA(musaSetDevice(here_[index].device));
      MUST(collective_.run(callOf(here_[index], one, operations[index])));
    }
  }
  MUST(mcclGroupEnd());
}

void Run::synchronize(int thread) {
  for (int i = 0; i < options_.devices; ++i) {
    const Rank& rank = here_[static_cast<size_t>(thread * options_.devices + i)];
    MUST_MUSA(musaSetDevice(rank.device));
    MUST_MUSA(musaStreamSynchronize(rank.stream));
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(rank.comm, &state));
    must(state == mcclSuccess, "the communicator");
  }
}

// Microseconds a call.
double Run::timeThread(int thread, const Case& one, const std::vector<mcclRedOp_t>& operations,
                       std::barrier<>& barrier) {
  for (int i = 0; i < options_.warmup; ++i) callOnce(thread, one, operations);
  synchronize(thread);
  const size_t first = static_cast<size_t>(thread * options_.devices);
  std::vector<musaGraphExec_t> programs(static_cast<size_t>(options_.devices));
  const int launches = std::max(options_.graphs, 1);
  if (options_.graphs > 0) {
    for (int i = 0; i < options_.devices; ++i) {
      MUST_MUSA(musaSetDevice(here_[first + i].device));
      MUST_MUSA(musaStreamBeginCapture(here_[first + i].stream, musaStreamCaptureModeThreadLocal));
    }
    for (int i = 0; i < options_.iterations; ++i) callOnce(thread, one, operations);
    for (int i = 0; i < options_.devices; ++i) {
      musaGraph_t graph = nullptr;
      MUST_MUSA(musaSetDevice(here_[first + i].device));
      MUST_MUSA(musaStreamEndCapture(here_[first + i].stream, &graph));
      MUST_MUSA(musaGraphInstantiate(&programs[i], graph, 0));
      MUST_MUSA(musaGraphDestroy(graph));
    }
  }
  barrier.arrive_and_wait();
  if (thread == 0) processes_.barrier();
  barrier.arrive_and_wait();
  const auto start = Clock::now();
  if (options_.graphs > 0) {
    for (int launch = 0; launch < launches; ++launch) {
      for (int i = 0; i < options_.devices; ++i) {
        MUST_MUSA(musaSetDevice(here_[first + i].device));
        MUST_MUSA(musaGraphLaunch(programs[i], here_[first + i].stream));
      }
    }
  } else {
    for (int i = 0; i < options_.iterations; ++i) {
      callOnce(thread, one, operations);
      if (options_.blocking) synchronize(thread);
    }
  }
  const double calls = microsecondsSince(start);
  synchronize(thread);
  const double work = microsecondsSince(start);
  for (musaGraphExec_t program : programs) {
    if (program) MUST_MUSA(musaGraphExecDestroy(program));
  }
  return (options_.cpuTime ? calls : work) / std::max(1, options_.iterations * options_.aggregate * launches);
}

void Run::fill(const Case& one, int round) {
  const size_t size = sizeOf(one.type);
  for (Rank& rank : here_) {
    MUST_MUSA(musaSetDevice(rank.device));
    MUST_MUSA(musaMemset(rank.send, 0, bufferBytes_));
    MUST_MUSA(musaMemset(rank.recv, 0, bufferBytes_));
    const Call call = callOf(rank, one, one.operation.op);
    const std::vector<char> data = encode(one.type, one.counts.send, [&](size_t index) {
      return element(rank.rank, index, round, one.operation, ranks_);
    });
    MUST_MUSA(musaMemcpy(const_cast<char*>(call.send), data.data(), one.counts.send * size,
                         musaMemcpyHostToDevice));
  }
}

// Elements that are wrong.
int64_t Run::check(const Case& one, int round) {
  int64_t wrong = 0;
  const bool isFloat = one.type >= mcclFloat16;
  const bool isSmallSum = one.type >= mcclFloat8e4m3 && one.operation.op == mcclSum && collective_.reduces;
  const bool isRounded = isFloat && collective_.reduces && (one.operation.op == mcclAvg || isSmallSum);
  for (const Rank& rank : here_) {
    if (!collective_.receives(rank.rank, one.root)) continue;
    MUST_MUSA(musaSetDevice(rank.device));
    const Call call = callOf(rank, one, one.operation.op);
    std::vector<char> got(one.counts.recv * sizeOf(one.type));
    MUST_MUSA(musaMemcpy(got.data(), call.recv, got.size(), musaMemcpyDeviceToHost));
    const auto expected = [&](size_t index) -> double {
      int from = 0;
      size_t at = 0;
      collective_.source(index, one.counts.call, rank.rank, one.root, ranks_, from, at);
      if (from < 0) return reduced(at, round, one.operation, one.type, ranks_);
      return element(from, at, round, one.operation, ranks_);
    };
    wrong += static_cast<int64_t>(countWrong(one.type, got, one.counts.recv, expected, isRounded));
  }
  return wrong;
}

Result Run::measure(const Case& one) {
  std::vector<mcclRedOp_t> operations(here_.size(), one.operation.op);
  for (size_t i = 0; one.operation.scaled && i < here_.size(); ++i) {
    const uint64_t factor = [&] {
      uint64_t bits = 0;
      const std::vector<char> bytes = encode(one.type, 1, [&](size_t) { return scaleOf(here_[i].rank); });
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(&bits));
      return bits;
    }();
    MUST(mcclRedOpCreatePreMulSum(&operations[i], const_cast<uint64_t*>(&factor), one.type,
                                  mcclScalarHostImmediate, here_[i].comm));
  }
  fill(one, 0);
  std::vector<double> times(static_cast<size_t>(options_.threads));
  std::barrier<> barrier(options_.threads);
  onThreads(
      [&](int thread) { times[static_cast<size_t>(thread)] = timeThread(thread, one, operations, barrier); });
  double sum = 0;
  for (double time : times) sum += time;
  const Processes::Range range = processes_.combine(sum / options_.threads);
  Result result;
  switch (options_.average) {
    case 0:
      result.microseconds = times[0];
      break;
    case 2:
      result.microseconds = range.smallest;
      break;
    case 3:
      result.microseconds = range.largest;
      break;
    default:
      result.microseconds = range.sum / processes_.size();
  }
  const double bytes = static_cast<double>(one.counts.shown * sizeOf(one.type));
  result.algorithmBandwidth = result.microseconds > 0 ? bytes / result.microseconds / 1e3 : 0;
  result.busBandwidth = result.algorithmBandwidth * collective_.busFactor(ranks_);
  for (int round = 1; round <= options_.check; ++round) {
    fill(one, round);
    processes_.barrier();  // nobody starts before all buffers are filled
    onThreads([&](int thread) {
      callOnce(thread, one, operations);
      synchronize(thread);
    });
    result.wrong = std::max<int64_t>(result.wrong, 0) +
                   static_cast<int64_t>(processes_.combine(static_cast<double>(check(one, round))).sum);
  }
  for (size_t i = 0; one.operation.scaled && i < here_.size(); ++i) {
    MUST(mcclRedOpDestroy(operations[i], here_[i].comm));
  }
  return result;
}

int64_t Run::go(Table& table) {
  open(table);
  table.header();
  std::vector<Operation> operations{{"none", mcclSum}};
  if (collective_.reduces) operations = operationsOf(options_);
  std::vector<int> roots{-1};
  if (collective_.rooted) roots = rootsOf(options_, ranks_);
  for (int cycle = 0; cycle < std::max(1, options_.cycles); ++cycle) {
    for (const mcclDataType_t type : typesOf(options_)) {
      for (const Operation& operation : operations) {
        for (const int root : roots) {
          for (size_t bytes = options_.minBytes; bytes <= options_.maxBytes;
               bytes = options_.stepFactor > 1 ? bytes * options_.stepFactor : bytes + options_.stepBytes) {
            const Counts counts =
                collective_.counts(bytes / sizeOf(type), sizeOf(type), static_cast<size_t>(ranks_));
            const Case out{type, operation, root, counts, false}, in{type, operation, root, counts, true};
            const Result outOfPlace = measure(out);
            Result inPlace;
            if (collective_.inPlace) inPlace = measure(in);
            table.row(counts.shown * sizeOf(type), counts.call, nameOf(type), operation.name.c_str(), root,
                      outOfPlace, collective_.inPlace ? &inPlace : nullptr);
            if (bytes == 0) break;
          }
        }
      }
    }
  }
  processes_.barrier();
  close();
  return 0;
}

}  // namespace musashim::perf
