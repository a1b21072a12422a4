#include "libs/core/memory_access.h"

#include <musashim_tables.h>

#include "core/driver_call.h"

namespace musashim::libs {
namespace {

// Null where libmusa has no such table: its memory is open to all then.
const MUshimMemoryTable* memoryTable() {
  static const auto* const kTable = core::driverTable<MUshimMemoryTable>(MUSASHIM_MEMORY_TABLE);
  return kTable;
}

}  // namespace

MemoryAccess::MemoryAccess() : before_(memoryTable() ? memoryTable()->open() : 0) {}

MemoryAccess::~MemoryAccess() {
  if (memoryTable()) memoryTable()->restore(before_);
}

}  // namespace musashim::libs
