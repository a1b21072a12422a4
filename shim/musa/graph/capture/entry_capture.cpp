// Stream capture.
#include <algorithm>

#include "musa/graph/capture/capture.h"
#include "musa/graph/graph_call.h"

using namespace musashim::musa;

namespace {

Result nodesOf(const Graph& graph, const MUgraphNode* handles, size_t count, std::vector<GraphNode*>& nodes) {
  MUSA_REQUIRE(handles || count == 0, MUSA_ERROR_INVALID_VALUE, "null pointer");
  for (size_t i = 0; i < count; ++i) {
    GraphNode* node = nullptr;
    MUSA_TRY(findNode(handles[i], node));
    MUSA_REQUIRE(graph.contains(*node), MUSA_ERROR_INVALID_VALUE, "a node of another graph");
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  return {};
}

struct CaptureInfo {
  MUstreamCaptureStatus* status;
  muuint64_t* id;
  MUgraph* graph;
  const MUgraphNode** dependencies;
  const MUgraphEdgeData** edges;
  size_t* count;
};

Result captureInfo(MUstream hStream, const CaptureInfo& out) {
  MUSA_REQUIRE(out.status, MUSA_ERROR_INVALID_VALUE, "null pointer");
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kIgnore));
  GraphLock lock;
  bool legacy = stream->kind() == StreamKind::kLegacy && stream->context().capturingStreams.load() != 0;
  MUSA_REQUIRE(!legacy, MUSA_ERROR_STREAM_CAPTURE_IMPLICIT, "blocking streams capture");
  CaptureSequence* sequence = stream->capture();
  *out.status = !sequence               ? MU_STREAM_CAPTURE_STATUS_NONE
                : sequence->invalidated ? MU_STREAM_CAPTURE_STATUS_INVALIDATED
                                        : MU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (*out.status != MU_STREAM_CAPTURE_STATUS_ACTIVE) return {};
  if (out.id) *out.id = sequence->id;
  if (out.graph) *out.graph = sequence->graph->handle();
  if (out.edges) *out.edges = nullptr;  // all edges are ordinary ones
  // Handles are the nodes' addresses, so the stream's own list is what the user may read.
  if (out.dependencies) {
    *out.dependencies = reinterpret_cast<const MUgraphNode*>(stream->captureDependencies.data());
  }
  if (out.count) *out.count = stream->captureDependencies.size();
  return {};
}

Result updateDependencies(MUstream hStream, const MUgraphNode* dependencies, const MUgraphEdgeData* edges,
                          size_t count, unsigned flags) {
  MUSA_REQUIRE(flags <= MU_STREAM_SET_CAPTURE_DEPENDENCIES, MUSA_ERROR_INVALID_VALUE, "unknown flags");
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  GraphLock lock;
  CaptureSequence* sequence = stream->capture();
  MUSA_REQUIRE(sequence, MUSA_ERROR_ILLEGAL_STATE, "the stream does not capture");
  MUSA_REQUIRE(!sequence->invalidated, MUSA_ERROR_ILLEGAL_STATE, "the capture was invalidated");
  MUSA_TRY(refuseEdgeData(edges, count));
  std::vector<GraphNode*> nodes;
  if (flags == MU_STREAM_ADD_CAPTURE_DEPENDENCIES) nodes = stream->captureDependencies;
  MUSA_TRY(nodesOf(*sequence->graph, dependencies, count, nodes));
  stream->captureDependencies = std::move(nodes);
  return {};
}

}  // namespace

extern "C" {

MUresult muStreamBeginCapture(MUstream hStream, MUstreamCaptureMode mode) {
  return apiCall(
      "muStreamBeginCapture",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kIgnore));
        return beginCapture(*stream, mode, {});
      },
      hStream, mode);
}

