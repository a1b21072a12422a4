// Helpers of jobs: who comes, who leaves, and that all is done.
#include "cpu/crew/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "cpu/exec/clock.h"

namespace musashim::backend::cpu {
namespace {

// Counts its parts; each takes a while.
class CountedJob final : public ParallelJob {
 public:
  CountedJob(uint64_t parts, int64_t nanoseconds) : parts_(parts), nanoseconds_(nanoseconds), done_(parts) {}

  void work() override {
    while (!Crew::shouldMove(*this)) {
      const uint64_t part = next_.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts_) return;
      const unsigned now = inside_.fetch_add(1) + 1;
      for (unsigned most = most_.load(); most < now && !most_.compare_exchange_weak(most, now);) {
      }
      const int64_t until = monotonicNow() + nanoseconds_;
      while (monotonicNow() < until) {
      }
      ++done_[part];
      inside_.fetch_sub(1);
    }
  }
  bool hasMore() const override { return next_.load() < parts_; }
  uint64_t taken() const override { return next_.load(); }
  bool partsMayWait() const override { return false; }

  bool isDoneOnce() const {
    return std::ranges::all_of(done_, [](int times) { return times == 1; });
  }
  unsigned mostAtOnce() const { return most_.load(); }

 private:
  const uint64_t parts_;
  const int64_t nanoseconds_;
  std::atomic<uint64_t> next_{0};
  std::atomic<unsigned> inside_{0}, most_{0};
  std::vector<int> done_;
};

// A crew's threads never end.
Crew& crewOf(unsigned processors) {
  static Crew* const crews[] = {new Crew(1, 32), new Crew(4, 32), new Crew(32, 32), new Crew(32, 2)};
  return *(processors == 1 ? crews[0] : processors == 4 ? crews[1] : processors == 32 ? crews[2] : crews[3]);
}
constexpr unsigned kFewProcessors = 0;  // 32 threads where there are two processors

void runJob(Crew& crew, CountedJob& job, unsigned helpers) {
  crew.call(job, helpers);
  job.work();
  crew.dismiss(job);
}

TEST(Crew, DoesEachPartOnce) {
  for (const unsigned processors : {1u, 4u, 32u, kFewProcessors}) {
    for (int round = 0; round < 300; ++round) {
      CountedJob job(static_cast<uint64_t>(round), round % 3 * 500);
      runJob(crewOf(processors), job, 31);
      EXPECT_TRUE(job.isDoneOnce());
      EXPECT_EQ(crewOf(processors).helpersOf(job), 0u);
    }
  }
}

TEST(Crew, ComesInTheNumberThatIsWanted) {
  Crew& crew = crewOf(32);
  for (const unsigned helpers : {0u, 1u, 3u, 100u}) {
    unsigned most = 0;
    for (int round = 0; round < 10; ++round) {
      CountedJob job(100, 50'000);
      runJob(crew, job, helpers);
      most = std::max(most, job.mostAtOnce());
    }
    EXPECT_LE(most, std::min(helpers + 1, 32u));
    if (helpers > 0) EXPECT_GE(most, 2u);
  }
}

TEST(Crew, WakesAgainAfterASleep) {
  constexpr int kRounds = 20;
  Crew& crew = crewOf(4);
  int helped = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CountedJob job(400, 20'000);
    runJob(crew, job, 3);
    EXPECT_TRUE(job.isDoneOnce());
    helped += job.mostAtOnce() >= 2;
  }
  // Where other programs have the processors, the owner may be alone at times.
  EXPECT_GE(helped, kRounds / 4);
}

// More owners than there are places, too: those do their jobs alone.
TEST(Crew, HelpsManyOwnersAtOnce) {
  for (const unsigned processors : {4u, 32u, kFewProcessors}) {
    Crew& crew = crewOf(processors);
    std::vector<std::thread> owners;
    for (int i = 0; i < 80; ++i) {
      owners.emplace_back([&crew] {
        for (int round = 0; round < 30; ++round) {
          CountedJob job(20, 2'000);
          runJob(crew, job, 31);
          EXPECT_TRUE(job.isDoneOnce());
        }
      });
    }
    for (std::thread& owner : owners) owner.join();
  }
}

// Helpers of a long job go to others that come meanwhile.
TEST(Crew, MovesToOtherJobs) {
  Crew& crew = crewOf(4);
  CountedJob longJob(2000, 100'000);
  std::thread owner([&] { runJob(crew, longJob, 3); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  unsigned most = 0;
  for (int round = 0; round < 30; ++round) {
    CountedJob job(100, 100'000);
    runJob(crew, job, 3);
    most = std::max(most, job.mostAtOnce());
  }
  owner.join();
  EXPECT_TRUE(longJob.isDoneOnce());
  EXPECT_GE(most, 2u);
}

// Nobody spends a processor's time on waiting for jobs that do not come.
TEST(Crew, IsIdleWhereThereIsNothingToDo) {
  for (int round = 0; round < 50; ++round) {
    CountedJob job(64, 10'000);
    runJob(crewOf(32), job, 31);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const int64_t before = processTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(processTime() - before, 5'000'000);
  EXPECT_EQ(crewOf(32).awake(), 0u);
}

}  // namespace
}  // namespace musashim::backend::cpu
