// Copies of two and three dimensions.
#include "musa/memory/copy/copy_call.h"

using namespace musashim::musa;

extern "C" {

MUresult muMemcpy2D(const MUSA_MEMCPY2D* pCopy) {
  return apiCall(
      "muMemcpy2D",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        return copyNow(request);
      },
      pCopy);
}

MUresult muMemcpy2DUnaligned(const MUSA_MEMCPY2D* pCopy) { return muMemcpy2D(pCopy); }

MUresult muMemcpy2DAsync(const MUSA_MEMCPY2D* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy2DAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

MUresult muMemcpy3D(const MUSA_MEMCPY3D* pCopy) {
  return apiCall(
      "muMemcpy3D",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        return copyNow(request);
      },
      pCopy);
}

MUresult muMemcpy3DAsync(const MUSA_MEMCPY3D* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy3DAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

MUresult muMemcpy3DPeer(const MUSA_MEMCPY3D_PEER* pCopy) {
  return apiCall(
      "muMemcpy3DPeer",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        Context *current = nullptr, *dst = nullptr, *src = nullptr;
        MUSA_TRY(currentContext(current));
        MUSA_TRY(findContext(pCopy->dstContext, dst));
        MUSA_TRY(findContext(pCopy->srcContext, src));
        return copyBetweenContexts(*current, *dst, *src, request);
      },
      pCopy);
}

MUresult muMemcpy3DPeerAsync(const MUSA_MEMCPY3D_PEER* pCopy, MUstream hStream) {
  return apiCall(
      "muMemcpy3DPeerAsync",
      [&]() -> Result {
        CopyRequest request;
        MUSA_TRY(copyRequest(pCopy, request));
        return copyLater(request, hStream);
      },
      pCopy, hStream);
}

}  // extern "C"
