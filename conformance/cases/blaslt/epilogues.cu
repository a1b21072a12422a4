// links: cublasLt
// Epilogues of cuBLASLt's products, factors for each row, other types, sums of inputs, and transforms.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

#include "../../framework/blaslt_problem.h"

CONFORMANCE_CASE("blaslt.epilogues");

static cublasLtHandle_t handle;
static void* workspace = nullptr;
static const size_t kWorkspace = 32 << 20;  // gradients of biases need one
static const float kOne = 1, kZero = 0, kTwo = 2;
static const int kSize = 16;  // rows and columns; all kernels of cuBLASLt take such

static std::vector<__half> halves(int count, int period, int shift) {
  std::vector<__half> values(count);
  for (int i = 0; i < count; ++i) values[i] = __float2half(static_cast<float>(i * 7 % period - shift));
  return values;
}

// What came, by its sum and its bits; results are integers that a half holds, unless the epilogue bends them.
static void observeHalves(const std::string& key, const DeviceValues<__half>& values, bool isExact) {
  double sum = 0, weighted = 0;
  std::vector<float> all;
  for (const __half value : values.get()) all.push_back(__half2float(value));
  for (size_t i = 0; i < all.size(); ++i) {
    sum += all[i];
    weighted += all[i] * static_cast<double>(i % 13);
  }
  if (isExact) {
    OBSERVE(key + ".sum", sum);
    OBSERVE(key + ".weighted", weighted);
  } else {
    OBSERVE(key + ".sum", round(sum / 4));
  }
}

struct Kind {
  const char* name;
  cublasLtEpilogue_t epilogue;
  bool isExact;
};
static const Kind kKinds[] = {{"default", CUBLASLT_EPILOGUE_DEFAULT, true},
                              {"relu", CUBLASLT_EPILOGUE_RELU, true},
                              {"bias", CUBLASLT_EPILOGUE_BIAS, true},
                              {"relu_bias", CUBLASLT_EPILOGUE_RELU_BIAS, true},
                              {"relu_aux", CUBLASLT_EPILOGUE_RELU_AUX, true},
                              {"relu_aux_bias", CUBLASLT_EPILOGUE_RELU_AUX_BIAS, true},
                              {"drelu", CUBLASLT_EPILOGUE_DRELU, true},
                              {"drelu_bgrad", CUBLASLT_EPILOGUE_DRELU_BGRAD, true},
                              {"gelu", CUBLASLT_EPILOGUE_GELU, false},
                              {"gelu_bias", CUBLASLT_EPILOGUE_GELU_BIAS, false},
                              {"gelu_aux", CUBLASLT_EPILOGUE_GELU_AUX, false},
                              {"gelu_aux_bias", CUBLASLT_EPILOGUE_GELU_AUX_BIAS, false},
                              {"dgelu", CUBLASLT_EPILOGUE_DGELU, false},
                              {"dgelu_bgrad", CUBLASLT_EPILOGUE_DGELU_BGRAD, false},
                              {"bgrada", CUBLASLT_EPILOGUE_BGRADA, true},
                              {"bgradb", CUBLASLT_EPILOGUE_BGRADB, true}};

static cublasStatus_t multiply(const Operation& operation, const void* alpha, const void* a,
                               const Layout& aLayout, const void* b, const Layout& bLayout, const void* beta,
                               const void* c, const Layout& cLayout, void* d, const Layout& dLayout) {
  return cublasLtMatmul(handle, operation.descriptor, alpha, a, aLayout.layout, b, bLayout.layout, beta, c,
                        cLayout.layout, d, dLayout.layout, nullptr, workspace, kWorkspace, nullptr);
}

