// A job of several hosts: its PEs meet at a Meeting.
#pragma once

#include "mccl/bootstrap/socket.h"
#include "mtshmem/job/job.h"

namespace musashim::mtshmem {

class NetJob final : public Job {
 public:
  explicit NetJob(const JobPlace& place);
  std::vector<Card> exchange(const Card& mine) override;
  void barrier() override;
  int lostPe() override;
  void leave() override;

 private:
  void hear(void* data, std::size_t bytes);

  JobPlace place_;
  mccl::Fd socket_;
  bool isFirst_ = true;  // nothing was heard so far: others may still be on their way
};

}  // namespace musashim::mtshmem
