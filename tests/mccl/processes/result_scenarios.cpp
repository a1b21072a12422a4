// All ranks stay, and what they compute is checked.
#include <cstdio>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "array.h"
#include "checks.h"
#include "job.h"
#include "scenarios.h"

namespace rank_program {

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
// An all-gather of sends and receives in one group: each step passes on what the step before has received.
// The number of ranks is a power of two.
void passedOn(Job& job) {
  constexpr size_t kCount = 1000;
  job.open();
  const size_t all = kCount * static_cast<size_t>(job.ranks);
  std::map<int, Array> data;
  std::vector<float> expected;
  for (int rank = 0; rank < job.ranks; ++rank) {
    const std::vector<float> part = valuesOf(rank, kCount);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  for (Rank& r : job.here) {
    std::vector<float> begin(all, -1);
    std::copy_n(expected.begin() + r.rank * static_cast<ptrdiff_t>(kCount), kCount,
                begin.begin() + r.rank * static_cast<ptrdiff_t>(kCount));
    data.emplace(r.rank, Array(r.rank, all)).first->second.set(begin);
  }
  job.each([&](Rank& r) {
    float* const values = data.at(r.rank).data;
    for (int mask = 1; mask < job.ranks; mask *= 2) {
      const int mine = r.rank & ~(mask - 1), theirs = mine ^ mask;
      const size_t count = kCount * static_cast<size_t>(mask);
      MUST(mcclSend(values + mine * kCount, count, mcclFloat, r.rank ^ mask, r.comm, r.stream));
      MUST(mcclRecv(values + theirs * kCount, count, mcclFloat, r.rank ^ mask, r.comm, r.stream));
    }
    return mcclSuccess;
  });
  job.synchronize();
  for (Rank& r : job.here) CHECK(data.at(r.rank).get(all) == expected);
  job.close();
}

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

}  // namespace rank_program
