// links: cublasLt
// Descriptors of cuBLASLt: attributes that there are and are not, their sizes, what they are at first, values
// that mean nothing, none where one is needed.
#include <string.h>

#include "../../framework/blaslt_problem.h"

CONFORMANCE_CASE("blaslt.descriptors");

// Sizes from 1 to 16 and null, for one attribute.
template <typename Set, typename Get>
static void observeAttribute(const std::string& key, Set set, Get get) {
  size_t written = 777;
  OBSERVE(key + ".asked", code(get(nullptr, 0, &written)));
  OBSERVE(key + ".size", written);
  std::string gotten, stored;
  for (size_t size = 1; size <= 16; size *= 2) {
    unsigned char bytes[16];
    memset(bytes, 0xee, sizeof bytes);
    const cublasStatus_t status = get(bytes, size, &written);
    gotten += std::to_string(code(status)) + " ";
    if (status == CUBLAS_STATUS_SUCCESS) {
      unsigned long long value = 0;
      memcpy(&value, bytes, written > 8 ? 8 : written);
      OBSERVE(key + ".first", hex(value));
    }
    unsigned char one[16] = {1};
    stored += std::to_string(code(set(one, size))) + " ";
  }
  OBSERVE(key + ".get", gotten);
  OBSERVE(key + ".set", stored);
  OBSERVE(key + ".get_null", code(get(nullptr, 8, &written)));
  OBSERVE(key + ".get_nothing", code(get(nullptr, 0, nullptr)));
  OBSERVE(key + ".set_null", code(set(nullptr, 8)));
}

