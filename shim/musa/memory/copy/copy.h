// Copies and fills: checks of the ranges, and CUDA's rules about who waits when.
//
//   request -> where is each side? -> stage or wait where pageable memory asks for it -> queue
#pragma once

#include <cstdint>

#include "interface/command.h"
#include "musa/api/result.h"
#include "musa/context/context.h"

namespace musashim::musa {

// What a side of a copy has to be.
enum class Side {
  kAny,
  kDevice,  // reachable by devices: theirs, managed or page-locked
};

struct CopyRequest {
  backend::Copy copy;
  Side dst = Side::kAny;
  Side src = Side::kAny;
};

// The structs of 2D and 3D copies as requests.
Result copyRequest(const MUSA_MEMCPY2D* params, CopyRequest& request);
Result copyRequest(const MUSA_MEMCPY3D* params, CopyRequest& request);
Result copyRequest(const MUSA_MEMCPY3D_PEER* params, CopyRequest& request);
// What the functions below check: ranges and sides.
Result checkCopy(const CopyRequest& request);
Result checkFill(const Context& context, const backend::Fill& fill);

// On the context's legacy stream. Returns when the host may use both sides again:
// at once for a copy between devices, else when it is done.
Result copySynchronously(Context& context, const CopyRequest& request);

// On `stream`. Pageable host memory is read before this returns, and written before
// this returns, as CUDA documents; page-locked memory when the stream gets there.
// With kNow, any source is read before this returns, whatever the stream does.
enum class ReadSource { kInTurn, kNow };
Result copyAsynchronously(Stream& stream, const CopyRequest& request, ReadSource when = ReadSource::kInTurn);

// As copySynchronously(), and in order with all work of the three contexts.
Result copyBetweenContexts(Context& current, Context& dst, Context& src, const CopyRequest& request);

// On `stream`. With `synchronous`, waits when the memory is the host's.
Result fill(Stream& stream, const backend::Fill& fill, bool synchronous);

}  // namespace musashim::musa
