// Products of matrices, and reductions.
#include "libs/mudnn/operations/product.h"

#include <algorithm>
#include <limits>

#include "libs/mudnn/graph/steps/support.h"
#include "libs/mudnn/onednn/engine.h"

namespace musashim::mudnn::graph {
namespace {

// The number of a matrix of `part`, of which each may serve several of `whole`.
int64_t matrixOf(const TensorShape& part, const TensorShape& whole, int64_t number) {
  int64_t result = 0, factor = 1;
  for (int d = whole.rank - 3; d >= 0; --d) {
    const auto at = static_cast<size_t>(d);
    const int64_t index = number % whole.sizes[at];
    number /= whole.sizes[at];
    result += index / (whole.sizes[at] / part.sizes[at]) * factor;
    factor *= part.sizes[at];
  }
  return result;
}

int64_t last(const TensorShape& shape, int back) {
  return shape.sizes[static_cast<size_t>(shape.rank - back)];
}

// How many rows, columns or terms each batch has, by tensors of one number each or one for each batch.
struct Limits {
  explicit Limits(Frame& frame, int tensor) {
    if (tensor >= 0) values = frame.integers(tensor);
  }
  int64_t operator()(int64_t matrix, int64_t matrices, int64_t otherwise) const {
    if (values.empty()) return otherwise;
    const auto count = static_cast<int64_t>(values.size());
    return std::min(otherwise,
                    values[static_cast<size_t>(matrix / std::max<int64_t>(matrices / count, 1) % count)]);
  }
  std::vector<int64_t> values;
};

void multiply(const float* a, const float* b, float* c, int64_t rows, int64_t terms, int64_t columns) {
  const int64_t left[] = {rows, terms}, right[] = {terms, columns}, out[] = {rows, columns};
  onednn::product(contiguousArray(Element::kFloat, c, 2, out),
                  contiguousArray(Element::kFloat, const_cast<float*>(a), 2, left),
                  contiguousArray(Element::kFloat, const_cast<float*>(b), 2, right));
}
void multiply(const double* a, const double* b, double* c, int64_t rows, int64_t terms, int64_t columns) {
  productInDouble(c, a, b, rows, terms, columns);
}

// As one product of batches, where no matrix serves some of them alone.
bool asOne(Frame& frame, int a, int b, int c, float* out) {
  const TensorShape &left = frame.shape(a), &right = frame.shape(b), &result = frame.shape(c);
  for (int d = 0; d + 2 < result.rank; ++d)
    for (const TensorShape* shape : {&left, &right})
      if (shape->size(d) != 1 && shape->size(d) != result.size(d)) return false;
  Product product;
  product.out = frame.numbers(c, out);
  product.a = frame.array(a);
  product.b = frame.array(b);
  mudnn::product(product)();
  return true;
}
bool asOne(Frame&, int, int, int, double*) { return false; }

}  // namespace

Step productStep(const Descriptor& operation, Tensors& tensors) {
  const int a = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_ADESC)),
            b = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_BDESC)),
            c = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_CDESC));
  const int limits[] = {tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC)),
                        tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_GEMM_N_OVERRIDE_DESC)),
                        tensors.add(operation.reference(MUDNN_ATTR_OPERATION_MATMUL_GEMM_K_OVERRIDE_DESC))};
  const Ref how = operation.reference(MUDNN_ATTR_OPERATION_MATMUL_DESC);
  const double padding = how->real(MUDNN_ATTR_MATMUL_PADDING_VALUE, 0);
  const TensorShape left = tensors[a], right = tensors[b], result = tensors[c];
  check(left.rank >= 2 && right.rank == left.rank && result.rank == left.rank, MUDNN_STATUS_NOT_SUPPORTED,
        "a product is of tensors with as many dimensions, 2 or more");
  checkShape(last(left, 2) == last(result, 2) && last(left, 1) == last(right, 2) &&
                 last(right, 1) == last(result, 1),
             "the matrices' sizes do not go together");
  for (int d = 0; d + 2 < result.rank; ++d)
    for (const TensorShape* shape : {&left, &right})
      checkShape(shape->size(d) != 0 && result.size(d) % shape->size(d) == 0,
                 "the batches do not go together");
  Step step;
  step.inputs = {a, b};
  for (const int tensor : limits)
    if (tensor >= 0) step.inputs.push_back(tensor);
  step.outputs = {c};
  step.run = [=, rowLimit = limits[0], columnLimit = limits[1], termLimit = limits[2]](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      V* const out = frame.out<V>(c);
      const bool isLimited = rowLimit >= 0 || columnLimit >= 0 || termLimit >= 0;
      if (!isLimited && asOne(frame, a, b, c, out)) return;
      const V *const x = frame.in<V>(a), *const y = frame.in<V>(b);
      const int64_t rows = last(result, 2), columns = last(result, 1), terms = last(left, 1);
      const int64_t matrices = result.count() / std::max<int64_t>(rows * columns, 1);
      const Limits ofRows(frame, rowLimit), ofColumns(frame, columnLimit), ofTerms(frame, termLimit);
      std::unique_ptr<V[]> short_;
      for (int64_t i = 0; i < matrices; ++i) {
        const V* from = x + matrixOf(left, result, i) * rows * terms;
        const int64_t used = ofTerms(i, matrices, terms);
        if (used < terms) {
          if (!short_) short_ = std::make_unique<V[]>(static_cast<size_t>(rows * terms));
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t k = 0; k < terms; ++k)
              short_[static_cast<size_t>(r * terms + k)] = k < used ? from[r * terms + k] : V(0);
          from = short_.get();
        }
        V* const to = out + i * rows * columns;
        multiply(from, y + matrixOf(right, result, i) * terms * columns, to, rows, terms, columns);
        const int64_t lastRow = ofRows(i, matrices, rows), lastColumn = ofColumns(i, matrices, columns);
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t k = r < lastRow ? lastColumn : 0; k < columns; ++k)
            to[r * columns + k] = static_cast<V>(padding);
      }
    });
  };
  return step;
}

