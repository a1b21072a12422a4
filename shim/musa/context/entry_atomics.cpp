// Which atomic operations reach memory of the host and of peers: all that device code has, for all memory is
// the machine's own.
#include <fmt/format.h>

#include "musa/api/api_call.h"

using namespace musashim::musa;

namespace {

constexpr unsigned kWords =
    MU_ATOMIC_CAPABILITY_REDUCTION | MU_ATOMIC_CAPABILITY_SCALAR_32 | MU_ATOMIC_CAPABILITY_SCALAR_64;

unsigned capabilitiesOf(MUatomicOperation operation) {
  switch (operation) {
    case MU_ATOMIC_OPERATION_INTEGER_ADD:
    case MU_ATOMIC_OPERATION_INTEGER_MIN:
    case MU_ATOMIC_OPERATION_INTEGER_MAX:
      return MU_ATOMIC_CAPABILITY_SIGNED | MU_ATOMIC_CAPABILITY_UNSIGNED | kWords;
    case MU_ATOMIC_OPERATION_INTEGER_INCREMENT:
    case MU_ATOMIC_OPERATION_INTEGER_DECREMENT:
      return MU_ATOMIC_CAPABILITY_UNSIGNED | MU_ATOMIC_CAPABILITY_REDUCTION | MU_ATOMIC_CAPABILITY_SCALAR_32;
    case MU_ATOMIC_OPERATION_FLOAT_ADD:
      return MU_ATOMIC_CAPABILITY_SIGNED | kWords;
    case MU_ATOMIC_OPERATION_AND:
    case MU_ATOMIC_OPERATION_OR:
    case MU_ATOMIC_OPERATION_XOR:
      return MU_ATOMIC_CAPABILITY_UNSIGNED | kWords;
    case MU_ATOMIC_OPERATION_EXCHANGE:
    case MU_ATOMIC_OPERATION_CAS:
      return MU_ATOMIC_CAPABILITY_UNSIGNED | MU_ATOMIC_CAPABILITY_SCALAR_32 | MU_ATOMIC_CAPABILITY_SCALAR_64;
    default:  // device code has no such operation
      return 0;
  }
}

Result checkQuestion(const unsigned* capabilities, const MUatomicOperation* operations, unsigned count) {
  MUSA_REQUIRE(capabilities && operations && count != 0, MUSA_ERROR_INVALID_VALUE, "nothing asked for");
  for (unsigned i = 0; i < count; ++i) {
    MUSA_REQUIRE(operations[i] >= 0 && operations[i] < MU_ATOMIC_OPERATION_MAX, MUSA_ERROR_INVALID_VALUE,
                 fmt::format("unknown operation {}", static_cast<int>(operations[i])));
  }
  return {};
}

void answer(unsigned* capabilities, const MUatomicOperation* operations, unsigned count) {
  for (unsigned i = 0; i < count; ++i) capabilities[i] = capabilitiesOf(operations[i]);
}

}  // namespace

extern "C" {

MUresult muDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const MUatomicOperation* operations,
                                           unsigned int count, MUdevice dev) {
  return apiCall(
      "muDeviceGetHostAtomicCapabilities",
      [&]() -> Result {
        MUSA_TRY(checkQuestion(capabilities, operations, count));
        DeviceState* device = nullptr;
        MUSA_TRY(findDevice(dev, device));
        answer(capabilities, operations, count);
        return {};
      },
      capabilities, operations, count, dev);
}

MUresult muDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const MUatomicOperation* operations,
                                          unsigned int count, MUdevice srcDevice, MUdevice dstDevice) {
  return apiCall(
      "muDeviceGetP2PAtomicCapabilities",
      [&]() -> Result {
        MUSA_TRY(checkQuestion(capabilities, operations, count));
        DeviceState *from = nullptr, *to = nullptr;
        MUSA_TRY(findDevice(srcDevice, from));
        MUSA_TRY(findDevice(dstDevice, to));
        MUSA_REQUIRE(from != to, MUSA_ERROR_INVALID_DEVICE, "the devices are the same");
        answer(capabilities, operations, count);
        return {};
      },
      capabilities, operations, count, srcDevice, dstDevice);
}

}  // extern "C"
