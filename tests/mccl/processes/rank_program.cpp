// One process of a job of several, for process_test: RANK_PROGRAM SCENARIO FIRST COUNT RANKS IDFILE.
// Runs ranks FIRST .. FIRST+COUNT-1 of RANKS, a device each. Rank 0 makes the unique id and
// leaves it in IDFILE. Exits with 0 when all it sees is as it should be.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "checks.h"
#include "job.h"
#include "mccl.h"
#include "scenarios.h"

using namespace rank_program;

namespace {

mcclUniqueId exchangeId(bool make, const std::string& file) {
  mcclUniqueId id;
  if (std::getenv("MCCL_COMM_ID")) {
    MUST(mcclGetUniqueId(&id));
    return id;
  }
  if (make) {
    MUST(mcclGetUniqueId(&id));
    std::ofstream(file + ".new", std::ios::binary).write(id.internal, sizeof id.internal);
    CHECK(std::rename((file + ".new").c_str(), file.c_str()) == 0);
    return id;
  }
  for (int i = 0; i < 2000; ++i) {
    std::ifstream in(file, std::ios::binary);
    if (in.read(id.internal, sizeof id.internal)) return id;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(!"the id file appears");
  return id;
}

const std::map<std::string, void (*)(Job&)> kScenarios = {{"collectives", collectives},
                                                          {"staged", staged},
                                                          {"staged graphs", stagedGraphs},
                                                          {"many buffers", manyBuffers},
                                                          {"passed on", passedOn},
                                                          {"scalable", collectives},
                                                          {"threads", threads},
                                                          {"split", split},
                                                          {"killed", killed},
                                                          {"mismatch", mismatch},
                                                          {"abort", abort},
                                                          {"forever", forEver},
                                                          {"stale", stale},
                                                          {"makeid", makeIdAndLeave},
                                                          {"brief", brief},
                                                          {"brief split", briefSplit},
                                                          {"few descriptors", fewDescriptors},
                                                          {"brief nonblocking", briefNonBlocking}};

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 6 && kScenarios.contains(argv[1]));
  setenv("MUSASHIM_DEVICES", argv[4], 0);
  Job job{std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), {}, {}};
  const bool maker = job.first == 0 && std::string(argv[1]) != "stale";
  job.id = exchangeId(maker, argv[5]);
  if (std::string(argv[1]) == "scalable") {
    // The second one is of the last process.
    const bool isLast = job.first + job.count == job.ranks;
    job.ids = {job.id, exchangeId(isLast, argv[5] + std::string(".last"))};
  }
  kScenarios.at(argv[1])(job);
}
