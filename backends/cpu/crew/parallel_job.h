// Work that idle workers may share with the thread that owns it: a grid's blocks, a
// large copy's parts.
#pragma once

#include <atomic>
#include <cstdint>

namespace musashim::backend::cpu {

struct CrewPlace;

class ParallelJob {
 public:
  virtual ~ParallelJob() = default;
  // Takes parts until none is left. Several threads at once.
  virtual void work() = 0;
  // Parts that nobody has taken yet.
  virtual bool hasMore() const = 0;
  // Grows with every part taken: a job whose count stands still is stuck or slow.
  virtual uint64_t taken() const = 0;
  // Whether parts may wait for parts that nobody has taken: then a job that stands still gets more helpers
  // than there are processors.
  virtual bool partsMayWait() const = 0;

 private:
  friend class Crew;
  friend class Scheduler;
  static constexpr uint32_t kOwnerSleeps = 1u << 31;

  CrewPlace* place_ = nullptr;  // where the crew is called
  ParallelJob* next_ = nullptr;
  ParallelJob* previous_ = nullptr;
  unsigned helpers_ = 0;  // workers that have joined, beside the crew, and not left
  bool called_ = false;   // the crew is
  int64_t startedAt_ = 0;
  uint64_t takenSeen_ = 0;  // by the scout, and since when
  int64_t takenSince_ = 0;
  int64_t takenAtTime_ = 0;          // of the process, by the processors' time
  std::atomic<uint32_t> inside_{0};  // workers in work(), and kOwnerSleeps
};

}  // namespace musashim::backend::cpu
