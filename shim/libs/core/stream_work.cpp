#include "libs/core/stream_work.h"

#include <musashim_tables.h>

#include <exception>
#include <memory>
#include <utility>

#include "core/driver_call.h"
#include "libs/core/graph_work.h"
#include "libs/core/memory_access.h"

namespace musashim::libs {
namespace {

using Work = std::function<void()>;

// Null where libmusa has no such table: work that throws ends the process then.
const MUshimStreamTable* streamTable() {
  static const auto* const kTable = core::driverTable<MUshimStreamTable>(MUSASHIM_STREAM_TABLE);
  return kTable;
}

void runWork(const Work& work) noexcept {
  const MemoryAccess access;
  try {
    work();
  } catch (const std::exception& error) {
    if (!streamTable()) throw;
    (void)streamTable()->failHostFunction(error.what());
  } catch (...) {
    if (!streamTable()) throw;
    (void)streamTable()->failHostFunction("the work has thrown");
  }
}

// Called after a fault too, so that the work is always freed.
void runOnce(musaStream_t /*stream*/, musaError_t status, void* data) {
  const std::unique_ptr<Work> work(static_cast<Work*>(data));
  if (status == musaSuccess) runWork(*work);
}

void runCaptured(void* data) { runWork(*static_cast<Work*>(data)); }
void freeCaptured(void* data) { delete static_cast<Work*>(data); }

// Null where the graph could not take it, and why in `error`.
Work* keptBy(musaGraph_t graph, std::unique_ptr<Work> work, musaError_t* error) {
  musaUserObject_t object = nullptr;
  *error = musaUserObjectCreate(&object, work.get(), freeCaptured, 1, musaUserObjectNoDestructorSync);
  if (*error != musaSuccess) return nullptr;
  Work* const kept = work.release();  // the object's now
  *error = musaGraphRetainUserObject(graph, object, 1, musaGraphUserObjectMove);
  if (*error == musaSuccess) return kept;
  (void)musaUserObjectRelease(object, 1);
  return nullptr;
}

// The graph that `stream` records keeps the work until it is gone, and all that was made of it.
musaError_t capture(musaStream_t stream, std::unique_ptr<Work> work) {
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  musaGraph_t graph = nullptr;
  musaError_t error = musaStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr);
  if (error != musaSuccess) return error;
  Work* const kept = keptBy(graph, std::move(work), &error);
  return kept ? musaLaunchHostFunc(stream, runCaptured, kept) : error;
}

}  // namespace

musaError_t runOnStream(musaStream_t stream, std::function<void()> work) {
  auto kept = std::make_unique<Work>(std::move(work));
  (void)streamTable();  // work cannot ask for it
  musaStreamCaptureStatus status = musaStreamCaptureStatusNone;
  musaError_t error = musaStreamIsCapturing(stream, &status);
  if (error != musaSuccess) return error;
  if (status != musaStreamCaptureStatusNone) return capture(stream, std::move(kept));
  error = musaStreamAddCallback(stream, runOnce, kept.get(), 0);
  if (error == musaSuccess) (void)kept.release();  // runOnce's now
  return error;
}

musaError_t addToGraph(musaGraph_t graph, std::function<void()> work) {
  (void)streamTable();
  musaError_t error = musaSuccess;
  Work* const kept = keptBy(graph, std::make_unique<Work>(std::move(work)), &error);
  if (!kept) return error;
  musaHostNodeParams params{};
  params.fn = runCaptured;
  params.userData = kept;
  musaGraphNode_t node = nullptr;
  return musaGraphAddHostNode(&node, graph, nullptr, 0, &params);
}

musaError_t replaceInGraph(musaGraph_t graph, musaGraphNode_t node, std::function<void()> work) {
  musaHostNodeParams params{};
  musaError_t error = musaGraphHostNodeGetParams(node, &params);
  if (error != musaSuccess) return error;
  if (params.fn != runCaptured) return musaErrorInvalidValue;
  Work* const kept = keptBy(graph, std::make_unique<Work>(std::move(work)), &error);
  if (!kept) return error;
  params.userData = kept;
  return musaGraphHostNodeSetParams(node, &params);
}

}  // namespace musashim::libs
