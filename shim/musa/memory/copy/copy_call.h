// What the entries that copy have in common.
#pragma once

#include "musa/api/api_call.h"
#include "musa/memory/copy/copy.h"

namespace musashim::musa {

// Bytes in a row.
inline CopyRequest linear(void* dst, const void* src, size_t bytes, Side dstSide, Side srcSide) {
  return {.copy = {.dst = dst, .src = src, .width = bytes}, .dst = dstSide, .src = srcSide};
}

// On the current context's legacy stream.
inline Result copyNow(const CopyRequest& request) {
  Context* context = nullptr;
  Stream* stream = nullptr;
  MUSA_TRY(currentContext(context));
  MUSA_TRY(findStream(nullptr, stream));
  return copySynchronously(*context, request);
}

// On a stream, or into the graph that it captures.
inline Result copyLater(const CopyRequest& request, MUstream hStream) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  return copyAsynchronously(*stream, request);
}

}  // namespace musashim::musa
