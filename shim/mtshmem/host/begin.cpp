// To begin and to end, and who one is.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "mtshmem/host/runtime.h"
#include "mtshmem/job/meeting.h"
#include "mtshmem/job/mpi.h"

using mtshmemi::gState;
using musashim::mtshmem::giveUp;
using musashim::mtshmem::JobPlace;
using musashim::mtshmem::Runtime;

namespace {

constexpr int kUniqueIdVersion = 1;

int beginWithId(const mtshmemx_init_attr_t& attr) {
  if (attr.id == nullptr || attr.id->version != kUniqueIdVersion || attr.size < 1 ||
      attr.size > MTSHMEMI_MAX_PES || attr.rank < 0 || attr.rank >= attr.size)
    return MTSHMEMX_ERROR_INVALID_VALUE;
  Runtime::get().begin({"id", attr.rank, attr.size, attr.id->internal});
  Runtime::get().beginHeapIfChosen();
  return MTSHMEMX_SUCCESS;
}

// The communicator's first makes an id for all.
int beginWithMpi(void* communicator) {
  if (communicator == nullptr) return MTSHMEMX_ERROR_INVALID_VALUE;
  const musashim::mtshmem::MpiCommunicator comm(communicator);
  mtshmemx_uniqueid_t id{};
  if (comm.rank() == 0 && mtshmemx_get_uniqueid(&id) != MTSHMEMX_SUCCESS) return MTSHMEMX_ERROR_INTERNAL;
  comm.broadcast(&id, sizeof id);
  Runtime::get().begin({"mpi", comm.rank(), comm.size(), id.internal});
  Runtime::get().beginHeapIfChosen();
  return MTSHMEMX_SUCCESS;
}

}  // namespace

extern "C" {

MTSHMEM_EXPORT void mtshmem_init() {
  try {
    Runtime::get().begin(musashim::mtshmem::placeFromLauncher());
    Runtime::get().beginHeapIfChosen();
  } catch (const std::exception& error) {
    giveUp("mtshmem_init", error.what());
  }
}

MTSHMEM_EXPORT int mtshmem_init_thread(int /*requested*/, int* provided) {
  mtshmem_init();
  mtshmem_query_thread(provided);
  return 0;
}

MTSHMEM_EXPORT void mtshmem_query_thread(int* provided) { *provided = MTSHMEM_THREAD_SERIALIZED; }

MTSHMEM_EXPORT void mtshmem_finalize() { Runtime::get().end(); }

MTSHMEM_EXPORT void mtshmem_global_exit(int status) {
  std::fflush(nullptr);
  std::_Exit(status);  // the launcher ends the others
}

MTSHMEM_EXPORT int mtshmem_my_pe() { return gState.me; }
MTSHMEM_EXPORT int mtshmem_n_pes() { return Runtime::get().isBegun() ? gState.size : -1; }

MTSHMEM_EXPORT void mtshmem_info_get_version(int* major, int* minor) {
  *major = MTSHMEM_MAJOR_VERSION;
  *minor = MTSHMEM_MINOR_VERSION;
}

MTSHMEM_EXPORT void mtshmem_info_get_name(char* name) { std::strcpy(name, MTSHMEM_VENDOR_STRING); }

MTSHMEM_EXPORT void mtshmemx_vendor_get_version_info(int* major, int* minor, int* patch) {
  *major = MTSHMEM_VENDOR_MAJOR_VERSION;
  *minor = MTSHMEM_VENDOR_MINOR_VERSION;
  *patch = MTSHMEM_VENDOR_PATCH_VERSION;
}

MTSHMEM_EXPORT int mtshmemx_get_uniqueid(mtshmemx_uniqueid_t* id) {
  if (id == nullptr) return MTSHMEMX_ERROR_INVALID_VALUE;
  try {
    const std::string place = musashim::mtshmem::Meeting::open();
    *id = {kUniqueIdVersion, {}};
    if (place.size() >= sizeof id->internal) return MTSHMEMX_ERROR_INTERNAL;
    std::strcpy(id->internal, place.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mtshmem: mtshmemx_get_uniqueid: %s\n", error.what());
    return MTSHMEMX_ERROR_INTERNAL;
  }
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_set_attr_uniqueid_args(int rank, int size, const mtshmemx_uniqueid_t* id,
                                                   mtshmemx_init_attr_t* attr) {
  if (id == nullptr || attr == nullptr) return MTSHMEMX_ERROR_INVALID_VALUE;
  *attr = {kUniqueIdVersion, nullptr, id, rank, size, {}};
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_set_attr_mpi_comm_args(void* mpi_comm, mtshmemx_init_attr_t* attr) {
  if (mpi_comm == nullptr || attr == nullptr) return MTSHMEMX_ERROR_INVALID_VALUE;
  *attr = {kUniqueIdVersion, mpi_comm, nullptr, 0, 0, {}};
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr) {
  try {
    if ((flags & MTSHMEMX_INIT_WITH_UNIQUEID) != 0)
      return attr != nullptr ? beginWithId(*attr) : MTSHMEMX_ERROR_INVALID_VALUE;
    if ((flags & MTSHMEMX_INIT_WITH_MPI_COMM) != 0)
      return attr != nullptr ? beginWithMpi(attr->mpi_comm) : MTSHMEMX_ERROR_INVALID_VALUE;
    if ((flags & MTSHMEMX_INIT_WITH_SHMEM) != 0) {
      std::fprintf(
          stderr,
          "mtshmem: init by OpenSHMEM is not there; its launchers' PEs find each other by mtshmem_init()\n");
      return MTSHMEMX_ERROR_NOT_SUPPORTED;
    }
    Runtime::get().begin(musashim::mtshmem::placeFromLauncher());
    Runtime::get().beginHeapIfChosen();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mtshmem: mtshmemx_init_attr: %s\n", error.what());
    return MTSHMEMX_ERROR_INTERNAL;
  }
  return MTSHMEMX_SUCCESS;
}

MTSHMEM_EXPORT int mtshmemx_hostlib_init_attr(unsigned int flags, mtshmemx_init_attr_t* attr) {
  return mtshmemx_init_attr(flags, attr);
}
MTSHMEM_EXPORT void mtshmemx_hostlib_finalize() { mtshmem_finalize(); }

MTSHMEM_EXPORT int mtshmemx_init_status() {
  if (!Runtime::get().isBegun()) return MTSHMEM_STATUS_NOT_INITIALIZED;
  if (!Runtime::get().hasHeap()) return MTSHMEM_STATUS_IS_BOOTSTRAPPED;
  return Runtime::get().shareDevices() ? MTSHMEM_STATUS_FULL_MPG : MTSHMEM_STATUS_IS_INITIALIZED;
}

MTSHMEM_EXPORT void mtshmemi_register_device_state(const void* symbol) {
  Runtime::get().addDeviceState(symbol);
}

}  // extern "C"
