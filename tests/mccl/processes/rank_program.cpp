// One process of a job of several, for process_test: RANK_PROGRAM SCENARIO FIRST COUNT RANKS IDFILE.
// Runs ranks FIRST .. FIRST+COUNT-1 of RANKS, a device each. Rank 0 makes the unique id and
// leaves it in IDFILE. Exits with 0 when all it sees is as it should be.
#include <musa_runtime_api.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mccl.h"

namespace {

#define CHECK(condition)                                                                             \
  do {                                                                                               \
    if (!(condition)) {                                                                              \
      std::fprintf(stderr, "process %d: %s:%d: %s (last error: %s)\n", getpid(), __FILE__, __LINE__, \
                   #condition, mcclGetLastError(nullptr));                                           \
      std::_Exit(1);                                                                                 \
    }                                                                                                \
  } while (false)

#define MUST(call) CHECK((call) == mcclSuccess)
#define MUST_MUSA(call) CHECK((call) == musaSuccess)

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

mcclUniqueId exchangeId(bool make, const std::string& file) {
  mcclUniqueId id;
  if (std::getenv("MCCL_COMM_ID")) {
    MUST(mcclGetUniqueId(&id));
    return id;
  }
  if (make) {
    MUST(mcclGetUniqueId(&id));
    std::ofstream(file + ".new", std::ios::binary).write(id.internal, sizeof id.internal);
    CHECK(std::rename((file + ".new").c_str(), file.c_str()) == 0);
    return id;
  }
  for (int i = 0; i < 2000; ++i) {
    std::ifstream in(file, std::ios::binary);
    if (in.read(id.internal, sizeof id.internal)) return id;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(!"the id file appears");
  return id;
}

// The rank's device among those that the process sees.
int deviceOf(int rank) {
  int devices = 1;
  MUST_MUSA(musaGetDeviceCount(&devices));
  return rank % devices;
}

struct Rank {
  int rank = 0;
  mcclComm_t comm = nullptr;
  musaStream_t stream = nullptr;
};

struct Job {
  int first = 0, count = 0, ranks = 0;
  std::vector<Rank> here;
  mcclUniqueId id{};

  void open() {
    MUST(mcclGroupStart());
    for (int i = 0; i < count; ++i) {
      here.push_back({first + i});
      MUST_MUSA(musaSetDevice(deviceOf(first + i)));
      MUST_MUSA(musaStreamCreateWithFlags(&here.back().stream, musaStreamNonBlocking));
    }
    for (Rank& rank : here) {
      MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
      MUST(mcclCommInitRank(&rank.comm, ranks, id, rank.rank));
    }
    MUST(mcclGroupEnd());
  }
  void each(const std::function<mcclResult_t(Rank&)>& call) {
    MUST(mcclGroupStart());
    for (Rank& rank : here) {
      MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
      MUST(call(rank));
    }
    MUST(mcclGroupEnd());
  }
  void synchronize() {
    for (Rank& rank : here) {
      MUST_MUSA(musaSetDevice(deviceOf(rank.rank)));
      MUST_MUSA(musaStreamSynchronize(rank.stream));
    }
  }
  void close() {
    for (Rank& rank : here) {
      MUST(mcclCommDestroy(rank.comm));
      MUST_MUSA(musaStreamDestroy(rank.stream));
    }
  }
};

// How a buffer is allocated: not all kinds can be handed to another process.
enum class Kind { kPlain, kOwn, kPool, kManaged, kHost };

struct Array {
  Array(int rank, size_t count, Kind kind = Kind::kPlain, size_t shift = 0) : kind_(kind) {
    MUST_MUSA(musaSetDevice(deviceOf(rank)));
    const size_t bytes = (count + shift) * sizeof(float);
    switch (kind) {
      case Kind::kPlain:
        MUST_MUSA(musaMalloc(&base_, bytes));
        break;
      case Kind::kOwn:
        MUST(mcclMemAlloc(&base_, bytes));
        break;
      case Kind::kPool:
        MUST_MUSA(musaMallocAsync(&base_, bytes, nullptr));
        MUST_MUSA(musaStreamSynchronize(nullptr));
        break;
      case Kind::kManaged:
        MUST_MUSA(musaMallocManaged(&base_, bytes, musaMemAttachGlobal));
        break;
      case Kind::kHost:
        MUST_MUSA(musaMallocHost(&base_, bytes));
        break;
    }
    data = static_cast<float*>(base_) + shift;
  }
  ~Array() {
    if (!base_) return;
    if (kind_ == Kind::kOwn) {
      MUST(mcclMemFree(base_));
    } else if (kind_ == Kind::kHost) {
      MUST_MUSA(musaFreeHost(base_));
    } else {
      MUST_MUSA(musaFree(base_));
    }
  }
  Array(Array&& other) noexcept
      : data(other.data), kind_(other.kind_), base_(std::exchange(other.base_, nullptr)) {}

  void set(const std::vector<float>& values) const {
    MUST_MUSA(musaMemcpy(data, values.data(), values.size() * sizeof(float), musaMemcpyDefault));
  }
  std::vector<float> get(size_t count) const {
    std::vector<float> values(count);
    MUST_MUSA(musaMemcpy(values.data(), data, count * sizeof(float), musaMemcpyDefault));
    return values;
  }

  float* data = nullptr;

 private:
  Kind kind_;
  void* base_ = nullptr;
};

float value(int rank, size_t index) { return static_cast<float>(1 + (rank * 7 + index) % 13); }

std::vector<float> valuesOf(int rank, size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = value(rank, i);
  return values;
}

// Every collective with `count` elements, buffers of `kind`; checks all results.
void allCollectives(Job& job, size_t count, Kind kind) {
  const int n = job.ranks;
  const size_t all = count * static_cast<size_t>(n);
  std::map<int, Array> send, recv;
  for (Rank& r : job.here) {
    send.emplace(r.rank, Array(r.rank, all, kind, 3));
    recv.emplace(r.rank, Array(r.rank, all, kind, 1));
    send.at(r.rank).set(valuesOf(r.rank, all));
    recv.at(r.rank).set(std::vector<float>(all, -1));
  }
  const auto in = [&](Rank& r) { return send.at(r.rank).data; };
  const auto out = [&](Rank& r) { return recv.at(r.rank).data; };
  int step = 0;
  const auto expect = [&](size_t elements, const std::function<float(int, size_t)>& expected) {
    ++step;
    job.synchronize();
    for (Rank& r : job.here) {
      const std::vector<float> got = recv.at(r.rank).get(elements);
      for (size_t i = 0; i < elements; ++i) {
        if (got[i] == expected(r.rank, i)) continue;
        std::fprintf(stderr, "step %d count %zu rank %d element %zu: %g, not %g\n", step, count, r.rank, i,
                     got[i], expected(r.rank, i));
        CHECK(!"the result is right");
      }
    }
  };
  const auto sum = [&](size_t i) {
    float total = 0;
    for (int rank = 0; rank < n; ++rank) total += value(rank, i);
    return total;
  };
  job.each(
      [&](Rank& r) { return mcclAllReduce(in(r), out(r), count, mcclFloat, mcclSum, r.comm, r.stream); });
  expect(count, [&](int, size_t i) { return sum(i); });
  job.each(
      [&](Rank& r) { return mcclReduceScatter(in(r), out(r), count, mcclFloat, mcclSum, r.comm, r.stream); });
  expect(count, [&](int rank, size_t i) { return sum(rank * count + i); });
  job.each([&](Rank& r) { return mcclAllGather(in(r), out(r), count, mcclFloat, r.comm, r.stream); });
  expect(all, [&](int, size_t i) { return value(static_cast<int>(i / count), i % count); });
  job.each([&](Rank& r) { return mcclBroadcast(in(r), out(r), count, mcclFloat, n - 1, r.comm, r.stream); });
  expect(count, [&](int, size_t i) { return value(n - 1, i); });
  job.each([&](Rank& r) { return mcclAlltoAll(in(r), out(r), count, mcclFloat, r.comm, r.stream); });
  expect(all,
         [&](int rank, size_t i) { return value(static_cast<int>(i / count), rank * count + i % count); });
  job.each(
      [&](Rank& r) { return mcclReduce(in(r), out(r), count, mcclFloat, mcclMax, 0, r.comm, r.stream); });
  expect(0, nullptr);
  job.each([&](Rank& r) {
    const int next = (r.rank + 1) % n, previous = (r.rank + n - 1) % n;
    const mcclResult_t sent = mcclSend(in(r), count, mcclFloat, next, r.comm, r.stream);
    return sent != mcclSuccess ? sent : mcclRecv(out(r), count, mcclFloat, previous, r.comm, r.stream);
  });
  expect(count, [&](int rank, size_t i) { return value((rank + n - 1) % n, i); });
}

void collectives(Job& job) {
  job.open();
  for (size_t count : {size_t{1}, size_t{1000}, size_t{70001}, size_t{300000}}) {
    allCollectives(job, count, Kind::kPlain);
  }
  allCollectives(job, 5000, Kind::kOwn);
  job.close();
}

// Memory that other processes cannot map.
void staged(Job& job) {
  job.open();
  for (Kind kind : {Kind::kPool, Kind::kManaged, Kind::kHost}) allCollectives(job, 3000, kind);
  job.close();
}

// The same recorded in a graph, in the mode in which what might wait is forbidden to all of the process.
void stagedGraphs(Job& job) {
  constexpr size_t kCount = 3000;
  job.open();
  CHECK(job.here.size() == 1);
  Rank& rank = job.here.front();
  for (Kind kind : {Kind::kPool, Kind::kManaged, Kind::kHost}) {
    Array array(rank.rank, kCount, kind);
    array.set(std::vector<float>(kCount, 1));
    musaGraph_t graph = nullptr;
    musaGraphExec_t program = nullptr;
    MUST_MUSA(musaStreamBeginCapture(rank.stream, musaStreamCaptureModeGlobal));
    void* own = nullptr;
    MUST(mcclMemAlloc(&own, 4096));
    MUST(mcclAllReduce(array.data, array.data, kCount, mcclFloat, mcclSum, rank.comm, rank.stream));
    MUST(mcclMemFree(own));
    MUST_MUSA(musaStreamEndCapture(rank.stream, &graph));
    MUST_MUSA(musaGraphInstantiate(&program, graph, 0));
    for (int i = 0; i < 2; ++i) MUST_MUSA(musaGraphLaunch(program, rank.stream));
    job.synchronize();
    CHECK(array.get(kCount) == std::vector<float>(kCount, static_cast<float>(job.ranks * job.ranks)));
    MUST_MUSA(musaGraphExecDestroy(program));
    MUST_MUSA(musaGraphDestroy(graph));
  }
  job.close();
}

// More buffers of others than stay mapped, each of which is used again: by all-reduces, and by broadcasts but
// for the first, so that it is forgotten while no other comes in its place.
void manyBuffers(Job& job) {
  constexpr int kBuffers = 250, kRounds = 4, kRoundsOfAllReduce = 2, kRoot = 1;
  constexpr size_t kCount = 100;
  job.open();
  std::map<int, std::vector<Array>> buffers;
  std::vector<float> sums(kCount);
  for (int rank = 0; rank < job.ranks; ++rank) {
    for (size_t i = 0; i < kCount; ++i) sums[i] += value(rank, i);
  }
  for (int round = 0; round < kRounds; ++round) {
    for (size_t use = 0; use < kBuffers; ++use) {
      const bool isAllReduce = round < kRoundsOfAllReduce || use == 0;
      for (Rank& r : job.here) {
        if (round == 0) buffers[r.rank].emplace_back(r.rank, kCount);
        buffers[r.rank][use].set(valuesOf(r.rank, kCount));
      }
      job.each([&](Rank& r) {
        float* data = buffers[r.rank][use].data;
        return isAllReduce ? mcclAllReduce(data, data, kCount, mcclFloat, mcclSum, r.comm, r.stream)
                           : mcclBroadcast(data, data, kCount, mcclFloat, kRoot, r.comm, r.stream);
      });
      job.synchronize();
      for (Rank& r : job.here)
        CHECK(buffers[r.rank][use].get(kCount) == (isAllReduce ? sums : valuesOf(kRoot, kCount)));
    }
  }
  job.close();
}

// The ranks of a process on a thread each.
void threads(Job& job) {
  std::vector<std::thread> workers;
  for (int i = 0; i < job.count; ++i) {
    workers.emplace_back([&job, i] {
      Job one{job.first + i, 1, job.ranks, {}, job.id};
      collectives(one);
    });
  }
  for (std::thread& worker : workers) worker.join();
}

void split(Job& job) {
  job.open();
  Job parts{job.first, job.count, job.ranks / 2, job.here, {}};
  MUST(mcclGroupStart());
  for (int i = 0; i < job.count; ++i) {
    const int rank = job.here[i].rank;
    MUST_MUSA(musaSetDevice(deviceOf(rank)));
    MUST(mcclCommSplit(job.here[i].comm, rank % 2, -rank, &parts.here[i].comm, nullptr));
  }
  MUST(mcclGroupEnd());
  std::map<int, Array> data;
  for (Rank& r : job.here) {
    data.emplace(r.rank, Array(r.rank, 1));
    data.at(r.rank).set({static_cast<float>(r.rank)});
  }
  parts.each([&](Rank& r) {
    int count = 0;
    MUST(mcclCommCount(r.comm, &count));
    CHECK(count == job.ranks / 2);
    return mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 1, mcclFloat, mcclSum, r.comm, r.stream);
  });
  parts.synchronize();
  for (Rank& r : job.here) {
    float expected = 0;
    for (int rank = r.rank % 2; rank < job.ranks; rank += 2) expected += static_cast<float>(rank);
    CHECK(data.at(r.rank).get(1)[0] == expected);
  }
  for (Rank& r : parts.here) MUST(mcclCommDestroy(r.comm));
  job.close();
}

// The last process is killed in the middle of work; the others report it and go on without it.
void killed(Job& job) {
  job.open();
  const bool victim = job.first + job.count == job.ranks && job.first > 0;
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 200000));
  const auto start = Clock::now();
  bool failed = false;
  for (int round = 0; !failed; ++round) {
    if (victim && round == 20) raise(SIGKILL);
    CHECK(mcclGroupStart() == mcclSuccess);
    mcclResult_t result = mcclSuccess;
    for (Rank& r : job.here) {
      MUST_MUSA(musaSetDevice(deviceOf(r.rank)));
      const mcclResult_t one = mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 200000, mcclFloat,
                                             mcclSum, r.comm, r.stream);
      if (one != mcclSuccess) result = one;
    }
    const mcclResult_t ended = mcclGroupEnd();
    failed = result != mcclSuccess || ended != mcclSuccess;
    job.synchronize();  // never hangs
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    if (state != mcclSuccess) {
      CHECK(state == mcclRemoteError);
      failed = true;
    }
    CHECK(secondsSince(start) < 10);
  }
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "has ended without leaving"));
  // Calls that come later say so, too, and what can be done.
  int count = 0;
  CHECK(mcclCommCount(job.here[0].comm, &count) == mcclRemoteError);
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "has ended without leaving"));
  CHECK(std::strstr(mcclGetLastError(job.here[0].comm), "aborted, or shrunk with MCCL_SHRINK_ABORT"));
  // All of the dead process's ranks are left out.
  const int per = job.count;
  std::vector<int> dead;
  for (int rank = job.ranks - per; rank < job.ranks; ++rank) dead.push_back(rank);
  Job rest{job.first, job.count, job.ranks - per, job.here, {}};
  MUST(mcclGroupStart());
  for (size_t i = 0; i < job.here.size(); ++i) {
    MUST_MUSA(musaSetDevice(deviceOf(job.here[i].rank)));
    MUST(mcclCommShrink(job.here[i].comm, dead.data(), per, &rest.here[i].comm, nullptr, MCCL_SHRINK_ABORT));
  }
  MUST(mcclGroupEnd());
  allCollectives(rest, 70000, Kind::kPlain);
  for (Rank& r : rest.here) MUST(mcclCommDestroy(r.comm));
  for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
}