MUresult muStreamBeginCaptureToGraph(MUstream hStream, MUgraph hGraph, const MUgraphNode* dependencies,
                                     const MUgraphEdgeData* dependencyData, size_t numDependencies,
                                     MUstreamCaptureMode mode) {
  return apiCall(
      "muStreamBeginCaptureToGraph",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kIgnore));
        GraphLock lock;
        CaptureTarget target;
        MUSA_TRY(findGraph(hGraph, target.graph));
        MUSA_REQUIRE(!target.graph->capture, MUSA_ERROR_INVALID_VALUE, "another capture adds to the graph");
        MUSA_TRY(refuseEdgeData(dependencyData, numDependencies));
        MUSA_TRY(nodesOf(*target.graph, dependencies, numDependencies, target.dependencies));
        return beginCapture(*stream, mode, target);
      },
      hStream, hGraph, dependencies, dependencyData, numDependencies, mode);
}

MUresult muStreamEndCapture(MUstream hStream, MUgraph* phGraph) {
  return apiCall(
      "muStreamEndCapture",
      [&]() -> Result {
        Stream* stream = nullptr;
        MUSA_TRY(findStream(hStream, stream, WhenCapturing::kIgnore));
        Graph* graph = nullptr;
        Result result = endCapture(*stream, graph);
        if (phGraph) *phGraph = graph ? graph->handle() : nullptr;
        return result;
      },
      hStream, phGraph);
}

MUresult muStreamIsCapturing(MUstream hStream, MUstreamCaptureStatus* captureStatus) {
  return apiCall(
      "muStreamIsCapturing",
      [&] { return captureInfo(hStream, {captureStatus, nullptr, nullptr, nullptr, nullptr, nullptr}); },
      hStream, captureStatus);
}

MUresult muStreamGetCaptureInfo(MUstream hStream, MUstreamCaptureStatus* captureStatus_out,
                                muuint64_t* id_out, MUgraph* graph_out, const MUgraphNode** dependencies_out,
                                size_t* numDependencies_out) {
  return apiCall(
      "muStreamGetCaptureInfo",
      [&] {
        return captureInfo(
            hStream, {captureStatus_out, id_out, graph_out, dependencies_out, nullptr, numDependencies_out});
      },
      hStream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
}

MUresult muStreamGetCaptureInfo_v3(MUstream hStream, MUstreamCaptureStatus* captureStatus_out,
                                   muuint64_t* id_out, MUgraph* graph_out,
                                   const MUgraphNode** dependencies_out, const MUgraphEdgeData** edgeData_out,
                                   size_t* numDependencies_out) {
  return apiCall(
      "muStreamGetCaptureInfo_v3",
      [&] {
        return captureInfo(hStream, {captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                                     numDependencies_out});
      },
      hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
}

MUresult muStreamUpdateCaptureDependencies(MUstream hStream, MUgraphNode* dependencies,
                                           size_t numDependencies, unsigned int flags) {
  return apiCall(
      "muStreamUpdateCaptureDependencies",
      [&] { return updateDependencies(hStream, dependencies, nullptr, numDependencies, flags); }, hStream,
      dependencies, numDependencies, flags);
}

MUresult muStreamUpdateCaptureDependencies_v2(MUstream hStream, MUgraphNode* dependencies,
                                              const MUgraphEdgeData* dependencyData, size_t numDependencies,
                                              unsigned int flags) {
  return apiCall(
      "muStreamUpdateCaptureDependencies_v2",
      [&] { return updateDependencies(hStream, dependencies, dependencyData, numDependencies, flags); },
      hStream, dependencies, dependencyData, numDependencies, flags);
}

MUresult muThreadExchangeStreamCaptureMode(MUstreamCaptureMode* mode) {
  return apiCall(
      "muThreadExchangeStreamCaptureMode",
      [&]() -> Result {
        MUSA_REQUIRE(mode, MUSA_ERROR_INVALID_VALUE, "null pointer");
        // Unknown modes are taken, too (recorded); none of the checks knows them.
        *mode = exchangeCaptureMode(*mode);
        return {};
      },
      mode);
}

}  // extern "C"
