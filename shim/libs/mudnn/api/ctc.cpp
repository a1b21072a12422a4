// CTC loss.
#include "libs/mudnn/sequences/ctc.h"

#include <algorithm>
#include <cmath>

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/core/values.h"

struct mudnnCTCLossStruct {
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  mudnnLossNormalizationMode_t normalization = MUDNN_LOSS_NORMALIZATION_SOFTMAX;
  mudnnCTCGradMode_t gradients = MUDNN_CTC_ZERO_OOB_GRADIENTS;
  int longest = 0;
};

using namespace musashim::mudnn;

namespace {

mudnnStatus_t set(mudnnCTCLossDescriptor_t descriptor, const mudnnCTCLossStruct& value) {
  if (value.type != MUDNN_DATA_FLOAT && value.type != MUDNN_DATA_DOUBLE) return MUDNN_STATUS_NOT_SUPPORTED;
  if (!descriptor || value.normalization < MUDNN_LOSS_NORMALIZATION_NONE ||
      value.normalization > MUDNN_LOSS_NORMALIZATION_SOFTMAX || value.longest < 0)
    return MUDNN_STATUS_BAD_PARAM;
  *descriptor = value;
  return MUDNN_STATUS_SUCCESS;
}

template <class T>
void put(T* to, T value) {
  if (to) *to = value;
}

struct Problem {
  Array probabilities, gradients;
  bool isNormalized;
};

Problem problemOf(mudnnCTCLossDescriptor_t descriptor, mudnnTensorDescriptor_t probsDesc,
                  mudnnTensorDescriptor_t gradientsDesc) {
  require(descriptor, "the loss has no descriptor");
  Problem problem{shapeOf(probsDesc), gradientsDesc ? shapeOf(gradientsDesc) : Array(),
                  descriptor->normalization == MUDNN_LOSS_NORMALIZATION_NONE};
  require(problem.probabilities.rank == 3, "probabilities are by time, batch and class");
  require(!gradientsDesc || problem.gradients.sameSizes(problem.probabilities),
          "the gradients have other sizes than the probabilities");
  requireSupport(problem.probabilities.element == Element::kFloat, "probabilities are floats");
  return problem;
}

struct Labels {
  std::vector<int> labels, labelLengths, inputLengths;
};

void checkLengths(const Labels& all, const Array& probabilities) {
  for (const int length : all.inputLengths)
    require(length >= 0 && length <= probabilities.sizes[0], "an input is longer than the probabilities");
}

Labels copied(const int* labels, const int* labelLengths, const int* inputLengths, int64_t batch) {
  Labels all;
  all.labelLengths.assign(labelLengths, labelLengths + batch);
  all.inputLengths.assign(inputLengths, inputLengths + batch);
  int64_t count = 0;
  for (const int length : all.labelLengths) count += length > 0 ? length : 0;
  all.labels.assign(labels, labels + count);
  return all;
}

// Of all sequences; the label 0 is the blank.
void compute(const Problem& problem, const Labels& all, float* costs) {
  const int64_t time = problem.probabilities.sizes[0], batch = problem.probabilities.sizes[1],
                classes = problem.probabilities.sizes[2];
  const Input<double> x(problem.probabilities);
  std::vector<double> gradients(static_cast<size_t>(time * batch * classes));
  size_t first = 0;
  for (int64_t n = 0; n < batch; ++n) {
    const auto at = static_cast<size_t>(n);
    const int64_t steps = all.inputLengths[at];
    std::vector<double> logs(static_cast<size_t>(steps * classes)), occupancy(logs.size());
    for (int64_t t = 0; t < steps; ++t) {
      const double* const row = x.data() + (t * batch + n) * classes;
      double largest = row[0], sum = 0;
      for (int64_t k = 0; k < classes; ++k) largest = std::max(largest, row[k]);
      for (int64_t k = 0; k < classes; ++k) sum += std::exp(row[k] - largest);
      for (int64_t k = 0; k < classes; ++k)
        logs[static_cast<size_t>(t * classes + k)] =
            problem.isNormalized ? std::log(row[k]) : row[k] - largest - std::log(sum);
    }
    CtcSequence sequence;
    sequence.logs = logs.data();
    sequence.time = steps;
    sequence.classes = classes;
    const int count = std::max(all.labelLengths[at], 0);
    sequence.labels.assign(all.labels.begin() + static_cast<std::ptrdiff_t>(first),
                           all.labels.begin() + static_cast<std::ptrdiff_t>(first) + count);
    first += static_cast<size_t>(count);
    const double cost = ctcCost(sequence, occupancy.data());
    const bool hasPath = std::isfinite(cost) && count > 0;  // without a label cuDNN gives nothing
    costs[n] = hasPath ? static_cast<float>(cost) : 0;
    for (int64_t t = 0; t < steps && hasPath; ++t)
      for (int64_t k = 0; k < classes; ++k) {
        const auto i = static_cast<size_t>(t * classes + k);
        // By probabilities: where no path goes, cuDNN gives the probability itself.
        double& to = gradients[static_cast<size_t>((t * batch + n) * classes + k)];
        const double share = std::exp(logs[i]);
        to = !problem.isNormalized ? share - occupancy[i] : occupancy[i] > 0 ? -occupancy[i] / share : share;
      }
  }
  if (problem.gradients.data) writePart(problem.gradients, 0, problem.gradients.count(), gradients.data());
}

}  // namespace