int main() {
  cublasLtMatrixLayout_t layout = nullptr;
  OBSERVE("layout.create", code(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 3, 4, 5)));
  for (int i = -1; i <= 7; ++i) {
    const auto attribute = static_cast<cublasLtMatrixLayoutAttribute_t>(i);
    observeAttribute(
        "layout." + std::to_string(i),
        [&](const void* data, size_t size) {
          return cublasLtMatrixLayoutSetAttribute(layout, attribute, data, size);
        },
        [&](void* data, size_t size, size_t* written) {
          return cublasLtMatrixLayoutGetAttribute(layout, attribute, data, size, written);
        });
  }
  OBSERVE("layout.destroy", code(cublasLtMatrixLayoutDestroy(layout)));
  OBSERVE("layout.destroy_null", code(cublasLtMatrixLayoutDestroy(nullptr)));
  OBSERVE("layout.no_place", code(cublasLtMatrixLayoutCreate(nullptr, CUDA_R_32F, 3, 4, 5)));
  OBSERVE("layout.short_ld", code(Layout(CUDA_R_32F, 3, 4, 2).status));
  OBSERVE("layout.negative_ld", code(Layout(CUDA_R_32F, 3, 4, -3).status));
  OBSERVE("layout.empty", code(Layout(CUDA_R_32F, 0, 0, 0).status));
  OBSERVE("layout.type", code(Layout(static_cast<cudaDataType>(99), 3, 4, 3).status));
  cublasLtMatrixLayoutOpaque_t own;
  OBSERVE("layout.init", code(cublasLtMatrixLayoutInit(&own, CUDA_R_64F, 7, 8, 9)));
  uint64_t rows = 0;
  size_t written = 0;
  OBSERVE("layout.init.rows", code(cublasLtMatrixLayoutGetAttribute(&own, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows,
                                                                    sizeof rows, &written)));
  OBSERVE("layout.init.rows.value", rows);

  cublasLtMatmulDesc_t operation = nullptr;
  OBSERVE("operation.create", code(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F)));
  const int attributes[] = {-1, 0,  2,  3,  4,  5,  6,  7,  8,  10, 11, 12, 13,
                            14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 99};
  for (const int i : attributes) {
    const auto attribute = static_cast<cublasLtMatmulDescAttributes_t>(i);
    observeAttribute(
        "operation." + std::to_string(i),
        [&](const void* data, size_t size) {
          return cublasLtMatmulDescSetAttribute(operation, attribute, data, size);
        },
        [&](void* data, size_t size, size_t* got) {
          return cublasLtMatmulDescGetAttribute(operation, attribute, data, size, got);
        });
  }
  OBSERVE("operation.destroy", code(cublasLtMatmulDescDestroy(operation)));
  OBSERVE("operation.destroy_null", code(cublasLtMatmulDescDestroy(nullptr)));
  OBSERVE("operation.no_place", code(cublasLtMatmulDescCreate(nullptr, CUBLAS_COMPUTE_32F, CUDA_R_32F)));
  OBSERVE("operation.compute", code(Operation(static_cast<cublasComputeType_t>(5), CUDA_R_32F).status));
  cublasLtMatmulDescOpaque_t ownOperation;
  OBSERVE("operation.init", code(cublasLtMatmulDescInit(&ownOperation, CUBLAS_COMPUTE_64F, CUDA_R_64F)));

  cublasLtMatrixTransformDesc_t transform = nullptr;
  OBSERVE("transform.create", code(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F)));
  for (int i = -1; i <= 4; ++i) {
    const auto attribute = static_cast<cublasLtMatrixTransformDescAttributes_t>(i);
    observeAttribute(
        "transform." + std::to_string(i),
        [&](const void* data, size_t size) {
          return cublasLtMatrixTransformDescSetAttribute(transform, attribute, data, size);
        },
        [&](void* data, size_t size, size_t* got) {
          return cublasLtMatrixTransformDescGetAttribute(transform, attribute, data, size, got);
        });
  }
  OBSERVE("transform.destroy", code(cublasLtMatrixTransformDescDestroy(transform)));
  OBSERVE("transform.no_place", code(cublasLtMatrixTransformDescCreate(nullptr, CUDA_R_32F)));

  cublasLtMatmulPreference_t preference = nullptr;
  OBSERVE("preference.create", code(cublasLtMatmulPreferenceCreate(&preference)));
  const int preferences[] = {-1, 0, 1, 3, 5, 6, 7, 8, 9, 12, 13};
  for (const int i : preferences) {
    const auto attribute = static_cast<cublasLtMatmulPreferenceAttributes_t>(i);
    observeAttribute(
        "preference." + std::to_string(i),
        [&](const void* data, size_t size) {
          return cublasLtMatmulPreferenceSetAttribute(preference, attribute, data, size);
        },
        [&](void* data, size_t size, size_t* got) {
          return cublasLtMatmulPreferenceGetAttribute(preference, attribute, data, size, got);
        });
  }
  OBSERVE("preference.destroy", code(cublasLtMatmulPreferenceDestroy(preference)));
  OBSERVE("preference.no_place", code(cublasLtMatmulPreferenceCreate(nullptr)));

  cublasLtHandle_t handle = nullptr;
  OBSERVE("handle.create", code(cublasLtCreate(&handle)));
  OBSERVE("handle.create.no_place", code(cublasLtCreate(nullptr)));
  OBSERVE("handle.destroy", code(cublasLtDestroy(handle)));
  OBSERVE("handle.destroy_null", code(cublasLtDestroy(nullptr)));
  int value = 0;
  OBSERVE("property", code(cublasLtGetProperty(MAJOR_VERSION, &value)));
  OBSERVE("property.none", code(cublasLtGetProperty(static_cast<libraryPropertyType>(9), &value)));
  OBSERVE("property.no_place", code(cublasLtGetProperty(MAJOR_VERSION, nullptr)));
  OBSERVE("version", cublasLtGetVersion() > 0);
  size_t capacity = 0;
  OBSERVE("cache.set", code(cublasLtHeuristicsCacheSetCapacity(100)));
  OBSERVE("cache.get", code(cublasLtHeuristicsCacheGetCapacity(&capacity)));
  OBSERVE("cache.no_place", code(cublasLtHeuristicsCacheGetCapacity(nullptr)));
  for (int i = 0; i < 18; ++i) {
    const std::string name = cublasLtGetStatusName(static_cast<cublasStatus_t>(i));
    OBSERVE("status." + std::to_string(i), name.size() > 2 && name[0] != 'u' ? name.substr(2) : name);
  }
  for (int i = -1; i <= 7; ++i) OBSERVE("log.level." + std::to_string(i), code(cublasLtLoggerSetLevel(i)));
  OBSERVE("log.mask", code(cublasLtLoggerSetMask(0)));
  OBSERVE("log.open.none", code(cublasLtLoggerOpenFile("/no/such/folder/log")));
  OBSERVE("log.callback", code(cublasLtLoggerSetCallback(nullptr)));
  OBSERVE("log.off", code(cublasLtLoggerForceDisable()));
}
