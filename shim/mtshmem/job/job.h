// Who takes part: the PEs of one job on this host, and what they tell each other before they have a heap.
#pragma once

#include <musa_runtime_api.h>

#include <cstdint>
#include <string>

namespace musashim::mtshmem {

struct JobPlace {
  std::string key;  // the same for all PEs of a job, and for no other job
  int me = 0;
  int size = 1;
};

// Of the launcher that started the process: mtshmrun, Open MPI, MPICH (PMI), Slurm; alone if there is none.
// Throws std::runtime_error for settings that say nothing sensible.
JobPlace placeFromLauncher();

// The meeting place of a job: memory that its processes share, whose name is gone once all are there.
class Job {
 public:
  // Waits for all; throws std::runtime_error, naming who is missing, after MTSHMEM_BOOTSTRAP_TIMEOUT seconds
  // (60).
  explicit Job(const JobPlace& place);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int me() const { return place_.me; }
  int size() const { return place_.size; }

  // Collective: gives the handle of this PE's heap; afterwards those of the others can be asked for.
  void exchange(const musaIpcMemHandle_t& mine);
  musaIpcMemHandle_t handleOf(int pe) const;
  // Collective.
  void barrier();
  // The process of a PE that is gone without an end; -1 if all are there.
  int missingPe() const;
  // This PE has ended as it should.
  void leave();

 private:
  struct Shared;
  JobPlace place_;
  Shared* shared_ = nullptr;
};

}  // namespace musashim::mtshmem
