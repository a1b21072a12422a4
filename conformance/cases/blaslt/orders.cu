// links: cublasLt
// Orders of 8-bit matrices in tiles: where each element goes and comes back from, and products of them.
#include "../../framework/blaslt_problem.h"

CONFORMANCE_CASE("blaslt.orders");

static cublasLtHandle_t handle;

static std::string digest(const std::vector<signed char>& bytes) {
  unsigned long long hash = 14695981039346656037ull;
  for (signed char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hex(hash);
}

struct Order {
  const char* name;
  cublasLtOrder_t order;
  int rows;  // of a tile
};
static const Order kOrders[] = {{"col32", CUBLASLT_ORDER_COL32, 1},
                                {"col4_4r2_8c", CUBLASLT_ORDER_COL4_4R2_8C, 8},
                                {"col32_2r_4r4", CUBLASLT_ORDER_COL32_2R_4R4, 32}};

static cublasStatus_t transform(const void* from, const Layout& source, void* to, const Layout& target,
                                cublasOperation_t operation) {
  cublasLtMatrixTransformDesc_t descriptor = nullptr;
  cublasLtMatrixTransformDescCreate(&descriptor, CUDA_R_32F);
  const int32_t op = operation;
  cublasLtMatrixTransformDescSetAttribute(descriptor, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &op, sizeof op);
  const float one = 1, zero = 0;
  const cublasStatus_t status = cublasLtMatrixTransform(handle, descriptor, &one, from, source.layout, &zero,
                                                        nullptr, nullptr, to, target.layout, nullptr);
  cudaDeviceSynchronize();
  cublasLtMatrixTransformDescDestroy(descriptor);
  return status;
}

static cublasStatus_t multiply(const Operation& operation, const void* alpha, const void* a,
                               const Layout& aLayout, const void* b, const Layout& bLayout, const void* beta,
                               void* c, const Layout& cLayout) {
  return cublasLtMatmul(handle, operation.descriptor, alpha, a, aLayout.layout, b, bLayout.layout, beta, c,
                        cLayout.layout, c, cLayout.layout, nullptr, nullptr, 0, nullptr);
}

int main() {
  SETUP(cudaFree(nullptr));
  OBSERVE("create", code(cublasLtCreate(&handle)));
  const int rows = 40, columns = 70;
  for (const Order& order : kOrders) {
    const int ld = 32 * ((rows + order.rows - 1) / order.rows) * order.rows;
    const size_t space = static_cast<size_t>(ld) * 3;
    const std::string at = std::string(".") + order.name;
    for (bool byRow : {true, false}) {
      const std::string key = at + (byRow ? ".rows" : ".columns");
      std::vector<signed char> values(static_cast<size_t>(rows * columns));
      for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row)
          values[static_cast<size_t>(column * rows + row)] = static_cast<signed char>(byRow ? row : column);
      DeviceValues<signed char> plain(values), tiled(std::vector<signed char>(space, -9)),
          back(std::vector<signed char>(values.size(), -9));
      Layout source(CUDA_R_8I, rows, columns, rows), target(CUDA_R_8I, rows, columns, ld);
      target.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order.order));
      OBSERVE("to" + key, code(transform(plain, source, tiled, target, CUBLAS_OP_N)));
      std::vector<signed char> found = tiled.get();
      std::string first;
      for (size_t i = 0; i < 64; ++i) first += std::to_string(found[i]) + " ";
      OBSERVE("to.first" + key, first);
      OBSERVE("to.digest" + key, digest(found));
      OBSERVE("back" + key, code(transform(tiled, target, back, source, CUBLAS_OP_N)));
      OBSERVE("back.same" + key, back.get() == values);
      Layout turned(CUDA_R_8I, columns, rows, columns);
      DeviceValues<signed char> other(std::vector<signed char>(values.size(), -9));
      OBSERVE("turned" + key, code(transform(tiled, target, other, turned, CUBLAS_OP_T)));
      OBSERVE("turned.digest" + key, digest(other.get()));
    }
    DeviceValues<signed char> plain(static_cast<size_t>(rows * columns)), tiled(space);
    Layout source(CUDA_R_8I, rows, columns, rows), narrow(CUDA_R_8I, rows, columns, ld - 32),
        wide(CUDA_R_8I, rows, columns, ld + 32), other(CUDA_R_32F, rows, columns, ld);
    narrow.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order.order));
    wide.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order.order));
    other.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order.order));
    OBSERVE("narrow" + at, code(transform(plain, source, tiled, narrow, CUBLAS_OP_N)));
    DeviceValues<signed char> more(space * 2 + 4096);
    OBSERVE("wide" + at, code(transform(plain, source, more, wide, CUBLAS_OP_N)));
    DeviceValues<float> floats(static_cast<size_t>(rows * columns)), tiledFloats(space);
    Layout floatSource(CUDA_R_32F, rows, columns, rows);
    OBSERVE("floats" + at, code(transform(floats, floatSource, tiledFloats, other, CUBLAS_OP_N)));
  }
  // C = A B^T, as programs for 8-bit integers have it.
  const int m = 64, n = 32, k = 96;
  for (const Order& order : kOrders) {
    if (order.order == CUBLASLT_ORDER_COL32) continue;
    const std::string at = std::string(".") + order.name;
    std::vector<signed char> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(n * k));
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<signed char>(static_cast<int>(i * 7 % 11) - 5);
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<signed char>(static_cast<int>(i * 5 % 13) - 6);
    DeviceValues<signed char> plainA(a), plainB(b), tiledA(static_cast<size_t>(m * k)),
        tiledB(static_cast<size_t>(n * k));
    DeviceValues<int> c(static_cast<size_t>(m * n));
    Layout sourceA(CUDA_R_8I, m, k, m), sourceB(CUDA_R_8I, n, k, n), layoutA(CUDA_R_8I, m, k, 32 * m),
        layoutB(CUDA_R_8I, n, k, 32 * n), layoutC(CUDA_R_32I, m, n, 32 * m);
    layoutA.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(CUBLASLT_ORDER_COL32));
    layoutB.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(order.order));
    layoutC.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(CUBLASLT_ORDER_COL32));
    transform(plainA, sourceA, tiledA, layoutA, CUBLAS_OP_N);
    transform(plainB, sourceB, tiledB, layoutB, CUBLAS_OP_N);
    Operation operation(CUBLAS_COMPUTE_32I, CUDA_R_32I);
    operation.set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(CUBLAS_OP_T));
    const int one = 1, zero = 0;
    OBSERVE("product" + at,
            code(multiply(operation, &one, tiledA, layoutA, tiledB, layoutB, &zero, c, layoutC)));
    cudaDeviceSynchronize();
    const std::vector<int> found = c.get();
    std::string first;
    for (size_t i = 0; i < 40; ++i) first += std::to_string(found[i]) + " ";
    OBSERVE("product.first" + at, first);
  }
}
