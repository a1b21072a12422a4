// Stream capture: work submitted to capturing streams becomes nodes of a graph.
//
// One place decides who may do what: findStream() refuses capturing streams unless the entry
// says that it knows how to be captured, so an entry that does not think of capture cannot run
// work that should have been recorded. Entries that do call captureWork().
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "musa/api/result.h"
#include "musa/graph/graph.h"

namespace musashim::musa {

class Context;
class Event;
class Stream;

struct CaptureSequence {
  uint64_t id = 0;
  MUstreamCaptureMode mode = MU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;  // that began it
  Stream* origin = nullptr;
  Graph* graph = nullptr;
  bool ownsGraph = true;  // false: the user's own graph is added to
  bool invalidated = false;
  std::vector<Stream*> streams;        // that take part; the origin first
  std::vector<GraphNode*> leftBehind;  // the last nodes of streams that were destroyed meanwhile
};

// What an event holds that was recorded in a capturing stream.
struct CapturedMark {
  uint64_t sequence = 0;
  std::vector<GraphNode*> dependencies;
};

// ---- Beginning and ending ----
struct CaptureTarget {
  Graph* graph = nullptr;  // null: a new one
  std::vector<GraphNode*> dependencies;
};
Result beginCapture(Stream& stream, MUstreamCaptureMode mode, const CaptureTarget& target);
// `graph` is null when the capture failed.
Result endCapture(Stream& stream, Graph*& graph);
// The stream goes away: with the stream where it began a capture ends, others only leave it.
void abandonCapture(Stream& stream);

// ---- While capturing ----

// Adds a node behind what the stream has captured so far.
Result captureWork(Stream& stream, NodeWork work, GraphNode** added = nullptr);
// An event is recorded: it stands for what the stream has captured so far.
Result captureRecord(Stream& stream, Event& event);
// The stream waits for an event: it joins the event's capture.
Result captureWait(Stream& stream, Event& event);

// Something went wrong that a capture does not survive, if the stream captures.
void invalidateCapture(Stream& stream);

// ---- What is not allowed ----

// The host asks for an event that was recorded last in a capture; `harmless` questions leave a
// capture under way as it is.
Result refuseCapturedEvent(const CapturedMark& mark, bool harmless);
// Waiting for everything in a context while one of its streams captures.
Result refuseWhileCapturing(Context& context);

// Ends all hope for the captures that `stream` takes part in.
Result refuseCapturing(Stream& stream, const char* what);
// Fails when the stream's capture was invalidated, whatever else is wrong with a call.
Result checkCaptureAlive(Stream& stream);
// The legacy stream would have to wait for blocking streams that capture.
Result refuseImplicit(Context& context);
// Calls that may wait or synchronise behind the scenes: refused by the rules of capture modes
// (see muThreadExchangeStreamCaptureMode).
Result refuseUnsafe(const char* what);

MUstreamCaptureMode exchangeCaptureMode(MUstreamCaptureMode mode);  // the calling thread's

// Captures under way in the process: calls that capture does not concern ask no more.
inline std::atomic<unsigned> activeCaptures{0};
inline bool anyCapture() { return activeCaptures.load(std::memory_order_acquire) != 0; }
inline Result checkUnsafe(const char* what) {
  if (!anyCapture()) [[likely]]
    return {};
  return refuseUnsafe(what);
}

}  // namespace musashim::musa
