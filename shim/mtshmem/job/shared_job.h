// A job of one host: its PEs meet in memory that they share, whose name is gone once all are there.
#pragma once

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

  JobPlace place_;
  Shared* shared_ = nullptr;
};

}  // namespace musashim::mtshmem
