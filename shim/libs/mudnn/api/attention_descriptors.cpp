// Descriptors of multi-head attention and of its sequences.
#include <algorithm>

#include "libs/mudnn/api/attention.h"
#include "libs/mudnn/api/dropout.h"
#include "libs/mudnn/core/elements.h"

using namespace musashim::mudnn;

namespace musashim::mudnn {

bool isTypeOfAttention(mudnnDataType_t type, mudnnDataType_t precision) {
  if (type == MUDNN_DATA_HALF) return precision == MUDNN_DATA_HALF || precision == MUDNN_DATA_FLOAT;
  if (type == MUDNN_DATA_BFLOAT16) return precision == MUDNN_DATA_FLOAT;
  return (type == MUDNN_DATA_FLOAT || type == MUDNN_DATA_DOUBLE) && precision == type;
}

}  // namespace musashim::mudnn

namespace {

template <class T>
void put(T* to, T value) {
  if (to) *to = value;
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(SeqData)
MUDNN_DESCRIPTOR(Attn)

MUDNN_ENTRY mudnnSetSeqDataDescriptor(mudnnSeqDataDescriptor_t seqDataDesc, mudnnDataType_t dataType,
                                      int nbDims, const int* dimA, const mudnnSeqDataAxis_t* axes,
                                      size_t seqLengthArraySize, const int* seqLengthArray,
                                      void* paddingFill) {
  return entry(
      "mudnnSetSeqDataDescriptor",
      [&] {
        if (!seqDataDesc || nbDims != MUDNN_SEQDATA_DIM_COUNT || !dimA || !axes || !seqLengthArray)
          return MUDNN_STATUS_BAD_PARAM;
        if (!isTypeOfAttention(dataType,
                               dataType == MUDNN_DATA_DOUBLE ? MUDNN_DATA_DOUBLE : MUDNN_DATA_FLOAT))
          return MUDNN_STATUS_BAD_PARAM;
        mudnnSeqDataStruct value;
        unsigned seen = 0;
        for (int i = 0; i < MUDNN_SEQDATA_DIM_COUNT; ++i) {
          if (dimA[i] < 1 || axes[i] < MUDNN_SEQDATA_TIME_DIM || axes[i] > MUDNN_SEQDATA_VECT_DIM)
            return MUDNN_STATUS_BAD_PARAM;
          value.sizes[i] = dimA[i];
          value.axes[i] = axes[i];
          seen |= 1U << axes[i];
        }
        const auto sequences = static_cast<size_t>(dimA[MUDNN_SEQDATA_BATCH_DIM]) *
                               static_cast<size_t>(dimA[MUDNN_SEQDATA_BEAM_DIM]);
        if (seen != 15 || seqLengthArraySize != sequences) return MUDNN_STATUS_BAD_PARAM;
        if (axes[3] != MUDNN_SEQDATA_VECT_DIM) return MUDNN_STATUS_NOT_SUPPORTED;
        value.lengths.assign(seqLengthArray, seqLengthArray + sequences);
        for (const int length : value.lengths)
          if (length < 0 || length > dimA[MUDNN_SEQDATA_TIME_DIM]) return MUDNN_STATUS_BAD_PARAM;
        value.isSet = true;
        value.type = dataType;
        if (paddingFill) {
          value.fills = true;
          readRun(elementOf(dataType), paddingFill, 1, 1, &value.fill);
        }
        *seqDataDesc = std::move(value);
        return MUDNN_STATUS_SUCCESS;
      },
      seqDataDesc, dataType, nbDims, dimA, axes, seqLengthArraySize, seqLengthArray, paddingFill);
}

MUDNN_ENTRY mudnnGetSeqDataDescriptor(const mudnnSeqDataDescriptor_t seqDataDesc, mudnnDataType_t* dataType,
                                      int* nbDims, int nbDimsRequested, int* dimA, mudnnSeqDataAxis_t* axes,
                                      size_t* seqLengthArraySize, size_t seqLengthSizeRequested,
                                      int* seqLengthArray, void* paddingFill) {
  return entry(
      "mudnnGetSeqDataDescriptor",
      [&] {
        if (!seqDataDesc || !seqDataDesc->isSet || nbDimsRequested < 0) return MUDNN_STATUS_BAD_PARAM;
        put(dataType, seqDataDesc->type);
        put(nbDims, MUDNN_SEQDATA_DIM_COUNT);
        for (int i = 0; i < std::min(nbDimsRequested, MUDNN_SEQDATA_DIM_COUNT); ++i) {
          if (dimA) dimA[i] = seqDataDesc->sizes[i];
          if (axes) axes[i] = seqDataDesc->axes[i];
        }
        put(seqLengthArraySize, seqDataDesc->lengths.size());
        for (size_t i = 0;
             seqLengthArray && i < std::min(seqLengthSizeRequested, seqDataDesc->lengths.size()); ++i)
          seqLengthArray[i] = seqDataDesc->lengths[i];
        if (paddingFill && seqDataDesc->fills)
          writeRun(elementOf(seqDataDesc->type), &seqDataDesc->fill, 1, paddingFill, 1);
        return MUDNN_STATUS_SUCCESS;
      },
      seqDataDesc, nbDimsRequested, seqLengthSizeRequested);
}

MUDNN_ENTRY mudnnSetAttnDescriptor(mudnnAttnDescriptor_t attnDesc, unsigned attnMode, int nHeads,
                                   double smScaler, mudnnDataType_t dataType, mudnnDataType_t computePrec,
                                   mudnnMathType_t mathType, mudnnDropoutDescriptor_t attnDropoutDesc,
                                   mudnnDropoutDescriptor_t postDropoutDesc, int qSize, int kSize, int vSize,
                                   int qProjSize, int kProjSize, int vProjSize, int oProjSize,
                                   int qoMaxSeqLength, int kvMaxSeqLength, int maxBatchSize,
                                   int maxBeamSize) {
  return entry(
      "mudnnSetAttnDescriptor",
      [&] {
        if (!attnDesc || nHeads < 1 || qSize < 1 || kSize < 1 || vSize < 1 || qProjSize < 0 ||
            kProjSize < 0 || vProjSize < 0 || oProjSize < 0 || qoMaxSeqLength < 1 || kvMaxSeqLength < 1 ||
            maxBatchSize < 1 || maxBeamSize < 1 || attnMode > 3 || !(smScaler >= 0))
          return MUDNN_STATUS_BAD_PARAM;
        const int query = qProjSize ? qProjSize : qSize, key = kProjSize ? kProjSize : kSize;
        if (query != key) return MUDNN_STATUS_BAD_PARAM;
        if (!isTypeOfAttention(dataType, MUDNN_DATA_FLOAT) && dataType != MUDNN_DATA_DOUBLE)
          return MUDNN_STATUS_BAD_PARAM;
        if (!isTypeOfAttention(dataType, computePrec)) return MUDNN_STATUS_NOT_SUPPORTED;
        for (const mudnnDropoutDescriptor_t dropout : {attnDropoutDesc, postDropoutDesc})
          if (dropout && dropout->probability > 0) return MUDNN_STATUS_NOT_SUPPORTED;
        *attnDesc = {true,
                     attnMode,
                     nHeads,
                     smScaler,
                     dataType,
                     computePrec,
                     mathType,
                     attnDropoutDesc,
                     postDropoutDesc,
                     {qSize, kSize, vSize},
                     {qProjSize, kProjSize, vProjSize, oProjSize},
                     qoMaxSeqLength,
                     kvMaxSeqLength,
                     maxBatchSize,
                     maxBeamSize};
        return MUDNN_STATUS_SUCCESS;
      },
      attnDesc, attnMode, nHeads, smScaler, dataType, computePrec, mathType, attnDropoutDesc, postDropoutDesc,
      qSize, kSize, vSize, qProjSize, kProjSize, vProjSize, oProjSize, qoMaxSeqLength, kvMaxSeqLength,
      maxBatchSize, maxBeamSize);
}

MUDNN_ENTRY mudnnGetAttnDescriptor(mudnnAttnDescriptor_t attnDesc, unsigned* attnMode, int* nHeads,
                                   double* smScaler, mudnnDataType_t* dataType, mudnnDataType_t* computePrec,
                                   mudnnMathType_t* mathType, mudnnDropoutDescriptor_t* attnDropoutDesc,
                                   mudnnDropoutDescriptor_t* postDropoutDesc, int* qSize, int* kSize,
                                   int* vSize, int* qProjSize, int* kProjSize, int* vProjSize, int* oProjSize,
                                   int* qoMaxSeqLength, int* kvMaxSeqLength, int* maxBatchSize,
                                   int* maxBeamSize) {
  return entry(
      "mudnnGetAttnDescriptor",
      [&] {
        if (!attnDesc || !attnDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        put(attnMode, attnDesc->mode);
        put(nHeads, attnDesc->heads);
        put(smScaler, attnDesc->scale);
        put(dataType, attnDesc->type);
        put(computePrec, attnDesc->precision);
        put(mathType, attnDesc->math);
        put(attnDropoutDesc, attnDesc->dropout);
        put(postDropoutDesc, attnDesc->dropoutBehind);
        int* const sizes[] = {qSize, kSize, vSize};
        int* const projected[] = {qProjSize, kProjSize, vProjSize, oProjSize};
        for (size_t i = 0; i < 3; ++i) put(sizes[i], attnDesc->sizes[i]);
        for (size_t i = 0; i < 4; ++i) put(projected[i], attnDesc->projected[i]);
        put(qoMaxSeqLength, attnDesc->longestQuery);
        put(kvMaxSeqLength, attnDesc->longestKey);
        put(maxBatchSize, attnDesc->batch);
        put(maxBeamSize, attnDesc->beam);
        return MUDNN_STATUS_SUCCESS;
      },
      attnDesc);
}

}  // extern "C"
