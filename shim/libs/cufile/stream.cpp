// Reads and writes as work of streams.
#include <map>
#include <mutex>

#include "libs/core/stream_work.h"
#include "libs/cufile/status.h"
#include "libs/cufile/transfer.h"

namespace musashim::cufile {
namespace {

struct Streams {
  std::mutex mutex;
  std::map<MUstream, unsigned> flags;
};

Streams& streams() {
  static Streams& streams = *new Streams;
  return streams;
}

unsigned flagsOf(MUstream stream) {
  const std::lock_guard lock(streams().mutex);
  const auto found = streams().flags.find(stream);
  return found == streams().flags.end() ? 0 : found->second;
}

// Where the numbers of an operation are. What the stream's flags do not fix is read when the operation runs.
struct Arguments {
  void* base;
  const size_t* size;
  const off_t* fileOffset;
  const off_t* bufferOffset;
};

CUfileError_t submit(CUfileOpcode_t operation, CUfileHandle_t handle, const Arguments& arguments,
                     ssize_t* result, MUstream stream) {
  const auto [base, size, fileOffset, bufferOffset] = arguments;
  if (!base || !size || !fileOffset || !bufferOffset || !result) return statusOf(CU_FILE_INVALID_VALUE);
  std::shared_ptr<File> file = findFile(handle);
  if (file == nullptr) return statusOf(CU_FILE_HANDLE_NOT_REGISTERED);
  const Memory memory = memoryAt(base);
  const unsigned flags = flagsOf(stream);
  const Place now{base, *size, *fileOffset, *bufferOffset};
  const auto work = [=, file = std::move(file)] {
    Place place = now;
    if ((flags & CU_FILE_STREAM_FIXED_FILE_SIZE) == 0) place.size = *size;
    if ((flags & CU_FILE_STREAM_FIXED_FILE_OFFSET) == 0) place.fileOffset = *fileOffset;
    if ((flags & CU_FILE_STREAM_FIXED_BUF_OFFSET) == 0) place.bufferOffset = *bufferOffset;
    *result = transfer(operation, *file, place, memory);
  };
  const musaError_t error = libs::runOnStream(reinterpret_cast<musaStream_t>(stream), work);
  if (error != musaSuccess) return {CU_FILE_CUDA_DRIVER_ERROR, static_cast<MUresult>(error)};
  return statusOf(CU_FILE_SUCCESS);
}

// An entry whose error may be the driver's.
template <class... Args>
CUfileError_t submitEntry(std::string_view name, CUfileOpcode_t operation, CUfileHandle_t handle,
                          const Arguments& arguments, ssize_t* result, MUstream stream, const Args&... args) {
  CUfileError_t status = statusOf(CU_FILE_INTERNAL_ERROR);
  const auto body = [&] {
    status = submit(operation, handle, arguments, result, stream);
    return status.err;
  };
  (void)entry(name, body, args...);
  return status;
}

}  // namespace
}  // namespace musashim::cufile

using namespace musashim::cufile;

extern "C" {

CUfileError_t cuFileStreamRegister(MUstream stream, unsigned flags) {
  return entry(
      "cuFileStreamRegister",
      [&] {
        constexpr unsigned kKnown = CU_FILE_STREAM_FIXED_BUF_OFFSET | CU_FILE_STREAM_FIXED_FILE_OFFSET |
                                    CU_FILE_STREAM_FIXED_FILE_SIZE | CU_FILE_STREAM_PAGE_ALIGNED_INPUTS;
        if ((flags & ~kKnown) != 0) return CU_FILE_INVALID_VALUE;
        const std::lock_guard lock(streams().mutex);
        streams().flags[stream] = flags;
        return CU_FILE_SUCCESS;
      },
      stream, flags);
}

CUfileError_t cuFileStreamDeregister(MUstream stream) {
  return entry(
      "cuFileStreamDeregister",
      [&] {
        const std::lock_guard lock(streams().mutex);
        return streams().flags.erase(stream) != 0 ? CU_FILE_SUCCESS : CU_FILE_INVALID_VALUE;
      },
      stream);
}

CUfileError_t cuFileReadAsync(CUfileHandle_t fh, void* bufPtr_base, size_t* size_p, off_t* file_offset_p,
                              off_t* bufPtr_offset_p, ssize_t* bytes_read_p, MUstream stream) {
  return submitEntry("cuFileReadAsync", CUFILE_READ, fh,
                     {bufPtr_base, size_p, file_offset_p, bufPtr_offset_p}, bytes_read_p, stream, fh,
                     bufPtr_base, size_p, file_offset_p, bufPtr_offset_p, bytes_read_p, stream);
}

CUfileError_t cuFileWriteAsync(CUfileHandle_t fh, void* bufPtr_base, size_t* size_p, off_t* file_offset_p,
                               off_t* bufPtr_offset_p, ssize_t* bytes_written_p, MUstream stream) {
  return submitEntry("cuFileWriteAsync", CUFILE_WRITE, fh,
                     {bufPtr_base, size_p, file_offset_p, bufPtr_offset_p}, bytes_written_p, stream, fh,
                     bufPtr_base, size_p, file_offset_p, bufPtr_offset_p, bytes_written_p, stream);
}

}  // extern "C"