// Alone: with pointers that the epilogue has no use for.
static void observeEpilogue(const Kind& kind, const char* form, bool turnsA, bool turnsB, float beta,
                            bool alone) {
  const int count = kSize * kSize;
  DeviceValues<__half> a(halves(count, 5, 2)), b(halves(count, 7, 3)), c(halves(count, 3, 1)),
      d(halves(count, 3, 1)), bias(halves(kSize, 9, 4));
  Layout layout(CUDA_R_16F, kSize, kSize, kSize);
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  operation.transpose(turnsA, turnsB);
  operation.epilogue(kind.epilogue);
  const bool isMask = (kind.epilogue & (2 | 8)) != 0;
  const bool hasAux = (kind.epilogue & 128) != 0, hasBias = (kind.epilogue & (4 | 16 | 256 | 512)) != 0;
  std::vector<unsigned char> inputs(128 * kSize, 0x5a);
  for (size_t i = 0; i < inputs.size() && !isMask; ++i) inputs[i] = i % 2 ? 0x3c : 0;  // ones
  DeviceValues<unsigned char> aux(inputs);
  const std::string key = std::string(kind.name) + "." + form;
  OBSERVE(key + ".bare", heuristic(handle, operation, layout, layout, layout, layout));
  if (hasBias || alone)
    operation.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(static_cast<__half*>(bias)));
  if (hasAux || alone) {
    operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                  static_cast<void*>(static_cast<unsigned char*>(aux)));
    operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, static_cast<int64_t>(isMask ? 128 : kSize));
  }
  OBSERVE(key + ".heuristic", heuristic(handle, operation, layout, layout, layout, layout));
  const cublasStatus_t status = multiply(operation, &kOne, a, layout, b, layout, &beta, c, layout, d, layout);
  OBSERVE(key, code(status));
  if (status != CUBLAS_STATUS_SUCCESS || alone) return;
  observeHalves(key + ".d", d, kind.isExact);
  if (hasBias) observeHalves(key + ".bias", bias, kind.isExact);
  if (hasAux && isMask) {
    const std::vector<unsigned char> bits = aux.get();
    std::string text;
    for (int column = 0; column < 4; ++column)
      text += hex(bits[16 * column] | bits[16 * column + 1] << 8) + " ";
    OBSERVE(key + ".mask", text);
  }
}

static void observeEpilogues() {
  for (const Kind& kind : kKinds) {
    observeEpilogue(kind, "turned", true, false, 2, false);
    observeEpilogue(kind, "turned_alone", true, false, 0, false);
    observeEpilogue(kind, "plain", false, false, 0, false);
    observeEpilogue(kind, "other", false, true, 0, false);
    observeEpilogue(kind, "pointers", true, false, 2, true);
  }
  const int count = kSize * kSize;
  DeviceValues<__half> a(halves(count, 5, 2)), b(halves(count, 7, 3)), c(halves(count, 3, 1)), d(count),
      bias(halves(kSize, 9, 4));
  Layout layout(CUDA_R_16F, kSize, kSize, kSize);
  Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  operation.transpose(true, false);
  operation.epilogue(CUBLASLT_EPILOGUE_BIAS);
  OBSERVE("bias.missing",
          code(multiply(operation, &kOne, a, layout, b, layout, &kTwo, c, layout, d, layout)));
  operation.epilogue(CUBLASLT_EPILOGUE_RELU_AUX);
  OBSERVE("aux.missing", code(multiply(operation, &kOne, a, layout, b, layout, &kTwo, c, layout, d, layout)));
  operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(static_cast<__half*>(bias)));
  operation.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, static_cast<int64_t>(100));
  OBSERVE("aux.ld", code(multiply(operation, &kOne, a, layout, b, layout, &kTwo, c, layout, d, layout)));
}

