// Managed memory: advice, prefetches, and what a range says of itself.
#include <fmt/format.h>

#include <algorithm>

#include "musa/api/api_call.h"
#include "musa/graph/capture/capture.h"
#include "musa/memory/advice.h"

using namespace musashim::musa;

Result musashim::musa::findManaged(MUdeviceptr address, size_t bytes, Allocation& allocation) {
  auto found = driver().allocations().find(address);
  MUSA_REQUIRE(bytes && found && found->kind == MemoryKind::kManaged && found->contains(address, bytes),
               MUSA_ERROR_INVALID_VALUE, "not a range of managed memory");
  allocation = *found;
  return {};
}

Result musashim::musa::checkPlace(const MUmemLocation& place) {
  switch (place.type) {
    case MU_MEM_LOCATION_TYPE_HOST:
    case MU_MEM_LOCATION_TYPE_HOST_NUMA:
    case MU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return {};
    case MU_MEM_LOCATION_TYPE_DEVICE: {
      DeviceState* device = nullptr;
      return findDevice(place.id, device);
    }
    default:
      return {MUSA_ERROR_INVALID_VALUE, fmt::format("no place of type {}", static_cast<int>(place.type))};
  }
}

namespace {

// CUDA 12's way to name a place: a device, or the host as -1.
MUmemLocation placeOf(MUdevice device) {
  if (device == MU_DEVICE_CPU) return {MU_MEM_LOCATION_TYPE_HOST, 0};
  return {MU_MEM_LOCATION_TYPE_DEVICE, device};
}

int ordinalOf(const MUmemLocation& place) {
  return place.type == MU_MEM_LOCATION_TYPE_DEVICE ? place.id : MU_DEVICE_CPU;
}

void applyAdvice(Advice& advice, MUmem_advise what, const MUmemLocation& place) {
  auto& users = advice.accessedBy;
  switch (what) {
    case MU_MEM_ADVISE_SET_READ_MOSTLY:
      advice.readMostly = true;
      return;
    case MU_MEM_ADVISE_UNSET_READ_MOSTLY:
      advice.readMostly = false;
      return;
    case MU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      advice.preferred = place;
      return;
    case MU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      advice.preferred = Advice{}.preferred;
      return;
    case MU_MEM_ADVISE_SET_ACCESSED_BY:
      if (std::ranges::find(users, ordinalOf(place)) == users.end()) users.push_back(ordinalOf(place));
      return;
    case MU_MEM_ADVISE_UNSET_ACCESSED_BY:
      std::erase(users, ordinalOf(place));
      return;
  }
}

Result advise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, const MUmemLocation& place) {
  MUSA_REQUIRE(advice >= MU_MEM_ADVISE_SET_READ_MOSTLY && advice <= MU_MEM_ADVISE_UNSET_ACCESSED_BY,
               MUSA_ERROR_INVALID_VALUE, "unknown advice");
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  Allocation allocation;
  MUSA_TRY(findManaged(devPtr, count, allocation));
  const bool usesPlace =
      advice == MU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice >= MU_MEM_ADVISE_SET_ACCESSED_BY;
  if (usesPlace) {
    Result known = checkPlace(place);
    MUSA_REQUIRE(known.isOk(), MUSA_ERROR_INVALID_VALUE, known.message());
  }
  driver().advice().apply(allocation, devPtr, count, [&](Advice& each) { applyAdvice(each, advice, place); });
  return {};
}

Result prefetch(MUdeviceptr devPtr, size_t count, const MUmemLocation& place, unsigned flags,
                MUstream hStream) {
  MUSA_REQUIRE(flags == 0, MUSA_ERROR_INVALID_VALUE, fmt::format("unknown flags {:#x}", flags));
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream));
  Allocation allocation;
  MUSA_TRY(findManaged(devPtr, count, allocation));
  MUSA_TRY(checkPlace(place));
  driver().advice().apply(allocation, devPtr, count, [&](Advice& each) { each.prefetched = place; });
  return {};
}

bool same(const MUmemLocation& a, const MUmemLocation& b) { return a.type == b.type && a.id == b.id; }

// The place that all parts have in common, if they have.
MUmemLocation common(const std::vector<Advice>& parts, MUmemLocation Advice::* place) {
  for (const Advice& part : parts) {
    if (!same(part.*place, parts[0].*place)) return Advice{}.preferred;
  }
  return parts[0].*place;
}

int oldName(const MUmemLocation& place) {
  return place.type == MU_MEM_LOCATION_TYPE_INVALID ? MU_DEVICE_INVALID : ordinalOf(place);
}

