#include "mtshmem/job/mpi.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace musashim::mtshmem {
namespace {

constexpr int kMpichByte = 0x4c00010d;

template <typename Function>
Function find(const char* name) {
  auto* const function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr)
    throw std::runtime_error(std::string("the program has no MPI: there is no ") + name);
  return function;
}

void check(int status, const char* call) {
  if (status != 0) throw std::runtime_error(std::string(call) + " gave " + std::to_string(status));
}

}  // namespace

MpiCommunicator::MpiCommunicator(void* pointer)
    : pointer_(pointer), isOpenMpi_(dlsym(RTLD_DEFAULT, "ompi_mpi_byte") != nullptr) {
  if (isOpenMpi_) {
    void* const comm = *static_cast<void**>(pointer_);
    check(find<int (*)(void*, int*)>("MPI_Comm_rank")(comm, &rank_), "MPI_Comm_rank");
    check(find<int (*)(void*, int*)>("MPI_Comm_size")(comm, &size_), "MPI_Comm_size");
  } else {
    const int comm = *static_cast<int*>(pointer_);
    check(find<int (*)(int, int*)>("MPI_Comm_rank")(comm, &rank_), "MPI_Comm_rank");
    check(find<int (*)(int, int*)>("MPI_Comm_size")(comm, &size_), "MPI_Comm_size");
  }
}

void MpiCommunicator::broadcast(void* data, std::size_t bytes) const {
  const int count = static_cast<int>(bytes);
  if (isOpenMpi_) {
    void* const byte = dlsym(RTLD_DEFAULT, "ompi_mpi_byte");
    check(find<int (*)(void*, int, void*, int, void*)>("MPI_Bcast")(data, count, byte, 0,
                                                                    *static_cast<void**>(pointer_)),
          "MPI_Bcast");
  } else {
    check(find<int (*)(void*, int, int, int, int)>("MPI_Bcast")(data, count, kMpichByte, 0,
                                                                *static_cast<int*>(pointer_)),
          "MPI_Bcast");
  }
}

}  // namespace musashim::mtshmem
