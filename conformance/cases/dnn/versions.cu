// links: cudnn
// cuDNN's handle, what it says of its version, the words for its statuses.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.versions");

int main() {
  OBSERVE("version.major", cudnnGetVersion() / 10000);
  OBSERVE("version.as_in_header", cudnnGetVersion() == CUDNN_VERSION);
  OBSERVE("cudart", cudnnGetCudartVersion() / 1000);
  int value = -1;
  STATUS("property.major", cudnnGetProperty(MAJOR_VERSION, &value));
  OBSERVE("property.major.value", value);
  STATUS("property.minor", cudnnGetProperty(MINOR_VERSION, &value));
  OBSERVE("property.minor.as_in_header", value == CUDNN_MINOR);
  STATUS("property.patch", cudnnGetProperty(PATCH_LEVEL, &value));
  OBSERVE("property.patch.as_in_header", value == CUDNN_PATCHLEVEL);
  value = -7;
  STATUS("property.unknown", cudnnGetProperty(static_cast<libraryPropertyType>(9), &value));
  OBSERVE("property.unknown.value", value);
  STATUS("check.ops", cudnnOpsVersionCheck());
  STATUS("check.cnn", cudnnCnnVersionCheck());
  STATUS("check.adv", cudnnAdvVersionCheck());
  STATUS("check.graph", cudnnGraphVersionCheck());

  const int statuses[] = {0,    1,    1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 2000, 2001, 2002, 2003,
                          2004, 2005, 2006, 2007, 2008, 2009, 2010, 2011, 2012, 2013, 3000, 3001, 3002, 3003,
                          3004, 3005, 3006, 3007, 3008, 3009, 3010, 3011, 3012, 3013, 4000, 4001, 4002, 4003,
                          4004, 4005, 4006, 4007, 5000, 5001, 5002, 5003, 5004, 5005, -1,   9999};
  for (const int status : statuses) {
    const std::string text = cudnnGetErrorString(static_cast<cudnnStatus_t>(status));
    // Without the library's name.
    OBSERVE("text." + std::to_string(status),
            text.substr(text.find('_') == std::string::npos ? 0 : text.find('_')));
  }

  cudnnHandle_t handle = nullptr;
  STATUS("create", cudnnCreate(&handle));
  OBSERVE("create.handle", handle != nullptr);
  STATUS("create.no_place", cudnnCreate(nullptr));
  cudaStream_t stream = nullptr, found = reinterpret_cast<cudaStream_t>(8);
  STATUS("stream.get", cudnnGetStream(handle, &found));
  OBSERVE("stream.first", found == nullptr);
  SETUP(cudaStreamCreate(&stream));
  STATUS("stream.set", cudnnSetStream(handle, stream));
  STATUS("stream.get_again", cudnnGetStream(handle, &found));
  OBSERVE("stream.kept", found == stream);
  STATUS("stream.legacy", cudnnSetStream(handle, nullptr));
  STATUS("stream.per_thread", cudnnSetStream(handle, cudaStreamPerThread));
  cudnnStatus_t pending = CUDNN_STATUS_INTERNAL_ERROR;
  STATUS("runtime_error.raw", cudnnQueryRuntimeError(handle, &pending, CUDNN_ERRQUERY_RAWCODE, nullptr));
  OBSERVE("runtime_error.raw.value", code(pending));
  STATUS("runtime_error.blocking",
         cudnnQueryRuntimeError(handle, &pending, CUDNN_ERRQUERY_BLOCKING, nullptr));
  STATUS("runtime_error.nonblocking",
         cudnnQueryRuntimeError(handle, &pending, CUDNN_ERRQUERY_NONBLOCKING, nullptr));
  STATUS("destroy", cudnnDestroy(handle));
  STATUS("destroy.null", cudnnDestroy(nullptr));
}
