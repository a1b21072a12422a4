// links: cusparse
// Handles, settings, texts and the older calls' descriptors.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.handles");

int main() {
  OBSERVE("create.none", code(cusparseCreate(nullptr)));
  cusparseHandle_t handle = nullptr;
  OBSERVE("create", code(cusparseCreate(&handle)));
  OBSERVE("destroy.none", code(cusparseDestroy(nullptr)));
  int version = -1;
  OBSERVE("version", code(cusparseGetVersion(handle, &version)));
  OBSERVE("version.known", version > 11000);
  OBSERVE("version.no_place", code(cusparseGetVersion(handle, nullptr)));
  OBSERVE("version.no_handle", code(cusparseGetVersion(nullptr, &version)));
  int part = -1;
  OBSERVE("property", code(cusparseGetProperty(MAJOR_VERSION, &part)));
  OBSERVE("property.known", part >= 11);
  OBSERVE("property.unknown", code(cusparseGetProperty(static_cast<libraryPropertyType>(9), &part)));
  OBSERVE("property.no_place", code(cusparseGetProperty(MAJOR_VERSION, nullptr)));
  cudaStream_t stream = nullptr, other = nullptr;
  SETUP(cudaStreamCreate(&stream));
  OBSERVE("stream.default", code(cusparseGetStream(handle, &other)));
  OBSERVE("stream.default.is_null", other == nullptr);
  OBSERVE("stream.set", code(cusparseSetStream(handle, stream)));
  OBSERVE("stream.get", code(cusparseGetStream(handle, &other)));
  OBSERVE("stream.get.same", other == stream);
  OBSERVE("stream.get.no_place", code(cusparseGetStream(handle, nullptr)));
  OBSERVE("stream.set.no_handle", code(cusparseSetStream(nullptr, stream)));
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  OBSERVE("mode.get", code(cusparseGetPointerMode(handle, &mode)));
  OBSERVE("mode.default", static_cast<int>(mode));
  OBSERVE("mode.set", code(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE)));
  OBSERVE("mode.set.unknown", code(cusparseSetPointerMode(handle, static_cast<cusparsePointerMode_t>(7))));
  cusparseGetPointerMode(handle, &mode);
  OBSERVE("mode.after_unknown", static_cast<int>(mode));
  OBSERVE("mode.get.no_place", code(cusparseGetPointerMode(handle, nullptr)));
  OBSERVE("mode.set.no_handle", code(cusparseSetPointerMode(nullptr, CUSPARSE_POINTER_MODE_HOST)));
  for (int i = -1; i <= 12; ++i) {
    const auto status = static_cast<cusparseStatus_t>(i);
    const std::string name = cusparseGetErrorName(status);
    OBSERVE("name." + std::to_string(i), name.size() > 8 && name.rfind("CUSPARSE", 0) == 0 ? name.substr(8)
                                         : name.rfind("MUSPARSE", 0) == 0                  ? name.substr(8)
                                                                                           : name);
    OBSERVE("words." + std::to_string(i), std::string(cusparseGetErrorString(status)));
  }

  cusparseMatDescr_t descr = nullptr;
  OBSERVE("descr.create", code(cusparseCreateMatDescr(&descr)));
  OBSERVE("descr.type", static_cast<int>(cusparseGetMatType(descr)));
  OBSERVE("descr.fill", static_cast<int>(cusparseGetMatFillMode(descr)));
  OBSERVE("descr.diagonal", static_cast<int>(cusparseGetMatDiagType(descr)));
  OBSERVE("descr.base", static_cast<int>(cusparseGetMatIndexBase(descr)));
  for (int i = -1; i <= 4; ++i) {
    const std::string key = "." + std::to_string(i);
    OBSERVE("descr.set_type" + key, code(cusparseSetMatType(descr, static_cast<cusparseMatrixType_t>(i))));
    OBSERVE("descr.set_fill" + key, code(cusparseSetMatFillMode(descr, static_cast<cusparseFillMode_t>(i))));
    OBSERVE("descr.set_diagonal" + key,
            code(cusparseSetMatDiagType(descr, static_cast<cusparseDiagType_t>(i))));
    OBSERVE("descr.set_base" + key,
            code(cusparseSetMatIndexBase(descr, static_cast<cusparseIndexBase_t>(i))));
  }
  OBSERVE("descr.type.after", static_cast<int>(cusparseGetMatType(descr)));
  OBSERVE("descr.fill.after", static_cast<int>(cusparseGetMatFillMode(descr)));
  OBSERVE("descr.diagonal.after", static_cast<int>(cusparseGetMatDiagType(descr)));
  OBSERVE("descr.base.after", static_cast<int>(cusparseGetMatIndexBase(descr)));
  OBSERVE("descr.destroy", code(cusparseDestroyMatDescr(descr)));
  OBSERVE("destroy", code(cusparseDestroy(handle)));
}
