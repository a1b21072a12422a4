#include "libs/core/memory_access.h"

#include <musa.h>
#include <musa_runtime_api.h>
#include <musashim_tables.h>

namespace musashim::libs {
namespace {

// Null where libmusa has no such table: its memory is open to all then.
const MUshimMemoryTable* memoryTable() {
  static const MUshimMemoryTable* const kTable = []() -> const MUshimMemoryTable* {
    void* call = nullptr;
    musaDriverEntryPointQueryResult found{};
    if (musaGetDriverEntryPoint("muGetExportTable", &call, 0, &found) != musaSuccess) {
      (void)musaGetLastError();
      return nullptr;
    }
    const void* table = nullptr;
    constexpr MUuuid kId = MUSASHIM_MEMORY_TABLE;
    if (reinterpret_cast<decltype(&muGetExportTable)>(call)(&table, &kId) != MUSA_SUCCESS) return nullptr;
    return static_cast<const MUshimMemoryTable*>(table);
  }();
  return kTable;
}

}  // namespace

MemoryAccess::MemoryAccess() : before_(memoryTable() ? memoryTable()->open() : 0) {}

MemoryAccess::~MemoryAccess() {
  if (memoryTable()) memoryTable()->restore(before_);
}

}  // namespace musashim::libs
