// Tables for the SDK's own libraries; see musashim_tables.h.
#include <cstring>

#include "interface/sharing_out.h"
#include "musa/api/api_call.h"
#include "musa/api/monitor_table.h"
#include "musa/api/range_table.h"
#include "musa/trace/listener.h"
#include "musa/trace/recorder.h"
#include "musa/trace/watch.h"
#include "musashim_tables.h"

using namespace musashim::musa;

namespace {

MUresult markStream(MUstream handle, MUshimStreamMark* mark) {
  return withStream(
      "MUshimStreamTable::mark", handle,
      [&](Stream& stream) -> Result {
        MUSA_REQUIRE(mark, MUSA_ERROR_INVALID_VALUE, "null pointer");
        MUSA_REQUIRE(stream.kind() != StreamKind::kLegacy, MUSA_ERROR_NOT_SUPPORTED, "of the legacy stream");
        *mark = {stream.id(), stream.submitted()};
        return {};
      },
      mark);
}

MUresult failHostFunction(const char* reason) {
  if (!insideHostFunction) return MUSA_ERROR_NOT_PERMITTED;
  try {
    driver().backend().failHostCall({musashim::StatusCode::kLaunchFailure, reason});
  } catch (const std::bad_alloc&) {
    driver().backend().failHostCall({musashim::StatusCode::kLaunchFailure, {}});
  }
  return MUSA_SUCCESS;
}

constexpr MUshimStreamTable kStreamTable = {sizeof(MUshimStreamTable), markStream, failHostFunction};
constexpr MUuuid kStreamTableId = MUSASHIM_STREAM_TABLE;

unsigned int openMemory() { return driver().backend().openMemoryToThread(); }
void restoreThread(unsigned int before) { driver().backend().restoreThread(before); }

MUresult reachPeer(MUdevice device, MUdevice peer, int on) {
  return apiCall(
      "MUshimMemoryTable::reachPeer",
      [&]() -> Result {
        DeviceState *from = nullptr, *to = nullptr;
        MUSA_TRY(findDevice(device, from));
        MUSA_TRY(findDevice(peer, to));
        from->backend().setPeerAccess(to->backend(), on != 0);
        return {};
      },
      device, peer, on);
}

constexpr MUshimMemoryTable kMemoryTable = {sizeof(MUshimMemoryTable), openMemory, restoreThread, reachPeer};
constexpr MUuuid kMemoryTableId = MUSASHIM_MEMORY_TABLE;

constexpr MUshimShareTable kShareTable = {sizeof(MUshimShareTable), musashim::backend::computingThreads,
                                          musashim::backend::shareOut};
constexpr MUuuid kShareTableId = MUSASHIM_SHARE_TABLE;

constexpr MUuuid kMonitorTableId = MUSASHIM_MONITOR_TABLE;
constexpr MUuuid kRangeTableId = MUSASHIM_RANGE_TABLE;
constexpr MUuuid kTraceTableId = MUSASHIM_TRACE_TABLE;
constexpr MUuuid kListenTableId = MUSASHIM_LISTEN_TABLE;

const void* tableOf(const MUuuid& id) {
  if (std::memcmp(&id, &kTraceTableId, sizeof id) == 0) {
    (void)startRecording();
    return &traceTable();
  }
  if (std::memcmp(&id, &kListenTableId, sizeof id) == 0) return &listenTable();
  if (std::memcmp(&id, &kStreamTableId, sizeof id) == 0) return &kStreamTable;
  if (std::memcmp(&id, &kMemoryTableId, sizeof id) == 0) return &kMemoryTable;
  if (std::memcmp(&id, &kShareTableId, sizeof id) == 0) return &kShareTable;
  if (std::memcmp(&id, &kMonitorTableId, sizeof id) == 0) return &kMonitorTable;
  if (std::memcmp(&id, &kRangeTableId, sizeof id) == 0) return rangeTable();
  return nullptr;
}

}  // namespace

extern "C" MUresult muGetExportTable(const void** ppExportTable, const MUuuid* pExportTableId) {
  // Asked for by what records calls, so it is no call itself.
  if (ppExportTable && pExportTableId &&
      (std::memcmp(pExportTableId, &kTraceTableId, sizeof(MUuuid)) == 0 ||
       std::memcmp(pExportTableId, &kListenTableId, sizeof(MUuuid)) == 0)) {
    *ppExportTable = tableOf(*pExportTableId);
    return *ppExportTable ? MUSA_SUCCESS : MUSA_ERROR_NOT_SUPPORTED;
  }
  return apiCall<Needs::kNothing>(
      "muGetExportTable",
      [&]() -> Result {
        MUSA_REQUIRE(ppExportTable && pExportTableId, MUSA_ERROR_INVALID_VALUE, "null pointer");
        const void* table = tableOf(*pExportTableId);
        MUSA_REQUIRE(table, MUSA_ERROR_NOT_SUPPORTED, "no table of this name");
        *ppExportTable = table;
        return {};
      },
      ppExportTable, pExportTableId);
}