void accessedByAll(const std::vector<Advice>& parts, int* out, size_t count) {
  std::fill(out, out + count, MU_DEVICE_INVALID);
  size_t next = 0;
  for (int user : parts[0].accessedBy) {
    const bool everywhere = std::ranges::all_of(parts, [&](const Advice& part) {
      return std::ranges::find(part.accessedBy, user) != part.accessedBy.end();
    });
    if (everywhere && next < count) out[next++] = user;
  }
}

Result readAttribute(const std::vector<Advice>& parts, MUmem_range_attribute attribute, void* data,
                     size_t size) {
  MUSA_REQUIRE(data && size != 0 && size % sizeof(int) == 0, MUSA_ERROR_INVALID_VALUE,
               fmt::format("{} bytes for an attribute", size));
  int* out = static_cast<int*>(data);
  if (attribute == MU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
    accessedByAll(parts, out, size / sizeof(int));
    return {};
  }
  MUSA_REQUIRE(size == sizeof(int), MUSA_ERROR_INVALID_VALUE, fmt::format("{} bytes for an attribute", size));
  const MUmemLocation preferred = common(parts, &Advice::preferred),
                      last = common(parts, &Advice::prefetched);
  switch (attribute) {
    case MU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      *out = std::ranges::all_of(parts, &Advice::readMostly);
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      *out = oldName(preferred);
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      *out = oldName(last);
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      *out = preferred.type;
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      *out = preferred.id;
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      *out = last.type;
      return {};
    case MU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      *out = last.id;
      return {};
    default:
      return {MUSA_ERROR_INVALID_VALUE, fmt::format("unknown attribute {}", static_cast<int>(attribute))};
  }
}

Result rangeAdvice(MUdeviceptr devPtr, size_t count, std::vector<Advice>& parts) {
  Context* context = nullptr;
  MUSA_TRY(currentContext(context));
  Allocation allocation;
  MUSA_TRY(findManaged(devPtr, count, allocation));
  parts = driver().advice().of(allocation, devPtr, count);
  return {};
}

}  // namespace

extern "C" {

MUresult muMemPrefetchAsync(MUdeviceptr devPtr, size_t count, MUdevice dstDevice, MUstream hStream) {
  return apiCall(
      "muMemPrefetchAsync", [&] { return prefetch(devPtr, count, placeOf(dstDevice), 0, hStream); }, devPtr,
      count, dstDevice, hStream);
}

MUresult muMemPrefetchAsync_v2(MUdeviceptr devPtr, size_t count, MUmemLocation location, unsigned int flags,
                               MUstream hStream) {
  return apiCall(
      "muMemPrefetchAsync_v2", [&] { return prefetch(devPtr, count, location, flags, hStream); }, devPtr,
      count, flags, hStream);
}

MUresult muMemAdvise(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUdevice device) {
  return apiCall(
      "muMemAdvise", [&] { return advise(devPtr, count, advice, placeOf(device)); }, devPtr, count, advice,
      device);
}

MUresult muMemAdvise_v2(MUdeviceptr devPtr, size_t count, MUmem_advise advice, MUmemLocation location) {
  return apiCall(
      "muMemAdvise_v2", [&] { return advise(devPtr, count, advice, location); }, devPtr, count, advice);
}

MUresult muMemRangeGetAttribute(void* data, size_t dataSize, MUmem_range_attribute attribute,
                                MUdeviceptr devPtr, size_t count) {
  return apiCall(
      "muMemRangeGetAttribute",
      [&]() -> Result {
        std::vector<Advice> parts;
        MUSA_TRY(rangeAdvice(devPtr, count, parts));
        return readAttribute(parts, attribute, data, dataSize);
      },
      data, dataSize, attribute, devPtr, count);
}

MUresult muMemRangeGetAttributes(void** data, size_t* dataSizes, MUmem_range_attribute* attributes,
                                 size_t numAttributes, MUdeviceptr devPtr, size_t count) {
  return apiCall(
      "muMemRangeGetAttributes",
      [&]() -> Result {
        MUSA_REQUIRE(data && dataSizes && attributes && numAttributes != 0, MUSA_ERROR_INVALID_VALUE,
                     "no attributes");
        std::vector<Advice> parts;
        MUSA_TRY(rangeAdvice(devPtr, count, parts));
        for (size_t i = 0; i < numAttributes; ++i) {
          MUSA_TRY(readAttribute(parts, attributes[i], data[i], dataSizes[i]));
        }
        return {};
      },
      data, dataSizes, attributes, numAttributes, devPtr, count);
}

}  // extern "C"
