// Prefetches and discards of managed memory, many in one call. All of it is one storage that host and devices
// share, so nothing moves, and what was discarded keeps its contents.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/memory/advice.h"

using namespace musashim::musa;

namespace {

struct Ranges {
  MUdeviceptr* pointers;
  size_t* sizes;
  size_t count;
};

struct Places {
  MUmemLocation* places;
  size_t* begins;
  size_t count;
};

Result checkCall(const Ranges& ranges, unsigned long long flags, MUstream hStream) {
  MUSA_REQUIRE(ranges.pointers && ranges.sizes && ranges.count != 0 && flags == 0, MUSA_ERROR_INVALID_VALUE,
               "null pointer, no ranges, or unknown flags");
  Stream* stream = nullptr;
  MUSA_TRY(findStreamOfBatch(hStream, stream));
  for (size_t i = 0; i < ranges.count; ++i) {
    Allocation allocation;
    MUSA_TRY(findManaged(ranges.pointers[i], ranges.sizes[i], allocation));
  }
  return {};
}

Result checkPlaces(const Places& places, size_t ranges) {
  MUSA_REQUIRE(places.places && places.begins && places.count != 0 && places.count <= ranges,
               MUSA_ERROR_INVALID_VALUE, fmt::format("{} places for {} ranges", places.count, ranges));
  for (size_t i = 0; i < places.count; ++i) {
    // Equal beginnings are taken (recorded): the last one counts.
    MUSA_REQUIRE((i == 0 ? places.begins[0] == 0 : places.begins[i] >= places.begins[i - 1]) &&
                     places.begins[i] < ranges,
                 MUSA_ERROR_INVALID_VALUE, "the places' beginnings do not ascend from 0");
    Result known = checkPlace(places.places[i]);
    MUSA_REQUIRE(known.isOk(), MUSA_ERROR_INVALID_VALUE, known.message());
  }
  return {};
}

Result prefetchAll(const Ranges& ranges, const Places& places, unsigned long long flags, MUstream hStream) {
  MUSA_TRY(checkCall(ranges, flags, hStream));
  MUSA_TRY(checkPlaces(places, ranges.count));
  for (size_t i = 0, of = 0; i < ranges.count; ++i) {
    while (of + 1 < places.count && places.begins[of + 1] <= i) ++of;
    Allocation allocation;
    MUSA_TRY(findManaged(ranges.pointers[i], ranges.sizes[i], allocation));
    driver().advice().apply(allocation, ranges.pointers[i], ranges.sizes[i],
                            [&](Advice& each) { each.prefetched = places.places[of]; });
  }
  return {};
}

}  // namespace

extern "C" {

MUresult muMemPrefetchBatchAsync(MUdeviceptr* dptrs, size_t* sizes, size_t count, MUmemLocation* prefetchLocs,
                                 size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                 MUstream hStream) {
  return apiCall(
      "muMemPrefetchBatchAsync",
      [&] {
        return prefetchAll({dptrs, sizes, count}, {prefetchLocs, prefetchLocIdxs, numPrefetchLocs}, flags,
                           hStream);
      },
      dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream);
}

MUresult muMemDiscardBatchAsync(MUdeviceptr* dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                MUstream hStream) {
  return apiCall(
      "muMemDiscardBatchAsync", [&] { return checkCall({dptrs, sizes, count}, flags, hStream); }, dptrs,
      sizes, count, flags, hStream);
}

MUresult muMemDiscardAndPrefetchBatchAsync(MUdeviceptr* dptrs, size_t* sizes, size_t count,
                                           MUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                           size_t numPrefetchLocs, unsigned long long flags,
                                           MUstream hStream) {
  return apiCall(
      "muMemDiscardAndPrefetchBatchAsync",
      [&] {
        return prefetchAll({dptrs, sizes, count}, {prefetchLocs, prefetchLocIdxs, numPrefetchLocs}, flags,
                           hStream);
      },
      dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream);
}

}  // extern "C"