// The last rank calls with another count: all are told, with both calls.
void mismatch(Job& job) {
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 100));
  job.each([&](Rank& r) {
    const size_t count = r.rank == job.ranks - 1 ? 99 : 100;
    return mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, count, mcclFloat, mcclSum, r.comm,
                         r.stream);
  });
  job.synchronize();
  for (Rank& r : job.here) {
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(r.comm, &state));
    CHECK(state == mcclInvalidUsage);
    const std::string text = mcclGetLastError(r.comm);
    CHECK(text.find("AllReduce(count 100, float, sum)") != std::string::npos);
    CHECK(text.find("AllReduce(count 99, float, sum)") != std::string::npos);
    MUST(mcclCommAbort(r.comm));
  }
}

// The last rank never comes to its collective and aborts instead.
void abort(Job& job) {
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 100));
  const bool aborts = job.first + job.count == job.ranks;
  if (aborts) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  } else {
    job.each([&](Rank& r) {
      return mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, 100, mcclFloat, mcclSum, r.comm,
                           r.stream);
    });
    job.synchronize();
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    CHECK(state == mcclRemoteError);
  }
  for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
}

// Loops until it is killed, or told that another is; for the chaos script.
void forEver(Job& job) {
  std::puts("joining");
  std::fflush(stdout);
  job.open();
  std::map<int, Array> data;
  for (Rank& r : job.here) data.emplace(r.rank, Array(r.rank, 500000));
  std::puts("running");
  std::fflush(stdout);
  for (size_t round = 0;; ++round) {
    const size_t count = round % 3 == 0 ? 1 : round % 3 == 1 ? 20000 : 500000;
    CHECK(mcclGroupStart() == mcclSuccess);
    for (Rank& r : job.here) {
      MUST_MUSA(musaSetDevice(deviceOf(r.rank)));
      (void)mcclAllReduce(data.at(r.rank).data, data.at(r.rank).data, count, mcclFloat, mcclMax, r.comm,
                          r.stream);
    }
    (void)mcclGroupEnd();
    job.synchronize();
    mcclResult_t state = mcclSuccess;
    MUST(mcclCommGetAsyncError(job.here[0].comm, &state));
    if (state == mcclSuccess) continue;
    CHECK(state == mcclRemoteError);
    std::printf("told: %s\n", mcclGetLastError(job.here[0].comm));
    for (Rank& r : job.here) MUST(mcclCommAbort(r.comm));
    return;
  }
}

