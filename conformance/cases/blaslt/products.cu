// links: cublasLt
// Products with cuBLASLt: orders, transposes, batches, scalars and vectors of factors, epilogues, types, and
// statuses of what does not fit together.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

#include "../../framework/blaslt_problem.h"

CONFORMANCE_CASE("blaslt.products");

static cublasLtHandle_t handle;
static const float kOne = 1, kZero = 0, kTwo = 2;

static cublasStatus_t multiply(const Operation& operation, const void* alpha, const void* a,
                               const Layout& aLayout, const void* b, const Layout& bLayout, const void* beta,
                               const void* c, const Layout& cLayout, void* d, const Layout& dLayout) {
  return cublasLtMatmul(handle, operation.descriptor, alpha, a, aLayout.layout, b, bLayout.layout, beta, c,
                        cLayout.layout, d, dLayout.layout, nullptr, nullptr, 0, nullptr);
}

static std::vector<float> numbers(size_t count, int period) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(static_cast<int>(i * 7 % period) - period / 2);
  return values;
}

static void observeOrders() {
  DeviceValues<float> a(numbers(12, 11)), b(numbers(8, 7)), c(numbers(6, 5)), d(6);
  for (int rows = 0; rows < 8; ++rows) {
    const bool aRows = rows & 1, bRows = rows & 2, dRows = rows & 4;
    Layout aLayout(CUDA_R_32F, 3, 4, aRows ? 4 : 3), bLayout(CUDA_R_32F, 4, 2, bRows ? 2 : 4),
        dLayout(CUDA_R_32F, 3, 2, dRows ? 2 : 3);
    if (aRows) aLayout.byRows();
    if (bRows) bLayout.byRows();
    if (dRows) dLayout.byRows();
    Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const std::string key = "order." + std::to_string(rows);
    OBSERVE(key, code(multiply(operation, &kTwo, a, aLayout, b, bLayout, &kOne, c, dLayout, d, dLayout)));
    OBSERVE(key + ".result", textOf(d.get()));
  }
  for (int turned = 0; turned < 4; ++turned) {
    const bool ofA = turned & 1, ofB = turned & 2;
    Layout aLayout(CUDA_R_32F, ofA ? 4 : 3, ofA ? 3 : 4, ofA ? 4 : 3),
        bLayout(CUDA_R_32F, ofB ? 2 : 4, ofB ? 4 : 2, ofB ? 2 : 4), dLayout(CUDA_R_32F, 3, 2, 3);
    Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
    operation.transpose(ofA, ofB);
    const std::string key = "transpose." + std::to_string(turned);
    OBSERVE(key, code(multiply(operation, &kTwo, a, aLayout, b, bLayout, &kOne, c, dLayout, d, dLayout)));
    OBSERVE(key + ".result", textOf(d.get()));
  }
}

static void observeBatches() {
  DeviceValues<float> a(numbers(36, 11)), b(numbers(24, 7)), c(numbers(18, 5)), d(18);
  Layout aLayout(CUDA_R_32F, 3, 4, 3), bLayout(CUDA_R_32F, 4, 2, 4), dLayout(CUDA_R_32F, 3, 2, 3);
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  aLayout.batch(3, 12);
  bLayout.batch(3, 0);
  dLayout.batch(3, 6);
  OBSERVE("batch", code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kOne, c, dLayout, d, dLayout)));
  OBSERVE("batch.result", textOf(d.get()));
  bLayout.batch(2, 0);
  OBSERVE("batch.other_count",
          code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kOne, c, dLayout, d, dLayout)));
}

