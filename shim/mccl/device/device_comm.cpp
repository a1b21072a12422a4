#include "mccl/device/device_comm.h"

#include <algorithm>
#include <cstdint>

#include "mccl/core/log.h"
#include "mccl_device/teams.h"

namespace musashim::mccl {
namespace {

constexpr const char* kName = "DevCommCreate";
constexpr size_t kUnit = 128;  // of handles
constexpr size_t kMostBytes = size_t{1} << 38;

bool wantsGin(const mcclDevCommRequirements_t& requirements) {
  bool wants = requirements.ginForceEnable || requirements.ginSignalCount > 0 ||
               requirements.ginCounterCount > 0 || requirements.ginContextCount > 0 ||
               requirements.barrierCount > 0 || requirements.railGinBarrierCount > 0;
  for (const auto* one = requirements.resourceRequirementsList; one; one = one->next)
    wants = wants || one->ginSignalCount > 0 || one->ginCounterCount > 0;
  return wants;
}

bool wantsMultimem(const mcclDevCommRequirements_t& requirements) {
  bool wants = requirements.lsaMultimem;
  for (const auto* one = requirements.teamRequirementsList; one; one = one->next)
    wants = wants || one->multimem;
  return wants;
}

bool isNegative(const mcclDevCommRequirements_t& requirements) {
  return std::min({requirements.barrierCount, requirements.lsaBarrierCount, requirements.railGinBarrierCount,
                   requirements.ginContextCount, requirements.ginSignalCount, requirements.ginCounterCount}) <
         0;
}

}  // namespace

mcclDevResourceHandle_t ResourcePlan::take(size_t bytes, size_t alignment) {
  bytes_ = (bytes_ + alignment - 1) / alignment * alignment;
  const size_t place = bytes_;
  bytes_ += (bytes + kUnit - 1) / kUnit * kUnit;
  return static_cast<mcclDevResourceHandle_t>(place / kUnit);
}

mcclLsaBarrierHandle_t ResourcePlan::takeLsaBarriers(int ranks, int count) {
  return {take(mccli::barrierBytes(ranks) * static_cast<size_t>(count)), count};
}

mcclGinBarrierHandle_t ResourcePlan::takeGinBarriers(int ranks, int count) {
  return {take(mccli::barrierBytes(ranks) * static_cast<size_t>(count)), count};
}

mcclResult_t ResourcePlan::addList(const mcclDevResourceRequirements_t* list) {
  for (const auto* one = list; one; one = one->next) {
    const size_t alignment = std::max(one->bufferAlign, kUnit);
    if ((one->bufferAlign & (one->bufferAlign - 1)) != 0 || alignment > MCCL_WIN_REQUIRED_ALIGNMENT ||
        one->ginSignalCount < 0 || one->ginCounterCount < 0 || one->bufferSize > kMostBytes) {
      return fail(mcclInvalidArgument,
                  "{} : an entry of resourceRequirementsList asks for {} bytes at {}, {} "
                  "signals and {} counters",
                  kName, one->bufferSize, one->bufferAlign, one->ginSignalCount, one->ginCounterCount);
    }
    buffers_.push_back(take(one->bufferSize, alignment));
    comm_.ginSignalCount += one->ginSignalCount;
    comm_.ginCounterCount += one->ginCounterCount;
  }
  return mcclSuccess;
}

mcclResult_t ResourcePlan::make(const mcclDevCommRequirements_t& requirements, const mcclDevComm_t& ranks,
                                ResourcePlan& plan) {
  if (isNegative(requirements)) return fail(mcclInvalidArgument, "{} : a count is negative", kName);
  if (requirements.lsaLLA2ABlockCount != 0 || requirements.lsaLLA2ASlotCount != 0) {
    return fail(
        mcclInvalidUsage,
        "{} : there are no LLA2A sessions here, whose interface NCCL's documentation does not describe; "
        "write to the peers' memory (mcclGetLsaPointer) between two LSA barriers",
        kName);
  }
  if (wantsMultimem(requirements)) {
    return fail(mcclInvalidUsage,
                "{} : no device has multicast memory here (multimem); leave lsaMultimem away, and "
                "loop over the peers of the LSA team",
                kName);
  }
  const bool hasRails = ranks.lsaSize != ranks.nRanks, hasGin = wantsGin(requirements);
  if (hasGin && hasRails) {
    return fail(mcclInvalidUsage,
                "{} : barriers of all ranks, signals and counters (GIN) are there among ranks of "
                "one host only, and {} of {} ranks reach each other's memory; use mcclSend and mcclRecv, or "
                "MTSHMEM, to other hosts",
                kName, ranks.lsaSize, ranks.nRanks);
  }
  mcclDevComm_t& comm = plan.comm_;
  comm = ranks;
  comm.ginContextCount = hasGin ? 1 : 0;
  comm.lsaBarrier = plan.takeLsaBarriers(ranks.lsaSize, requirements.lsaBarrierCount);
  comm.hybridLsaBarrier = plan.takeLsaBarriers(ranks.lsaSize, requirements.barrierCount);
  // Rail teams are of one rank where there is GIN; users give the handle to barriers of other teams as well.
  comm.railGinBarrier = plan.takeGinBarriers(ranks.nRanks, requirements.railGinBarrierCount);
  comm.hybridGinBarrier = plan.takeGinBarriers(ranks.nRanks, requirements.barrierCount);
  comm.ginSignalCount = requirements.ginSignalCount;
  comm.ginCounterCount = requirements.ginCounterCount;
  MCCL_RETURN_IF_ERROR(plan.addList(requirements.resourceRequirementsList));
  comm.ginSignals = plan.take(static_cast<size_t>(comm.ginSignalCount) * sizeof(uint64_t));
  comm.ginCounters = plan.take(static_cast<size_t>(comm.ginCounterCount) * sizeof(uint64_t));
  plan.bytes_ = std::max(plan.bytes_, kUnit);
  if (plan.bytes_ <= kMostBytes) return mcclSuccess;
  return fail(mcclInvalidArgument, "{} : the requirements come to {} bytes", kName, plan.bytes_);
}

void ResourcePlan::describe(const mcclDevCommRequirements_t& requirements, mcclDevComm_t& comm) const {
  comm = comm_;
  auto buffer = buffers_.begin();
  int signals = requirements.ginSignalCount, counters = requirements.ginCounterCount;
  for (const auto* one = requirements.resourceRequirementsList; one; one = one->next) {
    if (one->outBufferHandle) *one->outBufferHandle = *buffer;
    if (one->outGinSignalStart) *one->outGinSignalStart = static_cast<mcclGinSignal_t>(signals);
    if (one->outGinCounterStart) *one->outGinCounterStart = static_cast<mcclGinCounter_t>(counters);
    ++buffer;
    signals += one->ginSignalCount;
    counters += one->ginCounterCount;
  }
}

DeviceComm::DeviceComm(Member& member, const mcclDevCommRequirements_t& requirements)
    : member_(member), requirements_(requirements), window_(member, MemoryCard::kDeviceComm, kName) {}

mcclResult_t DeviceComm::tell() {
  mcclResult_t result = ResourcePlan::make(requirements_, ranksOf(member_), plan_);
  if (result == mcclSuccess) result = memory_.allocate(member_.device(), plan_.bytes());
  return window_.tell(memory_.data(), plan_.bytes(), result);
}

mcclDevComm_t DeviceComm::describe() const {
  mcclDevComm_t comm{};
  plan_.describe(requirements_, comm);
  comm.resourceWindow = window_.handle();
  return comm;
}

mcclDevComm_t ranksOf(const Member& member) {
  mcclDevComm_t comm{};
  const int size = lsaSizeOf(member.communicator().roster());
  comm.rank = member.rank();
  comm.nRanks = member.ranks();
  comm.lsaRank = member.rank() % size;
  comm.lsaSize = size;
  return comm;
}

}  // namespace musashim::mccl