namespace {

double begin(int op) {
  switch (op) {
    case MUDNN_REDUCE_TENSOR_MUL:
      return 1;
    case MUDNN_REDUCE_TENSOR_MIN:
      return std::numeric_limits<double>::infinity();
    case MUDNN_REDUCE_TENSOR_MAX:
      return -std::numeric_limits<double>::infinity();
    default:
      return 0;
  }
}

double next(int op, double sum, double x) {
  switch (op) {
    case MUDNN_REDUCE_TENSOR_MUL:
      return sum * x;
    case MUDNN_REDUCE_TENSOR_MIN:
      return x < sum || std::isnan(x) ? x : sum;
    case MUDNN_REDUCE_TENSOR_MAX:
      return x > sum || std::isnan(x) ? x : sum;
    case MUDNN_REDUCE_TENSOR_AMAX:
      return std::fabs(x) > sum || std::isnan(x) ? std::fabs(x) : sum;
    default:
      return sum + x;
  }
}

}  // namespace

Step reductionStep(const Descriptor& operation, Tensors& tensors) {
  check(!operation.has(MUDNN_ATTR_OPERATION_REDUCTION_SUBGRAPH) &&
            !operation.has(MUDNN_ATTR_OPERATION_REDUCTION_GROUP_OFFSET_DESC),
        MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN,
        "reductions by graphs of their own or by groups are not supported");
  const int x = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_REDUCTION_XDESC)),
            y = tensors.add(operation.reference(MUDNN_ATTR_OPERATION_REDUCTION_YDESC));
  checkShape(y >= 0, "a reduction has no output");
  const Ref how = operation.reference(MUDNN_ATTR_OPERATION_REDUCTION_DESC);
  const auto op = static_cast<int>(how->integer(MUDNN_ATTR_REDUCTION_OPERATOR, 0));
  check(op <= MUDNN_REDUCE_TENSOR_AMAX, MUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN,
        "there is no such reduction");
  const TensorShape in = tensors[x], out = tensors[y];
  checkShape(in.rank == out.rank, "the tensors of a reduction have as many dimensions");
  for (int d = 0; d < in.rank; ++d)
    checkShape(out.size(d) != 0 && in.size(d) % out.size(d) == 0, "a reduction's sizes do not go together");
  if (op == MUDNN_REDUCE_TENSOR_MAX) tensors.change(y).largestOf = x;
  if (op == MUDNN_REDUCE_TENSOR_ADD) tensors.change(y).sumOf = x;
  Step step;
  step.inputs = {x};
  step.outputs = {y};
  step.run = [=](Frame& frame) {
    withNumbers(frame, [&]<class V>(V) {
      const V* const from = frame.in<V>(x);
      V* const to = frame.out<V>(y);
      const auto rank = static_cast<size_t>(in.rank);
      const Array places = contiguousArray(Element::kFloat, nullptr, in.rank, in.sizes.data());
      int64_t each = 1;
      Dims lengths{};
      for (size_t d = 0; d < rank; ++d) each *= lengths[d] = in.sizes[d] / out.sizes[d];
      shareRange(out.count(), each, [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; ++i) {
          int64_t start = 0, rest = i;
          for (size_t d = rank; d-- > 0;) {
            start += rest % out.sizes[d] * lengths[d] * places.strides[d];
            rest /= out.sizes[d];
          }
          double sum = begin(op);
          Dims index{};
          for (int64_t j = 0, place = start; j < each; ++j) {
            sum = next(op, sum, static_cast<double>(from[place]));
            for (size_t d = rank; d-- > 0;) {
              place += places.strides[d];
              if (++index[d] < lengths[d]) break;
              place -= places.strides[d] * lengths[d];
              index[d] = 0;
            }
          }
          to[i] = static_cast<V>(sum);
        }
      });
    });
  };
  return step;
}

}  // namespace musashim::mudnn::graph
