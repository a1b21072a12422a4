/* What the vendor's interface has beyond CUPTI's, as its Kineto uses it. No call of this SDK makes such a
 * record. */
#include <mupti.h>
#include <stdio.h>
#include <stdlib.h>

/* The header brings the runtime's as well. */
static int version(void) {
  int version = 0;
  const musaError_t status = musaRuntimeGetVersion(&version);
  musaDriverGetVersion_v3020_params call = {&version};
  return status == musaSuccess && *call.driverVersion > 0;
}

static void request(uint8_t** buffer, size_t* size, size_t* records) {
  *size = 1 << 16;
  *buffer = aligned_alloc(8, *size);
  *records = 0;
}
static int found = 0;
static void complete(MUcontext context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid) {
  MUpti_Activity* record = NULL;
  (void)context, (void)stream, (void)size;
  while (muptiActivityGetNextRecord(buffer, valid, &record) == MUPTI_SUCCESS) ++found;
  free(buffer);
}

static const char* name(MUpti_ActivityKind kind) {
  switch (kind) {
    case MUPTI_ACTIVITY_KIND_MEMCPY:
      return "copy";
    case MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC:
      return "atomic";
    case MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC_VALUE:
      return "atomic of a value";
    case MUPTI_ACTIVITY_KIND_MEMORY_TRANSFER:
      return "transfer";
    default:
      return "?";
  }
}

int main(void) {
  const MUpti_ActivityKind kinds[] = {MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC,
                                      MUPTI_ACTIVITY_KIND_MEMORY_ATOMIC_VALUE,
                                      MUPTI_ACTIVITY_KIND_MEMORY_TRANSFER};
  MUpti_ActivityMemoryAtomic atomic = {0};
  MUpti_ActivityMemoryAtomicValue value = {0};
  MUpti_ActivityMemoryTransfer transfer = {0};
  int i, wrong = !version();
  atomic.atomicKind = MUPTI_ACTIVITY_MEMORY_ATOMIC_KIND_ATOMIC_ADD_BF16;
  atomic.srcKind = atomic.dstKind = MUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  value.atomicValueKind = MUPTI_ACTIVITY_MEMORY_ATOMIC_VALUE_KIND_ATOMIC_XOR64;
  wrong += atomic.elementCount + value.graphNodeId + transfer.bytes != 0 || name(kinds[0])[0] != 'a';
  wrong += muptiActivityRegisterCallbacks(request, complete) != MUPTI_SUCCESS;
  for (i = 0; i < 3; ++i) wrong += muptiActivityEnable(kinds[i]) != MUPTI_SUCCESS;
  wrong += muptiActivityEnable(MUPTI_ACTIVITY_KIND_COUNT) != MUPTI_ERROR_INVALID_KIND;
  wrong += muptiActivityFlushAll(0) != MUPTI_SUCCESS;
  for (i = 0; i < 3; ++i) wrong += muptiActivityDisable(kinds[i]) != MUPTI_SUCCESS;
  puts(wrong == 0 && found == 0 ? "all as told" : "wrong");
  return wrong;
}
