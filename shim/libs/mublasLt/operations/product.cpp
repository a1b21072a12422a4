// mublasLtMatmul: D = epilogue(alpha op(A) op(B) + beta C), as work on the stream.
#include <complex>
#include <type_traits>
#include <vector>

#include "libs/mublas/operations/gemm.h"
#include "libs/mublasLt/api/entry.h"
#include "libs/mublasLt/operations/epilogue.h"
#include "libs/mublasLt/operations/problem.h"

namespace musashim::mublasLt {
namespace {

template <class V>
constexpr int32_t kTypeOf = std::is_same_v<V, float>          ? MUSA_R_32F
                            : std::is_same_v<V, double>       ? MUSA_R_64F
                            : std::is_same_v<V, ComplexFloat> ? MUSA_C_32F
                                                              : MUSA_C_64F;

// What a call is given beside the descriptors.
struct Pointers {
  const void *alpha, *A, *B, *beta, *C;
  void* D;
};

// alpha and beta, as S: those in host memory are read at the call.
template <class S>
class Factors {
 public:
  Factors(const Operation& operation, const Pointers& pointers)
      : type_(operation.scaleType), mode_(operation.pointerMode), stride_(operation.alphaStride) {
    alpha_ = pointers.alpha;
    beta_ = pointers.beta;
    if (mode_ == MUBLASLT_POINTER_MODE_HOST) readRun(type_, alpha_, 1, &alphaValue_);
    if (mode_ != MUBLASLT_POINTER_MODE_DEVICE) readRun(type_, beta_, 1, &betaValue_);
  }

  bool areScalars() const { return mode_ <= MUBLASLT_POINTER_MODE_DEVICE; }
  S alpha() const {
    S value = alphaValue_;
    if (mode_ == MUBLASLT_POINTER_MODE_DEVICE) readRun(type_, alpha_, 1, &value);
    return value;
  }
  S beta() const {
    S value = betaValue_;
    if (mode_ == MUBLASLT_POINTER_MODE_DEVICE) readRun(type_, beta_, 1, &value);
    return value;
  }
  // One for each row.
  std::vector<S> alphas(int m, int index) const {
    std::vector<S> values(static_cast<size_t>(m), areScalars() ? alpha() : S(0));
    const auto bytes = index * stride_ * static_cast<ptrdiff_t>(sizeOf(type_));
    if (!areScalars()) readRun(type_, static_cast<const char*>(alpha_) + bytes, m, values.data());
    return values;
  }

 private:
  const int32_t type_, mode_;
  const int64_t stride_;
  const void *alpha_ = nullptr, *beta_ = nullptr;
  S alphaValue_{}, betaValue_{};
};

// A factor of the product, by columns: as it lies, or a copy.
template <class V>
struct Operand {
  Operand(const Matrix& matrix, const void* memory, int32_t operation)
      : op(turns(operation) ? static_cast<mublasOperation_t>(operation) : MUBLAS_OP_N),
        ld(static_cast<int>(matrix.ld)) {
    bool conjugates = false;
    if (matrix.isByRows) {
      conjugates = op == MUBLAS_OP_C && !std::is_floating_point_v<V>;
      op = op == MUBLAS_OP_N ? MUBLAS_OP_T : MUBLAS_OP_N;
    }
    data = static_cast<const V*>(memory);
    if (matrix.type == kTypeOf<V> && !conjugates && matrix.tiles == Tiles::kNone) return;
    copy = readLines<V>(matrix, memory);
    if constexpr (!std::is_floating_point_v<V>)
      if (conjugates)
        for (V& value : copy) value = std::conj(value);
    data = copy.data();
    ld = static_cast<int>(matrix.lineLength());
  }
  V at(ptrdiff_t row, ptrdiff_t column) const {
    return op == MUBLAS_OP_N ? data[row + column * ld] : data[column + row * ld];
  }

  mublasOperation_t op;
  int ld;
  const V* data;
  std::vector<V> copy;
};

// V is what products are computed as, S what factors and epilogues are.
template <class V, class S>
class Product {
 public:
  Product(const Problem& problem, const Pointers& pointers)
      : problem_(problem), pointers_(pointers), factors_(problem.operation, pointers) {}

  void operator()() const {
    mublas::runBatch(shape(), problem_.count, [&](int index) { run(index); });
  }

 private:
  mublas::Shape shape() const {
    return {MUBLAS_OP_N, MUBLAS_OP_N, problem_.m, problem_.n, problem_.k, problem_.m, problem_.k, problem_.m};
  }

  // Whether BLAS's own product is all that is asked for.
  bool isPlain() const {
    const Operation& operation = problem_.operation;
    const Matrix &c = problem_.c.matrix, &d = problem_.d.matrix;
    return std::is_same_v<V, S> && d.type == kTypeOf<V> && c.type == kTypeOf<V> && !c.isByRows &&
           !d.isByRows && (operation.epilogue & ~uint32_t{1}) == 0 && factors_.areScalars() &&
           !operation.scaleA && !operation.scaleB && !operation.amaxD;
  }

