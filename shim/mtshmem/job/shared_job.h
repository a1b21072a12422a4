// A job of one host: its PEs meet in memory that they share, whose name is gone once all are there.
#pragma once

#include "mccl/bootstrap/socket.h"
#include "mtshmem/job/job.h"

namespace musashim::mtshmem {

class SharedJob final : public Job {
 public:
  explicit SharedJob(const JobPlace& place);
  ~SharedJob() override;
  std::vector<Card> exchange(const Card& mine) override;
  void barrier() override;
  int lostPe() override;
  void leave() override;

 private:
  struct Shared;

  bool hasEnded(int pe) const;

  JobPlace place_;
  Shared* shared_ = nullptr;
  std::vector<mccl::Fd> processes_;  // by PE; none where the kernel has none
};

}  // namespace musashim::mtshmem
