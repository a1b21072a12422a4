/* Ranges from C; the result of each call is the exit status's reason. */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <stdio.h>

int main(void) {
  nvtxEventAttributes_t attributes = {0};
  nvtxDomainHandle_t domain;
  cudaStream_t stream;
  nvtxRangeId_t id;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.category = 3;
  attributes.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
  attributes.payload.dValue = 1.5;
  attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  attributes.message.unicode = L"caf\u00e9";
  printf("%d\n", nvtxRangePushA("outer"));
  printf("%d\n", nvtxRangePush("inner"));
  cudaStreamSynchronize(stream);
  printf("%d\n", nvtxRangePop());
  domain = nvtxDomainCreate("library");
  printf("%d\n", nvtxDomainRangePushEx(domain, &attributes));
  printf("%d\n", nvtxRangePop());
  printf("%d\n", nvtxDomainRangePop(domain));
  id = nvtxRangeStart("anywhere");
  nvtxMarkEx(&attributes);
  nvtxRangeEnd(id);
  nvtxNameCudaStream(stream, "copies");
  nvtxNameCuDevice(0, "first");
  printf("%d\n", nvtxRangePop());
  return 0;
}
