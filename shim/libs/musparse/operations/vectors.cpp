#include "libs/musparse/operations/vectors.h"

#include "libs/musparse/operations/products.h"
#include "libs/musparse/operations/work.h"

namespace musashim::musparse {
namespace {

using SparseVector = musparseSpVecDescr;

Indices indicesOf(const SparseVector& x) { return {x.indices, x.indexType, x.base}; }

musparseStatus_t check(const SparseVector* x, const DenseVector* y) {
  MUSPARSE_REQUIRE(x && y && x->size == y->size);
  return MUSPARSE_STATUS_SUCCESS;
}

// A vector has no rows to turn: it may be conjugated.
bool isProduct(musparseOperation_t op, musaDataType type) {
  return op == MUSPARSE_OPERATION_NON_TRANSPOSE ||
         (op == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && isComplex(type));
}

}  // namespace

musparseStatus_t axpby(Settings& self, const void* alpha, const SparseVector* x, const void* beta,
                       DenseVector* y) {
  MUSPARSE_REQUIRE(alpha && beta);
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_SUPPORT(x->valueType == y->valueType);
  return withCompute(computeFor(y->valueType), [&]<class V>(V) {
    return enqueue(self, [x = *x, y = *y, factor = Scalar<V>(self, alpha), old = Scalar<V>(self, beta)] {
      const V a = factor.get(), b = old.get();
      if (b != V(1))
        for (int64_t i = 0; i < y.size; ++i)
          store(y.values, y.valueType, i, b == V(0) ? V(0) : times(b, load<V>(y.values, y.valueType, i)));
      const Indices indices = indicesOf(x);
      for (int64_t k = 0; k < x.nnz; ++k)
        store(y.values, y.valueType, indices[k],
              load<V>(y.values, y.valueType, indices[k]) + times(a, load<V>(x.values, x.valueType, k)));
    });
  });
}

musparseStatus_t gather(Settings& self, const DenseVector* y, SparseVector* x) {
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_SUPPORT(x->valueType == y->valueType);
  return enqueue(self, [x = *x, y = *y] {
    const Indices indices = indicesOf(x);
    const size_t size = elementSize(x.valueType);
    for (int64_t k = 0; k < x.nnz; ++k)
      std::memcpy(static_cast<char*>(x.values) + at(k) * size,
                  static_cast<const char*>(y.values) + at(indices[k]) * size, size);
  });
}

musparseStatus_t scatter(Settings& self, const SparseVector* x, DenseVector* y) {
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_SUPPORT(x->valueType == y->valueType);
  return enqueue(self, [x = *x, y = *y] {
    const Indices indices = indicesOf(x);
    const size_t size = elementSize(x.valueType);
    for (int64_t k = 0; k < x.nnz; ++k)
      std::memcpy(static_cast<char*>(y.values) + at(indices[k]) * size,
                  static_cast<const char*>(x.values) + at(k) * size, size);
  });
}

musparseStatus_t rot(Settings& self, const void* c, const void* s, SparseVector* x, DenseVector* y) {
  MUSPARSE_REQUIRE(c && s);
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_SUPPORT(x->valueType == y->valueType);
  return withCompute(computeFor(y->valueType), [&]<class V>(V) {
    return enqueue(self, [x = *x, y = *y, cosine = Scalar<V>(self, c), sine = Scalar<V>(self, s)] {
      const Indices indices = indicesOf(x);
      for (int64_t k = 0; k < x.nnz; ++k) {
        const V a = load<V>(x.values, x.valueType, k), b = load<V>(y.values, y.valueType, indices[k]);
        store(x.values, x.valueType, k, times(cosine.get(), a) + times(sine.get(), b));
        store(y.values, y.valueType, indices[k], times(cosine.get(), b) - times(sine.get(), a));
      }
    });
  });
}

musparseStatus_t spvv(Settings& self, musparseOperation_t opX, const SparseVector* x, const DenseVector* y,
                      void* result, musaDataType computeType, void* /*buffer*/) {
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_REQUIRE(result && isProduct(opX, x->valueType));
  // A result is of the type that computes.
  MUSPARSE_SUPPORT(productTypes(x->valueType, y->valueType, computeType, computeType, false) ||
                   (computeFor(x->valueType) == computeType && x->valueType == y->valueType));
  return withCompute(computeType, [&]<class V>(V) {
    return enqueueResult(self, [x = *x, y = *y, opX, to = static_cast<V*>(result)] {
      const Indices indices = indicesOf(x);
      V sum(0);
      for (int64_t k = 0; k < x.nnz; ++k) {
        const V value = load<V>(x.values, x.valueType, k);
        sum += times(opX == MUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value,
                     load<V>(y.values, y.valueType, indices[k]));
      }
      *to = sum;
    });
  });
}

musparseStatus_t spvvBufferSize(Settings&, musparseOperation_t opX, const SparseVector* x,
                                const DenseVector* y, const void* result, musaDataType /*computeType*/,
                                size_t* size) {
  MUSPARSE_TRY(check(x, y));
  MUSPARSE_REQUIRE(result && isProduct(opX, x->valueType));
  return answerSize(size);
}

}  // namespace musashim::musparse
