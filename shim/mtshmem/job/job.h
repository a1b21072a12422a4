// Who takes part: the PEs of one job, and what they tell each other before they have a heap.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace musashim::mtshmem {

struct JobPlace {
  std::string key;  // the same for all PEs of a job, and for no other job
  int me = 0;
  int size = 1;
  std::string meeting;  // where PEs of several hosts meet (meeting.h); empty: in memory that they share
};

// Of the launcher that started the process: mtshmrun, Open MPI, MPICH (PMI), Slurm; alone if there is none.
// Throws std::runtime_error for settings that say nothing sensible.
JobPlace placeFromLauncher();

using Card = std::vector<char>;

// Functions are collective and throw std::runtime_error, naming who is missing where that is known.
class Job {
 public:
  virtual ~Job() = default;
  // Gives this PE's card; what all have given, by PE. At most kMostCard bytes.
  virtual std::vector<Card> exchange(const Card& mine) = 0;
  virtual void barrier() = 0;
  // A PE that ended without leaving; -1 if none is known. Not collective, from any thread.
  virtual int lostPe() = 0;
  // This PE has ended as it should.
  virtual void leave() = 0;
  static constexpr std::size_t kMostCard = 48 << 10;
};

// Waits for all for MTSHMEM_BOOTSTRAP_TIMEOUT seconds (60).
std::unique_ptr<Job> joinJob(const JobPlace& place);
double bootstrapSeconds();

}  // namespace musashim::mtshmem
