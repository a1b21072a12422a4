// The MPI that the program has, without being built for one.
#pragma once

#include <cstddef>

namespace musashim::mtshmem {

class MpiCommunicator {
 public:
  // `pointer`: to an MPI_Comm of Open MPI or MPICH (whose handles are numbers). Throws std::runtime_error.
  explicit MpiCommunicator(void* pointer);
  int rank() const { return rank_; }
  int size() const { return size_; }
  // From rank 0. Collective.
  void broadcast(void* data, std::size_t bytes) const;

 private:
  void* pointer_;
  bool isOpenMpi_;
  int rank_ = 0, size_ = 1;
};

}  // namespace musashim::mtshmem