extern "C" {

MUDNN_DESCRIPTOR(CTCLoss)

MUDNN_ENTRY mudnnSetCTCLossDescriptor(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t compType) {
  return entry(
      "mudnnSetCTCLossDescriptor", [&] { return set(ctcLossDesc, {compType}); }, ctcLossDesc, compType);
}
MUDNN_ENTRY mudnnSetCTCLossDescriptorEx(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t compType,
                                        mudnnLossNormalizationMode_t normMode,
                                        mudnnNanPropagation_t gradMode) {
  return entry(
      "mudnnSetCTCLossDescriptorEx",
      [&] { return set(ctcLossDesc, {compType, normMode, static_cast<mudnnCTCGradMode_t>(gradMode)}); },
      ctcLossDesc, compType, normMode, gradMode);
}
MUDNN_ENTRY mudnnSetCTCLossDescriptor_v8(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t compType,
                                         mudnnLossNormalizationMode_t normMode,
                                         mudnnNanPropagation_t gradMode, int maxLabelLength) {
  return entry(
      "mudnnSetCTCLossDescriptor_v8",
      [&] {
        return set(ctcLossDesc,
                   {compType, normMode, static_cast<mudnnCTCGradMode_t>(gradMode), maxLabelLength});
      },
      ctcLossDesc, compType, normMode, gradMode, maxLabelLength);
}
MUDNN_ENTRY mudnnSetCTCLossDescriptor_v9(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t compType,
                                         mudnnLossNormalizationMode_t normMode,
                                         mudnnCTCGradMode_t ctcGradMode, int maxLabelLength) {
  return entry(
      "mudnnSetCTCLossDescriptor_v9",
      [&] { return set(ctcLossDesc, {compType, normMode, ctcGradMode, maxLabelLength}); }, ctcLossDesc,
      compType, normMode, ctcGradMode, maxLabelLength);
}

MUDNN_ENTRY mudnnGetCTCLossDescriptor_v9(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t* compType,
                                         mudnnLossNormalizationMode_t* normMode,
                                         mudnnCTCGradMode_t* ctcGradMode, int* maxLabelLength) {
  return entry(
      "mudnnGetCTCLossDescriptor_v9",
      [&] {
        if (!ctcLossDesc) return MUDNN_STATUS_BAD_PARAM;
        put(compType, ctcLossDesc->type);
        put(normMode, ctcLossDesc->normalization);
        put(ctcGradMode, ctcLossDesc->gradients);
        put(maxLabelLength, ctcLossDesc->longest);
        return MUDNN_STATUS_SUCCESS;
      },
      ctcLossDesc);
}
MUDNN_ENTRY mudnnGetCTCLossDescriptor_v8(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t* compType,
                                         mudnnLossNormalizationMode_t* normMode,
                                         mudnnNanPropagation_t* gradMode, int* maxLabelLength) {
  return entry(
      "mudnnGetCTCLossDescriptor_v8",
      [&] {
        if (!ctcLossDesc) return MUDNN_STATUS_BAD_PARAM;
        put(gradMode, static_cast<mudnnNanPropagation_t>(ctcLossDesc->gradients));
        return mudnnGetCTCLossDescriptor_v9(ctcLossDesc, compType, normMode, nullptr, maxLabelLength);
      },
      ctcLossDesc);
}
MUDNN_ENTRY mudnnGetCTCLossDescriptorEx(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t* compType,
                                        mudnnLossNormalizationMode_t* normMode,
                                        mudnnNanPropagation_t* gradMode) {
  return mudnnGetCTCLossDescriptor_v8(ctcLossDesc, compType, normMode, gradMode, nullptr);
}
MUDNN_ENTRY mudnnGetCTCLossDescriptor(mudnnCTCLossDescriptor_t ctcLossDesc, mudnnDataType_t* compType) {
  return mudnnGetCTCLossDescriptor_v9(ctcLossDesc, compType, nullptr, nullptr, nullptr);
}

MUDNN_ENTRY mudnnGetCTCLossWorkspaceSize(mudnnHandle_t handle, const mudnnTensorDescriptor_t probsDesc,
                                         const mudnnTensorDescriptor_t gradientsDesc, const int* labels,
                                         const int* labelLengths, const int* inputLengths,
                                         mudnnCTCLossAlgo_t algo, mudnnCTCLossDescriptor_t ctcLossDesc,
                                         size_t* sizeInBytes) {
  return entry(
      "mudnnGetCTCLossWorkspaceSize",
      [&] {
        if (!isHandle(handle) || !sizeInBytes || !labels || !labelLengths || !inputLengths)
          return MUDNN_STATUS_BAD_PARAM;
        const Problem problem = problemOf(ctcLossDesc, probsDesc, gradientsDesc);
        checkLengths(copied(labels, labelLengths, inputLengths, problem.probabilities.sizes[1]),
                     problem.probabilities);
        *sizeInBytes = 0;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, probsDesc, gradientsDesc, labels, labelLengths, inputLengths, algo, ctcLossDesc);
}
MUDNN_ENTRY mudnnGetCTCLossWorkspaceSize_v8(mudnnHandle_t handle, mudnnCTCLossAlgo_t algo,
                                            mudnnCTCLossDescriptor_t ctcLossDesc,
                                            const mudnnTensorDescriptor_t probsDesc,
                                            const mudnnTensorDescriptor_t gradientsDesc,
                                            size_t* sizeInBytes) {
  return entry(
      "mudnnGetCTCLossWorkspaceSize_v8",
      [&] {
        if (!isHandle(handle) || !sizeInBytes) return MUDNN_STATUS_BAD_PARAM;
        (void)problemOf(ctcLossDesc, probsDesc, gradientsDesc);
        *sizeInBytes = 0;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, algo, ctcLossDesc, probsDesc, gradientsDesc);
}

MUDNN_ENTRY mudnnCTCLoss(mudnnHandle_t handle, const mudnnTensorDescriptor_t probsDesc, const void* probs,
                         const int* hostLabels, const int* hostLabelLengths, const int* hostInputLengths,
                         void* costs, const mudnnTensorDescriptor_t gradientsDesc, void* gradients,
                         mudnnCTCLossAlgo_t algo, mudnnCTCLossDescriptor_t ctcLossDesc, void* workspace,
                         size_t workSpaceSizeInBytes) {
  return work(
      "mudnnCTCLoss", handle,
      [&]() -> Work {
        Problem problem = problemOf(ctcLossDesc, probsDesc, gradientsDesc);
        require(probs && costs && hostLabels && hostLabelLengths && hostInputLengths,
                "an argument is missing");
        problem.probabilities.data = const_cast<void*>(probs);
        problem.gradients.data = gradients;
        const Labels all =
            copied(hostLabels, hostLabelLengths, hostInputLengths, problem.probabilities.sizes[1]);
        checkLengths(all, problem.probabilities);
        return [=] { compute(problem, all, static_cast<float*>(costs)); };
      },
      probsDesc, probs, hostLabels, hostLabelLengths, hostInputLengths, costs, gradientsDesc, gradients, algo,
      ctcLossDesc, workspace, workSpaceSizeInBytes);
}

MUDNN_ENTRY mudnnCTCLoss_v8(mudnnHandle_t handle, mudnnCTCLossAlgo_t algo,
                            mudnnCTCLossDescriptor_t ctcLossDesc, const mudnnTensorDescriptor_t probsDesc,
                            const void* probs, const int* labels, const int* labelLengths,
                            const int* inputLengths, void* costs, const mudnnTensorDescriptor_t gradientsDesc,
                            void* gradients, size_t workSpaceSizeInBytes, void* workspace) {
  return work(
      "mudnnCTCLoss_v8", handle,
      [&]() -> Work {
        Problem problem = problemOf(ctcLossDesc, probsDesc, gradientsDesc);
        require(probs && costs && labels && labelLengths && inputLengths, "an argument is missing");
        problem.probabilities.data = const_cast<void*>(probs);
        problem.gradients.data = gradients;
        return [=] {  // labels and lengths are in device memory
          const Labels all = copied(labels, labelLengths, inputLengths, problem.probabilities.sizes[1]);
          checkLengths(all, problem.probabilities);
          compute(problem, all, static_cast<float*>(costs));
        };
      },
      algo, ctcLossDesc, probsDesc, probs, labels, labelLengths, inputLengths, costs, gradientsDesc,
      gradients, workSpaceSizeInBytes, workspace);
}

}  // extern "C"
