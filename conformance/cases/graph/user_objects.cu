// User objects: reference counts, and when the destructor is called.
#include <atomic>
#include <chrono>
#include <thread>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("graph.user_objects");

static void CUDART_CB count(void* calls) { ++*static_cast<std::atomic<int>*>(calls); }

// Destructors may be called on a thread of the library, some time later.
static int eventually(std::atomic<int>& calls, int wanted) {
  for (int i = 0; i < 2000 && calls < wanted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return calls;
}

int main() {
  std::atomic<int> calls(0);
  cudaUserObject_t object = nullptr;
  OBSERVE("create", cudaUserObjectCreate(&object, &calls, count, 1, cudaUserObjectNoDestructorSync));
  cudaUserObject_t bad = nullptr;
  OBSERVE("create_null", cudaUserObjectCreate(nullptr, &calls, count, 1, cudaUserObjectNoDestructorSync));
  OBSERVE("create_no_destructor",
          cudaUserObjectCreate(&bad, &calls, nullptr, 1, cudaUserObjectNoDestructorSync));
  OBSERVE("create_count_0", cudaUserObjectCreate(&bad, &calls, count, 0, cudaUserObjectNoDestructorSync));
  OBSERVE("create_no_flags", cudaUserObjectCreate(&bad, &calls, count, 1, 0));
  OBSERVE("retain", cudaUserObjectRetain(object, 2));
  OBSERVE("retain_0", cudaUserObjectRetain(object, 0));
  OBSERVE("retain_null", cudaUserObjectRetain(nullptr, 1));
  OBSERVE("release", cudaUserObjectRelease(object, 1));
  OBSERVE("release_0", cudaUserObjectRelease(object, 0));
  OBSERVE("not_destroyed", calls.load());

  cudaGraph_t graph = newGraph();
  OBSERVE("graph_retain", cudaGraphRetainUserObject(graph, object, 1, 0));
  OBSERVE("graph_retain_move", cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  OBSERVE("graph_retain_flags", cudaGraphRetainUserObject(graph, object, 1, 8));
  OBSERVE("graph_retain_0", cudaGraphRetainUserObject(graph, object, 0, 0));
  OBSERVE("graph_retain_null", cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  OBSERVE("graph_release", cudaGraphReleaseUserObject(graph, object, 1));
  OBSERVE("release_own", cudaUserObjectRelease(object, 1));
  OBSERVE("graph_keeps_it", calls.load());
  cudaGraphExec_t exec = instantiated(graph);
  OBSERVE("destroy_graph", cudaGraphDestroy(graph));
  OBSERVE("exec_keeps_it", calls.load());
  OBSERVE("run", runGraph(exec));
  OBSERVE("destroy_exec", cudaGraphExecDestroy(exec));
  OBSERVE("destroyed", eventually(calls, 1));
}