static void observeFactors() {
  DeviceValues<float> a(numbers(12, 11)), b(numbers(8, 7)), c(numbers(6, 5)), d(6);
  DeviceValues<float> alpha(std::vector<float>{1, 2, 3}), beta(std::vector<float>{3, 2, 1});
  Layout aLayout(CUDA_R_32F, 3, 4, 3), bLayout(CUDA_R_32F, 4, 2, 4), dLayout(CUDA_R_32F, 3, 2, 3);
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  operation.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(CUBLASLT_POINTER_MODE_DEVICE));
  OBSERVE("device", code(multiply(operation, alpha, a, aLayout, b, bLayout, beta, c, dLayout, d, dLayout)));
  OBSERVE("device.result", textOf(d.get()));
  operation.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(7));
  OBSERVE("mode.none",
          code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kOne, c, dLayout, d, dLayout)));
  operation.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(CUBLASLT_POINTER_MODE_HOST));
  const std::vector<float> holes(6, NAN);
  c.set(holes);
  OBSERVE("beta_zero",
          code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kZero, c, dLayout, d, dLayout)));
  OBSERVE("beta_zero.result", textOf(d.get()));
  OBSERVE("beta_zero.no_c",
          code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kZero, nullptr, dLayout, d, dLayout)));
  d.set(holes);
  OBSERVE("in_place",
          code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kZero, d, dLayout, d, dLayout)));
  OBSERVE("in_place.result", textOf(d.get()));
  DeviceValues<float> bad(std::vector<float>(12, NAN));
  c.set(numbers(6, 5));
  OBSERVE("alpha_zero",
          code(multiply(operation, &kZero, bad, aLayout, bad, bLayout, &kTwo, c, dLayout, d, dLayout)));
  OBSERVE("alpha_zero.result", textOf(d.get()));
}

static void observeMismatches() {
  DeviceValues<float> a(64), b(64), d(64);
  const auto fits = [&](const char* key, const Operation& operation, const Layout& aLayout,
                        const Layout& bLayout, const Layout& cLayout, const Layout& dLayout) {
    OBSERVE(std::string(key) + ".heuristic",
            heuristic(handle, operation, aLayout, bLayout, cLayout, dLayout));
    OBSERVE(key, code(multiply(operation, &kOne, a, aLayout, b, bLayout, &kZero, d, cLayout, d, dLayout)));
  };
  Operation plain(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  Layout three_four(CUDA_R_32F, 3, 4, 3), four_two(CUDA_R_32F, 4, 2, 4), three_two(CUDA_R_32F, 3, 2, 3);
  fits("fits", plain, three_four, four_two, three_two, three_two);
  fits("inner", plain, three_four, Layout(CUDA_R_32F, 5, 2, 5), three_two, three_two);
  fits("rows", plain, three_four, four_two, Layout(CUDA_R_32F, 2, 2, 3), Layout(CUDA_R_32F, 2, 2, 3));
  fits("columns", plain, three_four, four_two, Layout(CUDA_R_32F, 3, 3, 3), Layout(CUDA_R_32F, 3, 3, 3));
  fits("other_c", plain, three_four, four_two, Layout(CUDA_R_32F, 3, 3, 3), three_two);
  fits("ld", plain, Layout(CUDA_R_32F, 3, 4, 2), four_two, three_two, three_two);
  fits("ld.negative", plain, Layout(CUDA_R_32F, 3, 4, -3), four_two, three_two, three_two);
  fits("no_rows", plain, Layout(CUDA_R_32F, 0, 4, 3), four_two, Layout(CUDA_R_32F, 0, 2, 3),
       Layout(CUDA_R_32F, 0, 2, 3));
  fits("no_inner", plain, Layout(CUDA_R_32F, 3, 0, 3), Layout(CUDA_R_32F, 0, 2, 4), three_two, three_two);
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  operation.set(CUBLASLT_MATMUL_DESC_TRANSC, static_cast<int32_t>(CUBLAS_OP_T));
  fits("transc", operation, three_four, four_two, three_two, three_two);
  operation.set(CUBLASLT_MATMUL_DESC_TRANSC, static_cast<int32_t>(CUBLAS_OP_N));
  operation.set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(9));
  fits("transa.none", operation, three_four, four_two, three_two, three_two);
  operation.set(CUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(CUBLAS_OP_N));
  operation.epilogue(static_cast<cublasLtEpilogue_t>(3));
  fits("epilogue.none", operation, three_four, four_two, three_two, three_two);
  Layout tiled(CUDA_R_32F, 3, 4, 96);
  tiled.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(CUBLASLT_ORDER_COL32));
  fits("tiled", plain, tiled, four_two, three_two, three_two);
  Layout noOrder(CUDA_R_32F, 3, 4, 3);
  noOrder.set(CUBLASLT_MATRIX_LAYOUT_ORDER, static_cast<int32_t>(77));
  fits("order.none", plain, noOrder, four_two, three_two, three_two);
  Layout noBatch(CUDA_R_32F, 3, 4, 3);
  noBatch.batch(0, 12);
  fits("batch.none", plain, noBatch, four_two, three_two, three_two);
  const auto bare = [&](const char* key, cublasStatus_t status) { OBSERVE(key, code(status)); };
  const auto desc = plain.descriptor;
  const auto la = three_four.layout, lb = four_two.layout, ld = three_two.layout;
  bare("null.a", cublasLtMatmul(handle, desc, &kOne, nullptr, la, b, lb, &kZero, d, ld, d, ld, nullptr,
                                nullptr, 0, nullptr));
  bare("null.d", cublasLtMatmul(handle, desc, &kOne, a, la, b, lb, &kZero, d, ld, nullptr, ld, nullptr,
                                nullptr, 0, nullptr));
  cublasLtMatmulAlgo_t cleared = {};
  bare("algorithm.cleared", cublasLtMatmul(handle, desc, &kOne, a, la, b, lb, &kZero, d, ld, d, ld, &cleared,
                                           nullptr, 0, nullptr));
}