  void run(int index) const {
    const Operand<V> a(problem_.a.matrix, problem_.a.at(pointers_.A, index), problem_.operation.transa);
    const Operand<V> b(problem_.b.matrix, problem_.b.at(pointers_.B, index), problem_.operation.transb);
    mublas::Shape product = shape();
    product.transa = a.op;
    product.transb = b.op;
    product.lda = a.ld;
    product.ldb = b.ld;
    void* const D = problem_.d.at(pointers_.D, index);
    const void* const C = pointers_.C ? problem_.c.at(pointers_.C, index) : nullptr;
    if constexpr (std::is_same_v<V, S>) {
      // BLAS does not look at the matrices for an alpha of 0; cuBLASLt multiplies what is in them by it.
      if (isPlain() && factors_.alpha() != V(0)) {
        const V beta = C ? factors_.beta() : V(0);
        if (beta != V(0) && C != D) copyToD(C, static_cast<V*>(D));
        product.ldc = static_cast<int>(problem_.d.matrix.ld);
        return mublas::multiply(product, factors_.alpha(), a.data, b.data, beta, static_cast<V*>(D));
      }
    }
    std::vector<V> values(static_cast<size_t>(problem_.m) * static_cast<size_t>(problem_.n));
    mublas::multiply(product, V(1), a.data, b.data, V(0), values.data());
    store(index, values, C, D, a, b);
  }

  void copyToD(const void* C, V* D) const {
    const Matrix &c = problem_.c.matrix, &d = problem_.d.matrix;
    for (ptrdiff_t j = 0; j < d.columns; ++j) readColumn(c, C, j, D + j * d.ld);
  }

  // Scales of 8-bit floats for rows or columns of the product.
  std::vector<float> scales(const void* pointer, int32_t mode, int length) const {
    const auto* const from = static_cast<const float*>(pointer);
    if (from && mode == MUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F) return {from, from + length};
    return std::vector<float>(static_cast<size_t>(length), from ? *from : 1.0f);
  }
  static float scale(const void* pointer) { return pointer ? *static_cast<const float*>(pointer) : 1.0f; }

  void store(int index, const std::vector<V>& product, const void* C, void* D, const Operand<V>& a,
             const Operand<V>& b) const {
    const Operation& operation = problem_.operation;
    const auto m = static_cast<size_t>(problem_.m);
    const std::vector<S> alpha = factors_.alphas(problem_.m, index);
    const S beta = factors_.beta();
    const std::vector<float> ofRows = scales(operation.scaleA, operation.scaleModeA, problem_.m),
                             ofColumns = scales(operation.scaleB, operation.scaleModeB, problem_.n);
    const float ofC = scale(operation.scaleC), ofD = scale(operation.scaleD);
    const bool readsC = beta != S(0) && C;
    std::vector<S> column(m), old(m);
    float largest = 0;
    const auto finish = [&](auto apply) {
      for (ptrdiff_t j = 0; j < problem_.n; ++j) {
        const V* const from = product.data() + static_cast<size_t>(j) * m;
        for (size_t i = 0; i < m; ++i)
          column[i] = alpha[i] * static_cast<S>(from[i]) * S(ofRows[i] * ofColumns[static_cast<size_t>(j)]);
        if (readsC) {
          readColumn(problem_.c.matrix, C, j, old.data());
          for (size_t i = 0; i < m; ++i) column[i] += beta * old[i] * S(ofC);
        }
        apply(j, column.data());
        if (operation.amaxD)
          for (const S value : column) largest = std::max(largest, static_cast<float>(std::abs(value)));
        if (operation.scaleD)
          for (S& value : column) value *= S(ofD);
        writeColumn(problem_.d.matrix, column.data(), j, D);
      }
    };
    if constexpr (std::is_floating_point_v<S>) {
      Epilogue<S> epilogue(problem_, index);
      finish([&](ptrdiff_t j, S* values) { epilogue.apply(j, values); });
      epilogue.end();
      if (operation.epilogue & (kSumA | kSumB)) epilogue.storeSums(sums(a, b));
    } else {
      finish([](ptrdiff_t, S*) {});
    }
    if (operation.amaxD) *static_cast<float*>(operation.amaxD) = largest;
  }

  // Of op(A)'s rows, or op(B)'s columns, over what the product sums over.
  std::vector<S> sums(const Operand<V>& a, const Operand<V>& b) const {
    const bool areOfA = (problem_.operation.epilogue & kSumA) != 0;
    std::vector<S> all(static_cast<size_t>(areOfA ? problem_.m : problem_.n), S(0));
    for (ptrdiff_t l = 0; l < problem_.k; ++l)
      for (size_t i = 0; i < all.size(); ++i) {
        const auto at = static_cast<ptrdiff_t>(i);
        all[i] += static_cast<S>(areOfA ? a.at(at, l) : b.at(l, at));
      }
    return all;
  }