struct Combination {
  const char* name;
  cublasComputeType_t compute;
  cudaDataType scale, a, b, c, d;
};
static const Combination kCombinations[] = {
    {"half", CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {"half.float", CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
    {"half.in_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {"half.to_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
    {"half.c_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUDA_R_16F},
    {"half.scale", CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {"bfloat", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF},
    {"bfloat.to_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
    {"bfloat.half", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
    {"float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {"float.pedantic", CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
     CUDA_R_32F},
    {"float.tf32", CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {"float.to_half", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},
    {"double", CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {"double.in_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {"float.in_double", CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {"complex", CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {"complex.scale", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {"long_complex", CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {"int8", CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
    {"int8.to_int8", CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, CUDA_R_8I, CUDA_R_8I},
    {"int8.scale", CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I},
    {"int8.to_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
    {"e4m3", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_16BF},
    {"e4m3.to_half", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16F, CUDA_R_16F},
    {"e4m3.to_float", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_32F, CUDA_R_32F},
    {"e4m3.to_e4m3", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUDA_R_8F_E4M3},
    {"e4m3.to_e5m2", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUDA_R_8F_E5M2},
    {"e5m2.e4m3", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E5M2, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_16BF},
    {"e5m2.e4m3.to_e5m2", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E5M2, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUDA_R_8F_E5M2},
    {"e5m2", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E5M2, CUDA_R_8F_E5M2, CUDA_R_16BF, CUDA_R_16BF}};

// Which types go together: with A turned, as 8-bit kernels want it, and not, and on sizes that they do not
// take.
static void observeTypes() {
  for (const Combination& t : kCombinations)
    for (int form = 0; form < 3; ++form) {
      const int size = form == 2 ? 9 : kSize;
      Operation operation(t.compute, t.scale);
      operation.transpose(form != 1, false);
      Layout a(t.a, size, size, size), b(t.b, size, size, size), c(t.c, size, size, size),
          d(t.d, size, size, size);
      OBSERVE(std::string("types.") + t.name + "." + std::to_string(form),
              heuristic(handle, operation, a, b, c, d));
    }
  const int count = kSize * kSize;
  std::vector<signed char> small(count);
  for (int i = 0; i < count; ++i) small[i] = static_cast<signed char>(i * 37 % 255 - 127);
  DeviceValues<signed char> a(small), b(small), bytes(small);
  DeviceValues<int> words(std::vector<int>(count, 5));
  Operation integers(CUBLAS_COMPUTE_32I, CUDA_R_32I), scaled(CUBLAS_COMPUTE_32I, CUDA_R_32F);
  integers.transpose(true, false);
  scaled.transpose(true, false);
  Layout layout(CUDA_R_8I, kSize, kSize, kSize), wide(CUDA_R_32I, kSize, kSize, kSize);
  const int two = 2, three = 3;
  OBSERVE("int8", code(multiply(integers, &two, a, layout, b, layout, &three, words, wide, words, wide)));
  const std::vector<int> sums = words.get();
  OBSERVE("int8.result", checksum(sums.data(), sizeof(int) * sums.size()));
  const float fraction = 0.0078125f, half = 0.5f;
  OBSERVE("int8.scaled",
          code(multiply(scaled, &fraction, a, layout, b, layout, &half, bytes, layout, bytes, layout)));
  const std::vector<signed char> rounded = bytes.get();
  OBSERVE("int8.scaled.result", checksum(rounded.data(), rounded.size()));
}

static void observeVectors() {
  const int count = kSize * kSize;
  std::vector<float> numbers(count), factors(kSize);
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<float>(i * 5 % 11 - 5);
  for (int i = 0; i < kSize; ++i) factors[i] = static_cast<float>(i - 3);
  DeviceValues<float> a(numbers), b(numbers), c(numbers), d(count), alpha(factors), beta(factors);
  Layout layout(CUDA_R_32F, kSize, kSize, kSize);
  for (int mode = 2; mode <= 4; ++mode) {
    Operation operation(CUBLAS_COMPUTE_32F, CUDA_R_32F);
    operation.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(mode));
    const std::string key = "vector." + std::to_string(mode);
    OBSERVE(key + ".heuristic", heuristic(handle, operation, layout, layout, layout, layout));
    const void* betaGiven = mode == 2 ? static_cast<const void*>(static_cast<float*>(beta)) : &kTwo;
    const cublasStatus_t status =
        multiply(operation, alpha, a, layout, b, layout, betaGiven, c, layout, d, layout);
    OBSERVE(key, code(status));
    if (status == CUBLAS_STATUS_SUCCESS) OBSERVE(key + ".result", textOf(d.get()).substr(0, 100));
  }
}

// Factors for each row are for 8-bit integers.
static void observeIntegerVectors() {
  const int count = kSize * kSize;
  std::vector<signed char> numbers(count);
  std::vector<float> factors(kSize);
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<signed char>(i * 5 % 11 - 5);
  for (int i = 0; i < kSize; ++i) factors[i] = static_cast<float>(i - 3) * 0.25f;
  DeviceValues<signed char> a(numbers), b(numbers), c(numbers), d(numbers);
  DeviceValues<float> alpha(factors);
  Layout layout(CUDA_R_8I, kSize, kSize, kSize);
  for (int mode = 1; mode <= 4; ++mode) {
    Operation operation(CUBLAS_COMPUTE_32I, CUDA_R_32F);
    operation.transpose(true, false);
    operation.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, static_cast<int32_t>(mode));
    const std::string key = "integer_vector." + std::to_string(mode);
    OBSERVE(key + ".heuristic", heuristic(handle, operation, layout, layout, layout, layout));
    const void* betaGiven = mode <= 2 ? static_cast<const void*>(static_cast<float*>(alpha)) : &kTwo;
    const cublasStatus_t status =
        multiply(operation, alpha, a, layout, b, layout, betaGiven, c, layout, d, layout);
    OBSERVE(key, code(status));
    if (status != CUBLAS_STATUS_SUCCESS) continue;
    const std::vector<signed char> all = d.get();
    std::string text;
    for (int i = 0; i < 2 * kSize; ++i) text += observedText(static_cast<int>(all[i])) + " ";
    OBSERVE(key + ".result", text);
  }
}

static void observeTransforms() {
  std::vector<float> numbers(12);
  for (int i = 0; i < 12; ++i) numbers[i] = static_cast<float>(i + 1);
  DeviceValues<float> a(numbers), b(numbers), c(12);
  Layout columns(CUDA_R_32F, 3, 4, 3), rows(CUDA_R_32F, 3, 4, 4), turned(CUDA_R_32F, 4, 3, 4),
      other(CUDA_R_32F, 3, 3, 3);
  rows.byRows();
  cublasLtMatrixTransformDesc_t transform = nullptr;
  cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F);
  const auto observe = [&](const char* key, const float* alpha, const float* from, const Layout* aLayout,
                           const float* beta, const float* with, const Layout* bLayout, const Layout& to) {
    c.set(std::vector<float>(12, -1));
    OBSERVE(std::string("transform.") + key,
            code(cublasLtMatrixTransform(handle, transform, alpha, from, aLayout ? aLayout->layout : nullptr,
                                         beta, with, bLayout ? bLayout->layout : nullptr, c, to.layout,
                                         nullptr)));
    OBSERVE(std::string("transform.") + key + ".result", textOf(c.get()));
  };
  observe("to_rows", &kOne, a, &columns, &kZero, nullptr, nullptr, rows);
  observe("sum", &kTwo, a, &columns, &kOne, b, &rows, columns);
  observe("shape", &kOne, a, &other, &kZero, nullptr, nullptr, columns);
  const int32_t turn = CUBLAS_OP_T;
  cublasLtMatrixTransformDescSetAttribute(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &turn,
                                          sizeof turn);
  observe("turned", &kOne, a, &turned, &kZero, nullptr, nullptr, columns);
  observe("turned.shape", &kOne, a, &columns, &kZero, nullptr, nullptr, columns);
  cublasLtMatrixTransformDescDestroy(transform);
}

int main() {
  cublasLtCreate(&handle);
  SETUP(cudaMalloc(&workspace, kWorkspace));
  observeEpilogues();
  observeTypes();
  observeVectors();
  observeIntegerVectors();
  observeTransforms();
  cublasLtDestroy(handle);
}