// The id's maker is gone.
void stale(Job& job) {
  const auto start = Clock::now();
  mcclComm_t comm = nullptr;
  const mcclResult_t result = mcclCommInitRank(&comm, job.ranks, job.id, 0);
  CHECK(result == mcclSystemError || result == mcclRemoteError);
  CHECK(comm == nullptr && secondsSince(start) < 5);
}

void makeIdAndLeave(Job&) {}

// Ends as soon as the communicator is there.
void brief(Job& job) {
  job.open();
  job.close();
  std::_Exit(0);
}

// The ranks have a smaller communicator as well, with the last as its first, and end as soon as that is
// there.
void briefSplit(Job& job) {
  job.open();
  for (Rank& r : job.here) {
    mcclComm_t part = nullptr;
    MUST(mcclCommSplit(r.comm, 0, -r.rank, &part, nullptr));
    MUST(mcclCommDestroy(part));
  }
  job.close();
  std::_Exit(0);
}

// Few descriptors are left: ROOM. The ranks get a communicator, or are told.
void fewDescriptors(Job& job) {
  MUST_MUSA(musaSetDevice(deviceOf(job.first)));
  MUST_MUSA(musaFree(nullptr));
  const int next = dup(0);  // the first that is free
  CHECK(close(next) == 0);
  const rlim_t most = static_cast<rlim_t>(next + std::atoi(std::getenv("ROOM")));
  const rlimit limit{most, most};
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  mcclComm_t comm = nullptr;
  const mcclResult_t result = mcclCommInitRank(&comm, job.ranks, job.id, job.first);
  const std::string text = mcclGetLastError(nullptr);
  CHECK(result == mcclSuccess || text.find("ulimit -n") != std::string::npos || job.first > 0);
  std::printf("%s\n", result == mcclSuccess ? "" : text.c_str());
  if (comm) MUST(mcclCommDestroy(comm));
  std::_Exit(0);
}

