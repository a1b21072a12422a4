// Convolutions and their gradients.
#include "libs/mudnn/operations/convolution.h"

#include "libs/mudnn/graph/steps/support.h"

namespace musashim::mudnn::graph {
namespace {

struct Names {
  int x, w, y, how, alpha, beta;
};

Names namesOf(int kind) {
  switch (kind) {
    case MUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return {
          MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,     MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
          MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,     MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
          MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, MUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
    case MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return {MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
    default:
      return {MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              MUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
  }
}

// The image with places at its ends, where these are not the same in front and behind.
struct Padded {
  Array image;
  std::unique_ptr<double[]> storage;
  Array inside;  // the image's own places in it
};
Padded padded(const Array& x, const std::vector<int64_t>& before, const std::vector<int64_t>& after,
              bool inDouble) {
  Padded result;
  Dims sizes = x.sizes;
  for (size_t d = 0; d < before.size(); ++d) sizes[d + 2] += before[d] + after[d];
  int64_t count = 1;
  for (size_t d = 0; d < static_cast<size_t>(x.rank); ++d) count *= sizes[d];
  result.storage = std::make_unique<double[]>(static_cast<size_t>(count));
  const Element element = inDouble ? Element::kDouble : Element::kFloat;
  result.image = contiguousArray(element, result.storage.get(), x.rank, sizes.data());
  result.inside = result.image;
  result.inside.sizes = x.sizes;
  int64_t offset = 0;
  for (size_t d = 0; d < before.size(); ++d) offset += before[d] * result.image.strides[d + 2];
  result.inside.data = static_cast<char*>(result.image.data) + offset * static_cast<int64_t>(sizeOf(element));
  return result;
}

void copy(const Array& from, const Array& to, bool inDouble) {
  const int64_t count = from.count();
  const auto run = [&]<class V>(V) {
    const auto values = std::make_unique<V[]>(static_cast<size_t>(count));
    readPart(from, 0, count, values.get());
    writePart(to, 0, count, values.get());
  };
  inDouble ? run(double()) : run(float());
}

}  // namespace

Step convolutionStep(const Descriptor& operation, Tensors& tensors) {
  const int kind = operation.kind;
  const Names names = namesOf(kind);
  const int x = tensors.add(operation.reference(names.x)), w = tensors.add(operation.reference(names.w)),
            y = tensors.add(operation.reference(names.y));
  const Ref how = operation.reference(names.how);
  const double alpha = operation.real(names.alpha, 1), beta = operation.real(names.beta, 0);
  const auto before = how->integers(MUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
             after = how->integers(MUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  ConvolutionProblem problem;
  problem.strides = how->integers(MUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  problem.dilations = how->integers(MUDNN_ATTR_CONVOLUTION_DILATIONS);
  problem.pads = before;
  problem.flips = how->integer(MUDNN_ATTR_CONVOLUTION_CONV_MODE, 0) == MUDNN_CONVOLUTION;
  const bool isUneven = before != after;
  const TensorShape &image = tensors[x], &filter = tensors[w], &result = tensors[y];
  const auto places = before.size();
  checkShape(
      image.rank == static_cast<int>(places) + 2 && filter.rank == image.rank && result.rank == image.rank,
      "the tensors of a convolution have other dimensions than it says");
  checkShape(filter.sizes[1] > 0 && image.sizes[1] % filter.sizes[1] == 0,
             "the channels do not go with the filter's");
  problem.groups = static_cast<int>(image.sizes[1] / filter.sizes[1]);
  checkShape(filter.sizes[0] % problem.groups == 0 && filter.sizes[0] == result.sizes[1] &&
                 image.sizes[0] == result.sizes[0],
             "the output's channels or its batch are others");
  for (size_t i = 0; i < places; ++i) {
    const int64_t room =
        image.sizes[i + 2] + before[i] + after[i] - ((filter.sizes[i + 2] - 1) * problem.dilations[i] + 1);
    checkShape(room >= 0 && result.sizes[i + 2] == room / problem.strides[i] + 1,
               "the output's places are not those of the convolution");
  }
  const bool isData = kind == MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
             isFilter = kind == MUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
  const int out = isData ? x : isFilter ? w : y;
  Step step;
  for (const int tensor : {x, w, y})
    if (tensor != out) step.inputs.push_back(tensor);
  step.outputs = {out};
  step.run = [=](Frame& frame) {
    const bool inDouble = frame.inDouble();
    // Numbers where they are wanted in double, and where the output is virtual; else memory as it is.
    const bool isDirect = !frame.shape(out).isVirtual && isPlain(frame.shape(out).type) && !inDouble;
    void* numbers = nullptr;
    if (!isDirect)
      numbers = inDouble ? static_cast<void*>(frame.out<double>(out, beta != 0))
                         : static_cast<void*>(frame.out<float>(out, beta != 0));
    const auto of = [&](int tensor) {
      if (tensor == out) return isDirect ? frame.array(out) : frame.numbers(out, numbers);
      if (!inDouble) return frame.array(tensor);
      return frame.numbers(tensor, const_cast<double*>(frame.in<double>(tensor)));
    };
    ConvolutionProblem p = problem;
    p.x = of(x);
    p.w = of(w);
    p.y = of(y);
    Padded wide;
    if (isUneven) {
      wide = padded(p.x, before, after, inDouble);
      if (!isData || beta != 0) copy(p.x, wide.inside, inDouble);
      p.x = wide.image;
      p.pads.assign(places, 0);
    }
    if (isData) {
      convolutionBackwardData(p, alpha, beta)();
      if (isUneven) copy(wide.inside, of(x), inDouble);
    } else if (isFilter) {
      convolutionBackwardFilter(p, alpha, beta)();
    } else {
      ConvolutionTail tail;
      tail.alpha = alpha;
      tail.beta = beta;
      if (beta != 0) tail.add = p.y;
      convolutionForward(p, tail)();
    }
  };
  return step;
}

}  // namespace musashim::mudnn::graph
