// Descriptors of recurrent networks and of their data.
#include <algorithm>

#include "libs/mudnn/api/recurrent.h"
#include "libs/mudnn/core/elements.h"

using musashim::mudnn::elementOf;
using musashim::mudnn::entry;
using musashim::mudnn::Sequences;

namespace {

bool isTypeOfNetwork(mudnnDataType_t type) {
  return type == MUDNN_DATA_FLOAT || type == MUDNN_DATA_DOUBLE || type == MUDNN_DATA_HALF ||
         type == MUDNN_DATA_BFLOAT16;
}

// What is computed in is no narrower than the data, and double is for doubles alone.
bool isPrecisionOf(mudnnDataType_t precision, mudnnDataType_t type) {
  if (type == MUDNN_DATA_HALF) return precision == MUDNN_DATA_FLOAT || precision == MUDNN_DATA_HALF;
  if (type == MUDNN_DATA_BFLOAT16) return precision == MUDNN_DATA_FLOAT;
  return precision == type;
}

template <class Enum>
bool isIn(Enum value, Enum first, Enum last) {
  return value >= first && value <= last;
}

mudnnStatus_t setClip(mudnnRNNDescriptor_t descriptor, mudnnRNNClipMode_t mode, mudnnNanPropagation_t nan,
                      double least, double most) {
  if (!descriptor || (mode == MUDNN_RNN_CLIP_MINMAX && !(least <= most))) return MUDNN_STATUS_BAD_PARAM;
  descriptor->clip = mode;
  descriptor->clipNan = nan;
  descriptor->least = least;
  descriptor->most = most;
  return MUDNN_STATUS_SUCCESS;
}

template <class T>
void put(T* to, T value) {
  if (to) *to = value;
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(RNN)
MUDNN_DESCRIPTOR(RNNData)

MUDNN_ENTRY mudnnSetRNNDescriptor_v8(mudnnRNNDescriptor_t rnnDesc, mudnnRNNAlgo_t algo,
                                     mudnnRNNMode_t cellMode, mudnnRNNBiasMode_t biasMode,
                                     mudnnDirectionMode_t dirMode, mudnnRNNInputMode_t inputMode,
                                     mudnnDataType_t dataType, mudnnDataType_t mathPrec,
                                     mudnnMathType_t mathType, int32_t inputSize, int32_t hiddenSize,
                                     int32_t projSize, int32_t numLayers,
                                     mudnnDropoutDescriptor_t dropoutDesc, uint32_t auxFlags) {
  return entry(
      "mudnnSetRNNDescriptor_v8",
      [&] {
        if (!rnnDesc || !isIn(algo, MUDNN_RNN_ALGO_STANDARD, MUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H) ||
            !isIn(cellMode, MUDNN_RNN_RELU, MUDNN_GRU) ||
            !isIn(biasMode, MUDNN_RNN_NO_BIAS, MUDNN_RNN_SINGLE_REC_BIAS) ||
            !isIn(dirMode, MUDNN_UNIDIRECTIONAL, MUDNN_BIDIRECTIONAL) ||
            !isIn(inputMode, MUDNN_LINEAR_INPUT, MUDNN_SKIP_INPUT) ||
            auxFlags > MUDNN_RNN_PADDED_IO_ENABLED || !isIn(mathType, MUDNN_DEFAULT_MATH, MUDNN_FMA_MATH) ||
            inputSize < 1 || hiddenSize < 1 || numLayers < 1 || projSize < 1)
          return MUDNN_STATUS_BAD_PARAM;
        if (!isTypeOfNetwork(dataType) || !isPrecisionOf(mathPrec, dataType) || projSize > hiddenSize)
          return MUDNN_STATUS_NOT_SUPPORTED;
        if (projSize != hiddenSize && (cellMode != MUDNN_LSTM || algo != MUDNN_RNN_ALGO_STANDARD))
          return MUDNN_STATUS_NOT_SUPPORTED;
        *rnnDesc = {true,     algo,      cellMode,   biasMode, dirMode,   inputMode,   dataType, mathPrec,
                    mathType, inputSize, hiddenSize, projSize, numLayers, dropoutDesc, auxFlags};
        return MUDNN_STATUS_SUCCESS;
      },
      rnnDesc, algo, cellMode, biasMode, dirMode, inputMode, dataType, mathPrec, mathType, inputSize,
      hiddenSize, projSize, numLayers, dropoutDesc, auxFlags);
}

MUDNN_ENTRY mudnnGetRNNDescriptor_v8(mudnnRNNDescriptor_t rnnDesc, mudnnRNNAlgo_t* algo,
                                     mudnnRNNMode_t* cellMode, mudnnRNNBiasMode_t* biasMode,
                                     mudnnDirectionMode_t* dirMode, mudnnRNNInputMode_t* inputMode,
                                     mudnnDataType_t* dataType, mudnnDataType_t* mathPrec,
                                     mudnnMathType_t* mathType, int32_t* inputSize, int32_t* hiddenSize,
                                     int32_t* projSize, int32_t* numLayers,
                                     mudnnDropoutDescriptor_t* dropoutDesc, uint32_t* auxFlags) {
  return entry(
      "mudnnGetRNNDescriptor_v8",
      [&] {
        if (!rnnDesc || !rnnDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        put(algo, rnnDesc->algorithm);
        put(cellMode, rnnDesc->mode);
        put(biasMode, rnnDesc->bias);
        put(dirMode, rnnDesc->direction);
        put(inputMode, rnnDesc->input);
        put(dataType, rnnDesc->type);
        put(mathPrec, rnnDesc->precision);
        put(mathType, rnnDesc->math);
        put(inputSize, rnnDesc->inputs);
        put(hiddenSize, rnnDesc->hidden);
        put(projSize, rnnDesc->projection);
        put(numLayers, rnnDesc->layers);
        put(dropoutDesc, rnnDesc->dropout);
        put(auxFlags, rnnDesc->flags);
        return MUDNN_STATUS_SUCCESS;
      },
      rnnDesc);
}

MUDNN_ENTRY mudnnRNNSetClip_v8(mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t clipMode,
                               mudnnNanPropagation_t clipNanOpt, double lclip, double rclip) {
  return entry(
      "mudnnRNNSetClip_v8", [&] { return setClip(rnnDesc, clipMode, clipNanOpt, lclip, rclip); }, rnnDesc,
      clipMode, clipNanOpt, lclip, rclip);
}
MUDNN_ENTRY mudnnRNNSetClip_v9(mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t clipMode, double lclip,
                               double rclip) {
  return entry(
      "mudnnRNNSetClip_v9", [&] { return setClip(rnnDesc, clipMode, MUDNN_NOT_PROPAGATE_NAN, lclip, rclip); },
      rnnDesc, clipMode, lclip, rclip);
}

MUDNN_ENTRY mudnnRNNGetClip_v8(mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t* clipMode,
                               mudnnNanPropagation_t* clipNanOpt, double* lclip, double* rclip) {
  return entry(
      "mudnnRNNGetClip_v8",
      [&] {
        if (!rnnDesc) return MUDNN_STATUS_BAD_PARAM;
        put(clipMode, rnnDesc->clip);
        put(clipNanOpt, rnnDesc->clipNan);
        put(lclip, rnnDesc->least);
        put(rclip, rnnDesc->most);
        return MUDNN_STATUS_SUCCESS;
      },
      rnnDesc);
}
MUDNN_ENTRY mudnnRNNGetClip_v9(mudnnRNNDescriptor_t rnnDesc, mudnnRNNClipMode_t* clipMode, double* lclip,
                               double* rclip) {
  return mudnnRNNGetClip_v8(rnnDesc, clipMode, nullptr, lclip, rclip);
}

MUDNN_ENTRY mudnnSetRNNDataDescriptor(mudnnRNNDataDescriptor_t rnnDataDesc, mudnnDataType_t dataType,
                                      mudnnRNNDataLayout_t layout, int maxSeqLength, int batchSize,
                                      int vectorSize, const int* seqLengthArray, void* paddingFill) {
  return entry(
      "mudnnSetRNNDataDescriptor",
      [&] {
        if (!rnnDataDesc || !seqLengthArray || maxSeqLength < 1 || batchSize < 1 || vectorSize < 1 ||
            !isIn(layout, MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
                  MUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED))
          return MUDNN_STATUS_BAD_PARAM;
        if (!isTypeOfNetwork(dataType)) return MUDNN_STATUS_NOT_SUPPORTED;
        Sequences sequences;
        sequences.element = elementOf(dataType);
        sequences.layout = static_cast<Sequences::Layout>(layout);
        sequences.time = maxSeqLength;
        sequences.batch = batchSize;
        sequences.size = vectorSize;
        sequences.lengths.assign(seqLengthArray, seqLengthArray + batchSize);
        for (const int64_t length : sequences.lengths)
          if (length < 0 || length > maxSeqLength) return MUDNN_STATUS_BAD_PARAM;
        const bool falls = std::is_sorted(sequences.lengths.rbegin(), sequences.lengths.rend());
        if (layout == MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED && !falls) return MUDNN_STATUS_BAD_PARAM;
        if (paddingFill) {
          sequences.fills = true;
          sequences.fill = 0;
          readRun(sequences.element, paddingFill, 1, 1, &sequences.fill);
        }
        *rnnDataDesc = {true, dataType, std::move(sequences)};
        return MUDNN_STATUS_SUCCESS;
      },
      rnnDataDesc, dataType, layout, maxSeqLength, batchSize, vectorSize, seqLengthArray, paddingFill);
}

MUDNN_ENTRY mudnnGetRNNDataDescriptor(mudnnRNNDataDescriptor_t rnnDataDesc, mudnnDataType_t* dataType,
                                      mudnnRNNDataLayout_t* layout, int* maxSeqLength, int* batchSize,
                                      int* vectorSize, int arrayLengthRequested, int* seqLengthArray,
                                      void* paddingFill) {
  return entry(
      "mudnnGetRNNDataDescriptor",
      [&] {
        if (!rnnDataDesc || !rnnDataDesc->isSet || arrayLengthRequested < 0) return MUDNN_STATUS_BAD_PARAM;
        const Sequences& sequences = rnnDataDesc->sequences;
        put(dataType, rnnDataDesc->type);
        put(layout, static_cast<mudnnRNNDataLayout_t>(sequences.layout));
        put(maxSeqLength, static_cast<int>(sequences.time));
        put(batchSize, static_cast<int>(sequences.batch));
        put(vectorSize, static_cast<int>(sequences.size));
        for (int i = 0;
             seqLengthArray && i < std::min<int>(arrayLengthRequested, static_cast<int>(sequences.batch));
             ++i)
          seqLengthArray[i] = static_cast<int>(sequences.lengths[static_cast<size_t>(i)]);
        if (paddingFill && sequences.fills) writeRun(sequences.element, &sequences.fill, 1, paddingFill, 1);
        return MUDNN_STATUS_SUCCESS;
      },
      rnnDataDesc, arrayLengthRequested);
}

}  // extern "C"