static void observeAlgorithms() {
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  Layout a(CUDA_R_32F, 64, 64, 64);
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t result = {};
  int count = -7, ids[64] = {};
  const auto ask = [&](cublasLtMatmulPreference_t preferred, int wanted,
                       cublasLtMatmulHeuristicResult_t* results, int* counted) {
    return code(cublasLtMatmulAlgoGetHeuristic(handle, operation.descriptor, a.layout, a.layout, a.layout,
                                               a.layout, preferred, wanted, results, counted));
  };
  OBSERVE("heuristic.none_wanted", ask(preference, 0, &result, &count));
  OBSERVE("heuristic.negative", ask(preference, -1, &result, &count));
  OBSERVE("heuristic", ask(preference, 1, &result, &count));
  OBSERVE("heuristic.count", count);
  OBSERVE("heuristic.state", code(result.state));
  OBSERVE("heuristic.workspace_fits", result.workspaceSize == 0);
  cublasLtMatmulHeuristicResult_t checked = {};
  OBSERVE("check", code(cublasLtMatmulAlgoCheck(handle, operation.descriptor, a.layout, a.layout, a.layout,
                                                a.layout, &result.algo, &checked)));
  const auto real = CUDA_R_32F;
  const auto listed = [&](cudaDataType type, int wanted, int* places, int* counted) {
    return code(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, real, type, type, type, type, wanted,
                                         places, counted));
  };
  OBSERVE("ids", listed(real, 64, ids, &count));
  OBSERVE("ids.some", count > 0);
  OBSERVE("ids.none_wanted", listed(real, 0, ids, &count));
  OBSERVE("ids.types", listed(CUDA_R_64F, 64, ids, &count));
  const auto init = [&](int id, cublasLtMatmulAlgo_t* place) {
    return code(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, real, real, real, real, real, id, place));
  };
  listed(real, 64, ids, &count);
  cublasLtMatmulAlgo_t algorithm;
  OBSERVE("init", init(ids[0], &algorithm));
  OBSERVE("init.number", init(12345, &algorithm));
  init(ids[0], &algorithm);
  size_t written = 0;
  int32_t value = 0;
  OBSERVE("config.id", code(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID, &value,
                                                                 sizeof value, &written)));
  OBSERVE("config.id.same", value == ids[0]);
  OBSERVE("config.split", code(cublasLtMatmulAlgoConfigGetAttribute(
                              &algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &value, sizeof value, &written)));
  OBSERVE("config.split.value", value);
  OBSERVE("config.size", code(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_ID,
                                                                   &value, 2, &written)));
  OBSERVE("ability.batch",
          code(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, &value,
                                                 sizeof value, &written)));
  OBSERVE("ability.batch.value", value);
  OBSERVE("ability.size", code(cublasLtMatmulAlgoCapGetAttribute(
                              &algorithm, CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, &value, 2, &written)));
  OBSERVE("ability.none", code(cublasLtMatmulAlgoCapGetAttribute(
                              &algorithm, static_cast<cublasLtMatmulAlgoCapAttributes_t>(99), &value,
                              sizeof value, &written)));
  cublasLtMatmulPreferenceDestroy(preference);
}

int main() {
  OBSERVE("create", code(cublasLtCreate(&handle)));
  observeOrders();
  observeBatches();
  observeFactors();
  observeMismatches();
  observeAlgorithms();
  OBSERVE("destroy", code(cublasLtDestroy(handle)));
}
