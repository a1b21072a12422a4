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

template <class Table>
void findTable(const MUuuid& id, const Table*& table) {
  decltype(&muGetExportTable) exportTable = nullptr;
  find("muGetExportTable", exportTable);
  const void* found = nullptr;
  if (exportTable && exportTable(&found, &id) == MUSA_SUCCESS) table = static_cast<const Table*>(found);
}

}  // namespace

const DriverCalls& driverCalls() {
  static const DriverCalls kCalls = [] {
    DriverCalls calls;
    find("muMemGetAddressRange", calls.addressRange);
    find("muPointerGetAttribute", calls.pointerAttribute);
    findTable(MUSASHIM_STREAM_TABLE, calls.streams);
    findTable(MUSASHIM_MEMORY_TABLE, calls.memory);
    findTable(MUSASHIM_MONITOR_TABLE, calls.monitor);
    return calls;
  }();
  return kCalls;
}

}  // namespace musashim::mccl
