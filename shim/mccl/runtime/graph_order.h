// The order of one rank's calls when some of them are in graphs: as they are issued, a launch of a graph for
// all that it holds, whatever the streams. Other ranks issue theirs in the same order, and wait for each
// other.
// ("Having multiple outstanding NCCL operations that are any combination of graph-captured or non-captured is
// supported": NCCL's user guide, "Using NCCL with CUDA Graphs".)
//
// An event of the rank's stands behind its latest call. A graph waits for it, and records it, when it is
// launched; calls of one graph follow each other by an edge.
#pragma once

#include <musa_runtime_api.h>

#include "mccl.h"

namespace musashim::mccl {

// For the thread that makes the rank's calls, whose device is current.
class GraphOrder {
 public:
  GraphOrder() = default;
  ~GraphOrder();  // also where no call of the runtime may be made
  GraphOrder(const GraphOrder&) = delete;
  GraphOrder& operator=(const GraphOrder&) = delete;

  // Whether nothing is left of all that has been issued. May be false though there is nothing.
  bool isOver() const;

  // Around a call while `stream` records a graph.
  mcclResult_t enterGraph(musaStream_t stream);
  mcclResult_t leaveGraph(musaStream_t stream);
  // Around one that is queued on `stream`.
  mcclResult_t enter(musaStream_t stream);
  mcclResult_t leave(musaStream_t stream);

 private:
  musaEvent_t event_ = nullptr;
  unsigned long long capture_ = 0;  // that the latest captured call is in
  musaGraphNode_t latest_ = nullptr;
};

}  // namespace musashim::mccl
