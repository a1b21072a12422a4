#include "mccl/runtime/driver_calls.h"

#include <musa_runtime_api.h>

namespace musashim::mccl {
namespace {

template <class Call>
void find(const char* name, Call& call) {
  void* address = nullptr;
  musaDriverEntryPointQueryResult found{};
  if (musaGetDriverEntryPoint(name, &address, 0, &found) != musaSuccess) address = nullptr;
  (void)musaGetLastError();
  call = reinterpret_cast<Call>(address);
}

const MUshimStreamTable* findStreamTable() {
  decltype(&muGetExportTable) exportTable = nullptr;
  find("muGetExportTable", exportTable);
  constexpr MUuuid kId = MUSASHIM_STREAM_TABLE;
  const void* table = nullptr;
  if (!exportTable || exportTable(&table, &kId) != MUSA_SUCCESS) return nullptr;
  return static_cast<const MUshimStreamTable*>(table);
}

}  // namespace

const DriverCalls& driverCalls() {
  static const DriverCalls kCalls = [] {
    DriverCalls calls;
    find("muMemGetAddressRange", calls.addressRange);
    find("muPointerGetAttribute", calls.pointerAttribute);
    calls.streams = findStreamTable();
    return calls;
  }();
  return kCalls;
}

}  // namespace musashim::mccl
