// Functions and tables of the driver for libraries above the runtime, by whose way they are found.
#pragma once

#include <musa.h>
#include <musa_runtime_api.h>

namespace musashim::core {

// Null where the driver has none of this name: driverCall<decltype(muCtxGetCurrent)>("muCtxGetCurrent").
template <class Function>
Function* driverCall(const char* name) {
  void* address = nullptr;
  musaDriverEntryPointQueryResult found{};
  if (musaGetDriverEntryPoint(name, &address, 0, &found) == musaSuccess)
    return reinterpret_cast<Function*>(address);
  (void)musaGetLastError();
  return nullptr;
}

// One of musashim_tables.h; null where the driver is another.
template <class Table>
const Table* driverTable(const MUuuid& id) {
  const void* found = nullptr;
  auto* const exportTable = driverCall<decltype(muGetExportTable)>("muGetExportTable");
  if (exportTable == nullptr || exportTable(&found, &id) != MUSA_SUCCESS) return nullptr;
  return static_cast<const Table*>(found);
}

}  // namespace musashim::core
