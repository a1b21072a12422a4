// mublasLtMatrixTransform: C = alpha op(A) + beta op(B), between types and orders.
#include <utility>
#include <vector>

#include "libs/mublas/operations/work.h"
#include "libs/mublasLt/api/entry.h"
#include "libs/mublasLt/operations/problem.h"

namespace musashim::mublasLt {
namespace {

// A summand, which may be absent; its matrices are as they are after the operation.
struct Summand {
  const void* data = nullptr;
  Batch batch;
  const void* factor = nullptr;
  bool conjugates = false;
};

struct Sum {
  Summand summands[2];
  Batch result;
  void* data = nullptr;
  int count = 1;
  int32_t scaleType = 0;
};

// The same memory, its rows and columns exchanged.
void transpose(Matrix& matrix) {
  if (matrix.tiles == Tiles::kNone)
    matrix.isByRows = !matrix.isByRows;
  else
    matrix.isTurned = !matrix.isTurned;
  std::swap(matrix.rows, matrix.columns);
}

template <class S>
class Work {
 public:
  Work(const Sum& sum, bool isOnHost) : sum_(sum), isOnHost_(isOnHost) {
    for (int i = 0; i < 2; ++i)
      if (isOnHost && sum.summands[i].factor) readRun(sum.scaleType, sum.summands[i].factor, 1, &factors_[i]);
  }

  void operator()() const {
    const Matrix& to = sum_.result.matrix;
    std::vector<S> column(static_cast<size_t>(to.rows)), values(column.size());
    for (int index = 0; to.tiles != Tiles::kNone && index < sum_.count; ++index) clear(index);
    for (int index = 0; index < sum_.count; ++index)
      for (ptrdiff_t j = 0; j < to.columns; ++j) {
        column.assign(column.size(), S(0));
        for (int i = 0; i < 2; ++i) add(i, index, j, column, values);
        writeColumn(to, column.data(), j, sum_.result.at(sum_.data, index));
      }
  }

 private:
  // What fills the last tiles is zero.
  void clear(int index) const {
    const Matrix whole = sum_.result.matrix.ofWholeTiles();
    const std::vector<S> zeros(static_cast<size_t>(whole.rows));
    for (ptrdiff_t j = 0; j < whole.columns; ++j)
      writeColumn(whole, zeros.data(), j, sum_.result.at(sum_.data, index));
  }

  void add(int i, int index, ptrdiff_t j, std::vector<S>& column, std::vector<S>& values) const {
    const Summand& summand = sum_.summands[i];
    if (!summand.data || !summand.factor) return;
    S factor = factors_[i];
    if (!isOnHost_) readRun(sum_.scaleType, summand.factor, 1, &factor);
    if (factor == S(0)) return;
    readColumn(summand.batch.matrix, summand.batch.at(summand.data, index), j, values.data());
    for (size_t row = 0; row < column.size(); ++row) {
      if constexpr (std::is_floating_point_v<S>) {
        column[row] += factor * values[row];
      } else {
        column[row] += factor * (summand.conjugates ? std::conj(values[row]) : values[row]);
      }
    }
  }

