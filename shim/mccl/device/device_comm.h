// Device communicators: memory of each rank for barriers, signals and what users ask for, which is a window.
#pragma once

#include <memory>

#include "mccl/device/window.h"
#include "mccl_device/core.h"

namespace musashim::mccl {

// What a device communicator's resource window is to hold. Checked, and with the outcome for the user's
// lists.
class ResourcePlan {
 public:
  // mcclInvalidArgument: negative counts, an alignment that is none. mcclInvalidUsage: what is not here, with
  // a reason.
  static mcclResult_t make(const mcclDevCommRequirements_t& requirements, const mcclDevComm_t& ranks,
                           ResourcePlan& plan);

  size_t bytes() const { return bytes_; }
  // All but the window; also writes what the lists of `requirements` ask to be told.
  void describe(const mcclDevCommRequirements_t& requirements, mcclDevComm_t& comm) const;

 private:
  mcclDevResourceHandle_t take(size_t bytes, size_t alignment = 128);
  mcclLsaBarrierHandle_t takeLsaBarriers(int ranks, int count);
  mcclGinBarrierHandle_t takeGinBarriers(int ranks, int count);
  mcclResult_t addList(const mcclDevResourceRequirements_t* list);

  size_t bytes_ = 0;
  mcclDevComm_t comm_{};
  std::vector<mcclDevResourceHandle_t> buffers_;  // of the list, in its order
};

// The device communicator itself, of one rank.
class DeviceComm {
 public:
  DeviceComm(Member& member, const mcclDevCommRequirements_t& requirements);

  // The steps: see Window.
  mcclResult_t tell();
  mcclResult_t map() { return window_.map(); }
  mcclResult_t settle() { return window_.settle(); }

  // Once it is made.
  mcclDevComm_t describe() const;
  const void* handle() const { return window_.handle(); }

 private:
  Member& member_;
  const mcclDevCommRequirements_t requirements_;  // the lists are the user's
  ResourcePlan plan_;
  DeviceMemory memory_;
  Window window_;
};

// Ranks and teams of a communicator; the rest is zero.
mcclDevComm_t ranksOf(const Member& member);

}  // namespace musashim::mccl
