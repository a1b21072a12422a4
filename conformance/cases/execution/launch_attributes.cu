// Attributes of extended launches.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("execution.launch_attributes");

__global__ void addOne(int* value) { ++*value; }

static int* place;

static void attempt(const std::string& name, const cudaLaunchAttribute& attribute) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  cudaLaunchAttribute copy = attribute;
  config.attrs = &copy;
  void* arguments[] = {&place};
  OBSERVE(name, cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(addOne), arguments));
  cudaGetLastError();
}

int main() {
  DeviceArray<int> value(1);
  place = value.data();
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeIgnore;
  attempt("ignore", attribute);
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  attempt("cooperative", attribute);
  attribute.val.cooperative = 0;
  attempt("not_cooperative", attribute);
  attribute = {};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = -1;
  attempt("priority", attribute);
  attribute.val.priority = 1000;
  attempt("priority_out_of_range", attribute);
  attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  attempt("programmatic_serialization", attribute);
  attribute = {};
  attribute.id = cudaLaunchAttributeAccessPolicyWindow;
  attempt("empty_access_window", attribute);
  attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 1;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  attempt("cluster_of_one", attribute);
  attribute.val.clusterDim.x = 2;
  attempt("cluster_larger_than_grid", attribute);
  attribute = {};
  attribute.id = static_cast<cudaLaunchAttributeID>(999);
  attempt("unknown", attribute);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  void* arguments[] = {&place};
  OBSERVE("null_function", cudaLaunchKernelExC(&config, nullptr, arguments));
  cudaGetLastError();
  OBSERVE("launches_that_ran", value.read()[0]);
}