  const Sum sum_;
  const bool isOnHost_;
  S factors_[2] = {};
};

bool isComplex(int32_t type) { return type == MUSA_C_32F || type == MUSA_C_64F; }

mublasStatus_t describe(const void* data, mublasLtMatrixLayout_t layoutDesc, int32_t operation,
                        const void* factor, Sum& sum, Summand& summand) {
  if (!data) return MUBLAS_STATUS_SUCCESS;
  MUBLASLT_REQUIRE(layoutDesc && factor, MUBLAS_STATUS_INVALID_VALUE);
  MUBLASLT_REQUIRE(operation >= MUBLAS_OP_N && operation <= MUBLAS_OP_C, MUBLAS_STATUS_INVALID_VALUE);
  const auto layout = load<Layout>(layoutDesc);
  MUBLASLT_TRY(describe(layout, summand.batch));
  MUBLASLT_REQUIRE(layout.batchCount == sum.count, MUBLAS_STATUS_INVALID_VALUE);
  // As with cuBLASLt there is no way back from what only products read.
  const Tiles tiles = summand.batch.matrix.tiles;
  MUBLASLT_REQUIRE(tiles == Tiles::kNone || tiles == Tiles::kRows, MUBLAS_STATUS_NOT_SUPPORTED);
  if (operation != MUBLAS_OP_N) transpose(summand.batch.matrix);
  const Matrix &matrix = summand.batch.matrix, &to = sum.result.matrix;
  MUBLASLT_REQUIRE(matrix.rows == to.rows && matrix.columns == to.columns, MUBLAS_STATUS_INVALID_VALUE);
  MUBLASLT_REQUIRE(isComplex(matrix.type) == isComplex(to.type), MUBLAS_STATUS_NOT_SUPPORTED);
  summand.data = data;
  summand.factor = factor;
  summand.conjugates = operation == MUBLAS_OP_C;
  return MUBLAS_STATUS_SUCCESS;
}

template <class S>
mublasStatus_t enqueue(const Sum& sum, bool isOnHost, musaStream_t stream) {
  return mublas::statusOf(libs::runOnStream(stream, Work<S>(sum, isOnHost)));
}

mublasStatus_t enqueue(const Sum& sum, bool isOnHost, musaStream_t stream) {
  const bool complex = isComplex(sum.result.matrix.type);
  switch (sum.scaleType) {
    case MUSA_R_16F:
    case MUSA_R_32F:
      return complex ? MUBLAS_STATUS_NOT_SUPPORTED : enqueue<float>(sum, isOnHost, stream);
    case MUSA_R_32I:
    case MUSA_R_64F:
      return complex ? MUBLAS_STATUS_NOT_SUPPORTED : enqueue<double>(sum, isOnHost, stream);
    case MUSA_C_32F:
      return complex ? enqueue<ComplexFloat>(sum, isOnHost, stream) : MUBLAS_STATUS_NOT_SUPPORTED;
    case MUSA_C_64F:
      return complex ? enqueue<ComplexDouble>(sum, isOnHost, stream) : MUBLAS_STATUS_NOT_SUPPORTED;
    default:
      return MUBLAS_STATUS_NOT_SUPPORTED;
  }
}

}  // namespace
}  // namespace musashim::mublasLt

using namespace musashim::mublasLt;

extern "C" MUBLASLT_ENTRY mublasLtMatrixTransform(mublasLtHandle_t lightHandle,
                                                  mublasLtMatrixTransformDesc_t transformDesc,
                                                  const void* alpha, const void* A,
                                                  mublasLtMatrixLayout_t Adesc, const void* beta,
                                                  const void* B, mublasLtMatrixLayout_t Bdesc, void* C,
                                                  mublasLtMatrixLayout_t Cdesc, musaStream_t stream) {
  return entry(
      "mublasLtMatrixTransform", lightHandle,
      [&] {
        MUBLASLT_REQUIRE(transformDesc && C && Cdesc, MUBLAS_STATUS_INVALID_VALUE);
        const auto transform = load<Transform>(transformDesc);
        const auto layout = load<Layout>(Cdesc);
        Sum sum;
        MUBLASLT_TRY(describe(layout, sum.result));
        sum.count = layout.batchCount;
        sum.data = C;
        sum.scaleType = transform.scaleType;
        MUBLASLT_TRY(describe(A, Adesc, transform.transa, alpha, sum, sum.summands[0]));
        MUBLASLT_TRY(describe(B, Bdesc, transform.transb, beta, sum, sum.summands[1]));
        const bool isOnHost = transform.pointerMode == MUBLASLT_POINTER_MODE_HOST;
        MUBLASLT_REQUIRE(isOnHost || transform.pointerMode == MUBLASLT_POINTER_MODE_DEVICE,
                         MUBLAS_STATUS_NOT_SUPPORTED);
        return enqueue(sum, isOnHost, stream);
      },
      transformDesc, alpha, A, Adesc, beta, B, Bdesc, C, Cdesc, stream);
}
