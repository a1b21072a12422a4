// Host code that touches device memory, which only tests of emulated devices can do.
#pragma once

#include <musa_runtime_api.h>
#include <musashim_tables.h>

#include <cstdlib>

namespace musashim::test {

// Until the end of the scope the calling thread may.
class DeviceAccess {
 public:
  DeviceAccess() : before_(table().open()) {}
  ~DeviceAccess() { table().restore(before_); }
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  static const MUshimMemoryTable& table() {
    static const MUshimMemoryTable* const kTable = [] {
      void* call = nullptr;
      musaDriverEntryPointQueryResult found{};
      if (musaGetDriverEntryPoint("muGetExportTable", &call, 0, &found) != musaSuccess) std::abort();
      const void* table = nullptr;
      constexpr MUuuid kId = MUSASHIM_MEMORY_TABLE;
      if (reinterpret_cast<decltype(&muGetExportTable)>(call)(&table, &kId) != MUSA_SUCCESS) std::abort();
      return static_cast<const MUshimMemoryTable*>(table);
    }();
    return *kTable;
  }

  const unsigned before_;
};

}  // namespace musashim::test
