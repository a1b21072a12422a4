// Observations of collective libraries: result names and communicators.
#pragma once

#include <nccl.h>

#include <vector>

#include "buffers.h"
#include "observe.h"

// One name for both vendors' spelling of each result.
inline std::string observedText(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "Success";
    case ncclUnhandledCudaError:
      return "UnhandledDeviceError";
    case ncclSystemError:
      return "SystemError";
    case ncclInternalError:
      return "InternalError";
    case ncclInvalidArgument:
      return "InvalidArgument";
    case ncclInvalidUsage:
      return "InvalidUsage";
    case ncclRemoteError:
      return "RemoteError";
    case ncclInProgress:
      return "InProgress";
    default:
      return "code " + std::to_string(static_cast<int>(result));
  }
}

#define SETUP_NCCL(call) setupNccl((call), #call, __FILE__, __LINE__)

inline void setupNccl(ncclResult_t result, const char* step, const char* file, int line) {
  if (result == ncclSuccess) return;
  fprintf(stderr, "setup failed: %s:%d: %s -> %s\n", file, line, step, observedText(result).c_str());
  fflush(stdout);
  _Exit(3);
}

// One communicator and one stream per device, in one process.
class Ranks {
 public:
  explicit Ranks(int count) : comms_(count), streams_(count) {
    std::vector<int> devices;
    for (int rank = 0; rank < count; ++rank) devices.push_back(rank);
    SETUP_NCCL(ncclCommInitAll(comms_.data(), count, devices.data()));
    for (int rank = 0; rank < count; ++rank) {
      SETUP(cudaSetDevice(rank));
      SETUP(cudaStreamCreate(&streams_[rank]));
    }
  }
  ~Ranks() {
    for (int rank = 0; rank < size(); ++rank) {
      cudaSetDevice(rank);
      cudaStreamDestroy(streams_[rank]);
      ncclCommDestroy(comms_[rank]);
    }
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int size() const { return static_cast<int>(comms_.size()); }
  ncclComm_t comm(int rank) const { return comms_[rank]; }
  cudaStream_t stream(int rank) const { return streams_[rank]; }

  void synchronize() const {
    for (int rank = 0; rank < size(); ++rank) {
      SETUP(cudaSetDevice(rank));
      SETUP(cudaStreamSynchronize(streams_[rank]));
    }
  }

 private:
  std::vector<ncclComm_t> comms_;
  std::vector<cudaStream_t> streams_;
};

// Device memory of one rank, freed on its own device.
class RankBuffer {
 public:
  RankBuffer(int rank, const std::vector<unsigned char>& content) : rank_(rank), bytes_(content.size()) {
    SETUP(cudaSetDevice(rank_));
    SETUP(cudaMalloc(&data_, bytes_));
    SETUP(cudaMemcpy(data_, content.data(), bytes_, cudaMemcpyHostToDevice));
  }
  ~RankBuffer() {
    cudaSetDevice(rank_);
    cudaFree(data_);
  }
  RankBuffer(const RankBuffer&) = delete;
  RankBuffer& operator=(const RankBuffer&) = delete;

  void* data() const { return data_; }
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> content(bytes_);
    SETUP(cudaSetDevice(rank_));
    SETUP(cudaMemcpy(content.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    return content;
  }

 private:
  int rank_;
  size_t bytes_;
  void* data_ = nullptr;
};