// As brief, without blocking calls.
void briefNonBlocking(Job& job) {
  mcclConfig_t config = MCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  mcclComm_t comm = nullptr;
  MUST_MUSA(musaSetDevice(deviceOf(job.first)));
  mcclResult_t state = mcclCommInitRankConfig(&comm, job.ranks, job.id, job.first, &config);
  CHECK(state == mcclSuccess || state == mcclInProgress);
  for (state = mcclInProgress; state == mcclInProgress;) MUST(mcclCommGetAsyncError(comm, &state));
  CHECK(state == mcclSuccess);
  MUST(mcclCommDestroy(comm));
  std::_Exit(0);
}

const std::map<std::string, void (*)(Job&)> kScenarios = {{"collectives", collectives},
                                                          {"staged", staged},
                                                          {"staged graphs", stagedGraphs},
                                                          {"many buffers", manyBuffers},
                                                          {"threads", threads},
                                                          {"split", split},
                                                          {"killed", killed},
                                                          {"mismatch", mismatch},
                                                          {"abort", abort},
                                                          {"forever", forEver},
                                                          {"stale", stale},
                                                          {"makeid", makeIdAndLeave},
                                                          {"brief", brief},
                                                          {"brief split", briefSplit},
                                                          {"few descriptors", fewDescriptors},
                                                          {"brief nonblocking", briefNonBlocking}};

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 6 && kScenarios.contains(argv[1]));
  setenv("MUSASHIM_DEVICES", argv[4], 0);
  Job job{std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), {}, {}};
  const bool maker = job.first == 0 && std::string(argv[1]) != "stale";
  job.id = exchangeId(maker, argv[5]);
  kScenarios.at(argv[1])(job);
}
