#include "musa/graph/capture/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "musa/api/api_call.h"
#include "musa/stream/event.h"

namespace musashim::musa {
namespace {

thread_local MUstreamCaptureMode threadMode = MU_STREAM_CAPTURE_MODE_GLOBAL;

// With GraphLock.
std::unordered_map<uint64_t, std::unique_ptr<CaptureSequence>>& sequences() {
  static auto* all = new std::unordered_map<uint64_t, std::unique_ptr<CaptureSequence>>;
  return *all;
}

void invalidate(CaptureSequence& sequence) { sequence.invalidated = true; }

void join(CaptureSequence& sequence, Stream& stream) {
  sequence.streams.push_back(&stream);
  stream.setCapture(&sequence);
  if (stream.takesPartInLegacy()) stream.context().capturingStreams.fetch_add(1);
}

void leave(Stream& stream) {
  stream.setCapture(nullptr);
  stream.captureDependencies.clear();
  if (stream.takesPartInLegacy()) stream.context().capturingStreams.fetch_sub(1);
}

// Takes the sequence off its streams and out of the table.
void finish(CaptureSequence& sequence) {
  for (Stream* stream : sequence.streams) leave(*stream);
  sequence.graph->capture = nullptr;
  activeCaptures.fetch_sub(1);
  sequences().erase(sequence.id);
}

Result active(Stream& stream, CaptureSequence*& sequence) {
  sequence = stream.capture();
  MUSA_REQUIRE(sequence, MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture ended meanwhile");
  MUSA_REQUIRE(!sequence->invalidated, MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated");
  return {};
}

void append(std::vector<GraphNode*>& nodes, const std::vector<GraphNode*>& more) {
  for (GraphNode* node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

// True when everything the other streams captured comes before what the origin captured last.
bool allJoined(const CaptureSequence& sequence) {
  std::vector<GraphNode*> reached = sequence.origin->captureDependencies;
  std::unordered_set<GraphNode*> known(reached.begin(), reached.end());
  for (size_t i = 0; i < reached.size(); ++i) {
    for (GraphNode* node : reached[i]->dependencies()) {
      if (known.insert(node).second) reached.push_back(node);
    }
  }
  auto isKnown = [&](GraphNode* node) { return known.contains(node); };
  for (Stream* stream : sequence.streams) {
    if (!std::all_of(stream->captureDependencies.begin(), stream->captureDependencies.end(), isKnown))
      return false;
  }
  return std::all_of(sequence.leftBehind.begin(), sequence.leftBehind.end(), isKnown);
}

}  // namespace

Result beginCapture(Stream& stream, MUstreamCaptureMode mode, const CaptureTarget& target) {
  GraphLock lock;
  MUSA_REQUIRE(mode >= MU_STREAM_CAPTURE_MODE_GLOBAL && mode <= MU_STREAM_CAPTURE_MODE_RELAXED,
               MUSA_ERROR_INVALID_VALUE, "unknown mode");
  MUSA_REQUIRE(stream.kind() != StreamKind::kLegacy, MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
               "the legacy stream cannot capture");
  MUSA_REQUIRE(!stream.capture(), MUSA_ERROR_ILLEGAL_STATE, "the stream captures already");
  auto sequence = std::make_unique<CaptureSequence>();
  sequence->id = driver().nextId();
  sequence->mode = mode;
  sequence->thread = std::this_thread::get_id();
  sequence->origin = &stream;
  sequence->ownsGraph = target.graph == nullptr;
  sequence->graph = target.graph ? target.graph : driver().graphs.create();
  sequence->graph->capture = sequence.get();
  join(*sequence, stream);
  stream.captureDependencies = target.dependencies;
  activeCaptures.fetch_add(1);
  sequences()[sequence->id] = std::move(sequence);
  return {};
}

Result endCapture(Stream& stream, Graph*& graph) {
  GraphLock lock;
  graph = nullptr;
  CaptureSequence* sequence = stream.capture();
  MUSA_REQUIRE(sequence, MUSA_ERROR_ILLEGAL_STATE, "the stream does not capture");
  if (sequence->origin != &stream) {
    invalidate(*sequence);
    return {MUSA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture began on another stream"};
  }
  Result result;
  if (sequence->mode != MU_STREAM_CAPTURE_MODE_RELAXED && sequence->thread != std::this_thread::get_id()) {
    result = {MUSA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture began on another thread"};
  } else if (sequence->invalidated) {
    result = {MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated"};
  } else if (!allJoined(*sequence)) {
    result = {MUSA_ERROR_STREAM_CAPTURE_UNJOINED, "work of another stream was not joined"};
  }
  Graph* captured = sequence->graph;
  bool owned = sequence->ownsGraph;
  finish(*sequence);
  if (result.isOk()) {
    graph = captured;
  } else if (owned) {
    driver().graphs.destroy(captured);
  }
  return result;
}

void abandonCapture(Stream& stream) {
  GraphLock lock;
  CaptureSequence* sequence = stream.capture();
  if (!sequence) return;
  if (sequence->origin != &stream) {
    append(sequence->leftBehind, stream.captureDependencies);
    std::erase(sequence->streams, &stream);
    leave(stream);
    return;
  }
  Graph* graph = sequence->graph;
  bool owned = sequence->ownsGraph;
  finish(*sequence);
  if (owned) driver().graphs.destroy(graph);
}

Result captureWork(Stream& stream, NodeWork work, GraphNode** added) {
  GraphLock lock;
  CaptureSequence* sequence = nullptr;
  MUSA_TRY(active(stream, sequence));
  GraphNode* node = nullptr;
  MUSA_TRY(sequence->graph->addNode(std::move(work), {}, node));
  for (GraphNode* before : stream.captureDependencies) sequence->graph->connect(*before, *node);
  stream.captureDependencies = {node};
  if (added) *added = node;
  return {};
}

Result captureRecord(Stream& stream, Event& event) {
  GraphLock lock;
  CaptureSequence* sequence = nullptr;
  MUSA_TRY(active(stream, sequence));
  event.setCaptured(std::make_shared<CapturedMark>(CapturedMark{sequence->id, stream.captureDependencies}));
  return {};
}

Result captureWait(Stream& stream, Event& event) {
  GraphLock lock;
  auto mark = event.captured();
  if (!mark) {  // an ordinary event, and the stream captures
    CaptureSequence* own = nullptr;
    MUSA_TRY(active(stream, own));
    if (!event.isRecorded()) return {};
    invalidate(*own);
    return {MUSA_ERROR_STREAM_CAPTURE_ISOLATION, "the event was not recorded in this capture"};
  }
  auto found = sequences().find(mark->sequence);
  MUSA_REQUIRE(found != sequences().end(), MUSA_ERROR_INVALID_VALUE, "the event's capture has ended");
  CaptureSequence& sequence = *found->second;
  MUSA_REQUIRE(!sequence.invalidated, MUSA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated");
  if (stream.kind() == StreamKind::kLegacy) {
    invalidate(sequence);
    return {MUSA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream cannot join a capture"};
  }
  if (stream.capture() && stream.capture() != &sequence) {
    invalidate(sequence);
    invalidate(*stream.capture());
    return {MUSA_ERROR_STREAM_CAPTURE_MERGE, "two captures would become one"};
  }
  if (!stream.capture()) join(sequence, stream);
  append(stream.captureDependencies, mark->dependencies);
  return {};
}

Result refuseCapturing(Stream& stream, const char* what) {
  GraphLock lock;
  if (CaptureSequence* sequence = stream.capture()) invalidate(*sequence);
  return {MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, fmt::format("{}: the stream captures", what)};
}

Result checkCaptureAlive(Stream& stream) {
  GraphLock lock;
  CaptureSequence* sequence = nullptr;
  return active(stream, sequence);
}

void invalidateCapture(Stream& stream) {
  GraphLock lock;
  if (CaptureSequence* sequence = stream.capture()) invalidate(*sequence);
}

Result refuseCapturedEvent(const CapturedMark& mark, bool harmless) {
  GraphLock lock;
  auto found = sequences().find(mark.sequence);
  MUSA_REQUIRE(found != sequences().end(), MUSA_ERROR_INVALID_VALUE, "the event's capture has ended");
  if (!harmless) invalidate(*found->second);
  return {MUSA_ERROR_CAPTURED_EVENT, "recorded last in a capturing stream"};
}

Result refuseWhileCapturing(Context& context) {
  GraphLock lock;
  bool any = false;
  for (auto& [id, sequence] : sequences()) {
    for (Stream* stream : sequence->streams) {
      if (&stream->context() != &context) continue;
      invalidate(*sequence);
      any = true;
    }
  }
  MUSA_REQUIRE(!any, MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a stream of the context captures");
  return {};
}

Result refuseImplicit(Context& context) {
  GraphLock lock;
  bool any = false;
  for (auto& [id, sequence] : sequences()) {
    for (Stream* stream : sequence->streams) {
      if (&stream->context() != &context || !stream->takesPartInLegacy()) continue;
      invalidate(*sequence);
      any = true;
    }
  }
  MUSA_REQUIRE(!any, MUSA_ERROR_STREAM_CAPTURE_IMPLICIT,
               "the legacy stream would depend on a stream that captures");
  return {};
}

Result refuseUnsafe(const char* what) {
  if (threadMode == MU_STREAM_CAPTURE_MODE_RELAXED) return {};
  GraphLock lock;
  bool any = false;
  for (auto& [id, sequence] : sequences()) {
    bool ours = sequence->thread == std::this_thread::get_id();
    bool concerned =
        ours ? sequence->mode != MU_STREAM_CAPTURE_MODE_RELAXED
             : threadMode == MU_STREAM_CAPTURE_MODE_GLOBAL && sequence->mode == MU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!concerned) continue;
    invalidate(*sequence);
    any = true;
  }
  MUSA_REQUIRE(!any, MUSA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
               fmt::format("{} is not safe while a stream captures", what));
  return {};
}

MUstreamCaptureMode exchangeCaptureMode(MUstreamCaptureMode mode) { return std::exchange(threadMode, mode); }

}  // namespace musashim::musa