  const Problem problem_;
  const Pointers pointers_;
  const Factors<S> factors_;
};

template <class V, class S>
mublasStatus_t enqueue(const Problem& problem, const Pointers& pointers, musaStream_t stream) {
  return mublas::statusOf(libs::runOnStream(stream, Product<V, S>(problem, pointers)));
}

mublasStatus_t enqueue(const Problem& problem, const Pointers& pointers, musaStream_t stream) {
  switch (problem.arithmetic) {
    case Arithmetic::kHalf:
    case Arithmetic::kFloat:
      return enqueue<float, float>(problem, pointers, stream);
    case Arithmetic::kDouble:
    case Arithmetic::kInteger:
      return enqueue<double, double>(problem, pointers, stream);
    case Arithmetic::kScaled:
      return enqueue<double, float>(problem, pointers, stream);
    case Arithmetic::kComplex:
      return enqueue<ComplexFloat, ComplexFloat>(problem, pointers, stream);
    case Arithmetic::kLongComplex:
      return enqueue<ComplexDouble, ComplexDouble>(problem, pointers, stream);
  }
  return MUBLAS_STATUS_INTERNAL_ERROR;
}

mublasStatus_t checkPointers(const Problem& problem, const Pointers& pointers) {
  const Operation& operation = problem.operation;
  MUBLASLT_REQUIRE(pointers.alpha && pointers.beta && pointers.A && pointers.B && pointers.D,
                   MUBLAS_STATUS_INVALID_VALUE);
  // A bias that the epilogue has no use for is as wrong as none for one that has.
  const bool wantsBias = (operation.epilogue & (kBias | kBiasGradient | kSumA | kSumB)) != 0;
  MUBLASLT_REQUIRE((operation.bias != nullptr) == wantsBias, MUBLAS_STATUS_INVALID_VALUE);
  const bool bends = (operation.epilogue & (kRelu | kGelu)) != 0;
  if (!(operation.epilogue & kAux)) {
    MUBLASLT_REQUIRE(!(operation.aux && bends), MUBLAS_STATUS_NOT_SUPPORTED);
  } else {
    MUBLASLT_REQUIRE(operation.aux, MUBLAS_STATUS_NOT_SUPPORTED);
    const bool isMask = (operation.epilogue & (kRelu | kReluGradient)) != 0;
    MUBLASLT_REQUIRE(operation.auxLd >= problem.m && operation.auxLd % (isMask ? 128 : 8) == 0,
                     MUBLAS_STATUS_INVALID_VALUE);
  }
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace musashim::mublasLt

using namespace musashim::mublasLt;

extern "C" MUBLASLT_ENTRY mublasLtMatmul(mublasLtHandle_t lightHandle, mublasLtMatmulDesc_t computeDesc,
                                         const void* alpha, const void* A, mublasLtMatrixLayout_t Adesc,
                                         const void* B, mublasLtMatrixLayout_t Bdesc, const void* beta,
                                         const void* C, mublasLtMatrixLayout_t Cdesc, void* D,
                                         mublasLtMatrixLayout_t Ddesc, const mublasLtMatmulAlgo_t* algo,
                                         void* workspace, size_t workspaceSizeInBytes, musaStream_t stream) {
  return entry(
      "mublasLtMatmul", lightHandle,
      [&] {
        Problem problem;
        MUBLASLT_TRY(describe(computeDesc, Adesc, Bdesc, Cdesc, Ddesc, problem));
        const Pointers pointers{alpha, A, B, beta, C, D};
        MUBLASLT_TRY(checkPointers(problem, pointers));
        MUBLASLT_REQUIRE(problem.m != 0 && problem.n != 0,
                         MUBLAS_STATUS_EXECUTION_FAILED);  // as with cuBLASLt
        if (algo) {
          const auto algorithm = load<Algorithm>(algo);
          const Operation& operation = problem.operation;
          const Types types{operation.computeType, operation.scaleType,   problem.a.matrix.type,
                            problem.b.matrix.type, problem.c.matrix.type, problem.d.matrix.type};
          MUBLASLT_REQUIRE(algorithm.isMade == Algorithm::kMade, MUBLAS_STATUS_NOT_SUPPORTED);
          MUBLASLT_REQUIRE(algorithm.types == types, MUBLAS_STATUS_INVALID_VALUE);
        }
        return enqueue(problem, pointers, stream);
      },
      computeDesc, alpha, A, Adesc, B, Bdesc, beta, C, Cdesc, D, Ddesc, algo, workspace, workspaceSizeInBytes,
      stream);
}
