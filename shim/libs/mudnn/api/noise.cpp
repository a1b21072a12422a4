// Local response normalisation and dropout.
#include <algorithm>
#include <cmath>

#include "libs/mudnn/api/dropout.h"
#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/api/tensor_checks.h"
#include "libs/mudnn/operations/elementwise/gates.h"
#include "libs/mudnn/operations/lrn.h"

struct mudnnLRNStruct {
  musashim::mudnn::LocalResponse norm;
};

using namespace musashim::mudnn;

namespace {

constexpr size_t kStatesSize = 2 * sizeof(uint64_t);

Array maskOf(const Array& like, void* memory, size_t size) {
  require(memory && size >= static_cast<size_t>(like.count()), "the reserve space is too small");
  return contiguousArray(Element::kBool, memory, like.rank, like.sizes.data());
}

// There is one mode, whatever a call asks for.
void checkLrn(mudnnLRNDescriptor_t descriptor, mudnnLRNMode_t) {
  require(descriptor, "the descriptor is missing");
}

// Memory that lies as a tensor; none where there is none.
Array like(Array array, const void* data) {
  array.data = const_cast<void*>(data);
  return array;
}

mudnnStatus_t setDropout(mudnnDropoutDescriptor_t descriptor, mudnnHandle_t handle, float dropout,
                         void* states, size_t size, unsigned long long seed, bool isNew) {
  if (!descriptor || !isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
  if (!states) {  // as before, with another probability
    descriptor->probability = dropout;
    return MUDNN_STATUS_SUCCESS;
  }
  if (size < kStatesSize) return MUDNN_STATUS_BAD_PARAM;
  *descriptor = {dropout, static_cast<uint64_t*>(states), seed};
  if (!isNew) return MUDNN_STATUS_SUCCESS;
  return queue(handle, [at = descriptor->states, seed] {
    at[0] = seed;
    at[1] = 0;
  });
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(LRN)
MUDNN_DESCRIPTOR(Dropout)

MUDNN_ENTRY mudnnSetLRNDescriptor(mudnnLRNDescriptor_t normDesc, unsigned lrnN, double lrnAlpha,
                                  double lrnBeta, double lrnK) {
  return entry(
      "mudnnSetLRNDescriptor",
      [&] {
        if (!normDesc || lrnN < MUDNN_LRN_MIN_N || lrnN > MUDNN_LRN_MAX_N || lrnBeta < MUDNN_LRN_MIN_BETA ||
            lrnK < MUDNN_LRN_MIN_K)
          return MUDNN_STATUS_BAD_PARAM;
        normDesc->norm = {static_cast<int64_t>(lrnN), lrnAlpha, lrnBeta, lrnK};
        return MUDNN_STATUS_SUCCESS;
      },
      normDesc, lrnN, lrnAlpha, lrnBeta, lrnK);
}

MUDNN_ENTRY mudnnGetLRNDescriptor(mudnnLRNDescriptor_t normDesc, unsigned* lrnN, double* lrnAlpha,
                                  double* lrnBeta, double* lrnK) {
  return entry(
      "mudnnGetLRNDescriptor",
      [&] {
        if (!normDesc) return MUDNN_STATUS_BAD_PARAM;
        if (lrnN) *lrnN = static_cast<unsigned>(normDesc->norm.n);
        if (lrnAlpha) *lrnAlpha = normDesc->norm.alpha;
        if (lrnBeta) *lrnBeta = normDesc->norm.beta;
        if (lrnK) *lrnK = normDesc->norm.k;
        return MUDNN_STATUS_SUCCESS;
      },
      normDesc);
}

MUDNN_ENTRY mudnnLRNCrossChannelForward(mudnnHandle_t handle, mudnnLRNDescriptor_t normDesc,
                                        mudnnLRNMode_t lrnMode, const void* alpha,
                                        const mudnnTensorDescriptor_t xDesc, const void* x, const void* beta,
                                        const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnLRNCrossChannelForward", handle,
      [&] {
        checkLrn(normDesc, lrnMode);
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        requireSameTypes({&in, &out});
        return blended(factor(alpha, out), factor(beta, out), out,
                       [&](const Array& result) { return localResponse(normDesc->norm, result, in); });
      },
      normDesc, lrnMode, alpha, xDesc, x, beta, yDesc, y);
}

MUDNN_ENTRY mudnnLRNCrossChannelBackward(mudnnHandle_t handle, mudnnLRNDescriptor_t normDesc,
                                         mudnnLRNMode_t lrnMode, const void* alpha,
                                         const mudnnTensorDescriptor_t yDesc, const void* y,
                                         const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                         const mudnnTensorDescriptor_t xDesc, const void* x, const void* beta,
                                         const mudnnTensorDescriptor_t dxDesc, void* dx) {
  return work(
      "mudnnLRNCrossChannelBackward", handle,
      [&] {
        checkLrn(normDesc, lrnMode);
        const Array out = tensor(yDesc, y), gradOut = tensor(dyDesc, dy), in = tensor(xDesc, x),
                    gradIn = tensor(dxDesc, dx);
        for (const Array* const array : {&out, &gradOut, &gradIn})
          requireSupport(array->sameSizes(in), "the tensors have different sizes");
        return blended(factor(alpha, gradIn), factor(beta, gradIn), gradIn, [&](const Array& result) {
          return localResponseBackward(normDesc->norm, result, in, gradOut);
        });
      },
      normDesc, lrnMode, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
}

MUDNN_ENTRY mudnnDivisiveNormalizationForward(mudnnHandle_t handle, mudnnLRNDescriptor_t normDesc,
                                              mudnnDivNormMode_t mode, const void* alpha,
                                              const mudnnTensorDescriptor_t xDesc, const void* x,
                                              const void* means, void* temp, void* temp2, const void* beta,
                                              const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnDivisiveNormalizationForward", handle,
      [&] {
        require(normDesc && temp && temp2, "the descriptor or memory is missing");
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y), mean = like(in, means);
        requireSameTypes({&in, &out});
        return blended(factor(alpha, out), factor(beta, out), out,
                       [&](const Array& result) { return divisive(normDesc->norm, result, in, mean); });
      },
      normDesc, mode, alpha, xDesc, x, means, temp, temp2, beta, yDesc, y);
}

MUDNN_ENTRY mudnnDivisiveNormalizationBackward(mudnnHandle_t handle, mudnnLRNDescriptor_t normDesc,
                                               mudnnDivNormMode_t mode, const void* alpha,
                                               const mudnnTensorDescriptor_t xDesc, const void* x,
                                               const void* means, const void* dy, void* temp, void* temp2,
                                               const void* beta, const mudnnTensorDescriptor_t dXdMeansDesc,
                                               void* dx, void* dMeans) {
  return work(
      "mudnnDivisiveNormalizationBackward", handle,
      [&]() -> Work {
        require(normDesc && temp && temp2, "the descriptor or memory is missing");
        const Array in = tensor(xDesc, x), gradOut = tensor(xDesc, dy), gradIn = tensor(dXdMeansDesc, dx),
                    mean = like(in, means), gradMean = like(gradIn, dMeans);
        requireSameTypes({&in, &gradIn});
        const double a = factor(alpha, gradIn), b = factor(beta, gradIn);
        const Work first = blended(a, b, gradIn, [&](const Array& result) {
          return divisiveBackward(normDesc->norm, result, in, mean, gradOut);
        });
        if (!gradMean.data) return first;
        const Work second = blended(a, b, gradMean, [&](const Array& result) {
          return divisiveBackwardMeans(normDesc->norm, result, in, mean, gradOut);
        });
        return [=] {
          first();
          second();
        };
      },
      normDesc, mode, alpha, xDesc, x, means, dy, temp, temp2, beta, dXdMeansDesc, dx, dMeans);
}

MUDNN_ENTRY mudnnDropoutGetStatesSize(mudnnHandle_t handle, size_t* sizeInBytes) {
  return entry(
      "mudnnDropoutGetStatesSize",
      [&] {
        if (!isHandle(handle) || !sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        *sizeInBytes = kStatesSize;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, sizeInBytes);
}

MUDNN_ENTRY mudnnDropoutGetReserveSpaceSize(mudnnTensorDescriptor_t xdesc, size_t* sizeInBytes) {
  return entry(
      "mudnnDropoutGetReserveSpaceSize",
      [&] {
        if (!sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        *sizeInBytes = static_cast<size_t>(shapeOf(xdesc).count());
        return MUDNN_STATUS_SUCCESS;
      },
      xdesc, sizeInBytes);
}

MUDNN_ENTRY mudnnSetDropoutDescriptor(mudnnDropoutDescriptor_t dropoutDesc, mudnnHandle_t handle,
                                      float dropout, void* states, size_t stateSizeInBytes,
                                      unsigned long long seed) {
  return entry(
      "mudnnSetDropoutDescriptor",
      [&] { return setDropout(dropoutDesc, handle, dropout, states, stateSizeInBytes, seed, true); },
      dropoutDesc, handle, dropout, states, stateSizeInBytes, seed);
}

MUDNN_ENTRY mudnnRestoreDropoutDescriptor(mudnnDropoutDescriptor_t dropoutDesc, mudnnHandle_t handle,
                                          float dropout, void* states, size_t stateSizeInBytes,
                                          unsigned long long seed) {
  return entry(
      "mudnnRestoreDropoutDescriptor",
      [&] {
        if (!states) return MUDNN_STATUS_BAD_PARAM;
        return setDropout(dropoutDesc, handle, dropout, states, stateSizeInBytes, seed, false);
      },
      dropoutDesc, handle, dropout, states, stateSizeInBytes, seed);
}

MUDNN_ENTRY mudnnGetDropoutDescriptor(mudnnDropoutDescriptor_t dropoutDesc, mudnnHandle_t handle,
                                      float* dropout, void** states, unsigned long long* seed) {
  return entry(
      "mudnnGetDropoutDescriptor",
      [&] {
        if (!dropoutDesc || !isHandle(handle)) return MUDNN_STATUS_BAD_PARAM;
        if (dropout) *dropout = dropoutDesc->probability;
        if (states) *states = dropoutDesc->states;
        if (seed) *seed = dropoutDesc->seed;
        return MUDNN_STATUS_SUCCESS;
      },
      dropoutDesc, handle);
}

MUDNN_ENTRY mudnnDropoutForward(mudnnHandle_t handle, const mudnnDropoutDescriptor_t dropoutDesc,
                                const mudnnTensorDescriptor_t xdesc, const void* x,
                                const mudnnTensorDescriptor_t ydesc, void* y, void* reserveSpace,
                                size_t reserveSpaceSizeInBytes) {
  return work(
      "mudnnDropoutForward", handle,
      [&]() -> Work {
        require(dropoutDesc && dropoutDesc->states, "the dropout has no states");
        const Array in = tensor(xdesc, x), out = tensor(ydesc, y);
        requireSameTypes({&in, &out});
        uint64_t* const states = dropoutDesc->states;
        const Work drops = dropout(
            {std::clamp(static_cast<double>(dropoutDesc->probability), 0.0, 1.0), 0, 0, states, states + 1},
            out, in, maskOf(in, reserveSpace, reserveSpaceSizeInBytes));
        return [=, count = static_cast<uint64_t>(in.count())] {
          drops();
          states[1] += (count + 3) / 4 * 4;  // the next call has other numbers
        };
      },
      dropoutDesc, xdesc, x, ydesc, y, reserveSpace, reserveSpaceSizeInBytes);
}

MUDNN_ENTRY mudnnDropoutBackward(mudnnHandle_t handle, const mudnnDropoutDescriptor_t dropoutDesc,
                                 const mudnnTensorDescriptor_t dydesc, const void* dy,
                                 const mudnnTensorDescriptor_t dxdesc, void* dx, void* reserveSpace,
                                 size_t reserveSpaceSizeInBytes) {
  return work(
      "mudnnDropoutBackward", handle,
      [&] {
        require(dropoutDesc, "the descriptor is missing");
        const Array gradOut = tensor(dydesc, dy), gradIn = tensor(dxdesc, dx);
        requireSameTypes({&gradOut, &gradIn});
        require(gradOut.sameSizes(gradIn), "the tensors have different sizes");
        const double stays = 1 - static_cast<double>(dropoutDesc->probability);
        return dropoutBackward(stays > 0 ? 1 / stays : 0, gradIn, gradOut,
                               maskOf(gradIn, reserveSpace, reserveSpaceSizeInBytes));
      },
      dropoutDesc, dydesc, dy, dxdesc, dx, reserveSpace, reserveSpaceSizeInBytes);
}

}  // extern "C"
