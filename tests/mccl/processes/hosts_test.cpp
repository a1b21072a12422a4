// Communicators whose ranks are on several hosts. MCCL_HOSTID tells them apart: they share no memory and talk
// over the network, though all are on this machine.
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "launched_job.h"

namespace musashim::mccl {
namespace {

// Processes take turns on the hosts, so that the ranks of a host are not neighbours.
void startOnHosts(Job& job, const std::string& scenario, int ranks, int perProcess, int hosts,
                  std::vector<std::string> environment = {}) {
  environment.push_back("MCCL_SOCKET_IFNAME=lo");
  for (int first = 0, process = 0; first < ranks; first += perProcess, ++process) {
    environment.push_back("MCCL_HOSTID=host" + std::to_string(process % hosts));
    job.start(scenario, first, perProcess, ranks, environment);
    environment.pop_back();
  }
}

struct Shape {
  int ranks, perProcess, hosts;
};

struct Hosts : testing::TestWithParam<Shape> {
  void expectGood(const std::string& scenario, const std::vector<std::string>& environment = {}) {
    Job job;
    const auto [ranks, perProcess, hosts] = GetParam();
    startOnHosts(job, scenario, ranks, perProcess, hosts, environment);
    job.expectAllGood();
  }
};

TEST_P(Hosts, Collectives) { expectGood("collectives"); }
TEST_P(Hosts, CollectivesInRings) { expectGood("collectives", {"MCCL_ALGO=Ring"}); }
TEST_P(Hosts, CollectivesInTrees) { expectGood("collectives", {"MCCL_ALGO=Tree"}); }
TEST_P(Hosts, SeveralSocketsAConnection) { expectGood("collectives", {"MCCL_NSOCKS_PERTHREAD=3"}); }
TEST_P(Hosts, ThreadsThatMoveTheData) {
  expectGood("collectives", {"MCCL_SOCKET_NTHREADS=2", "MCCL_NSOCKS_PERTHREAD=2"});
}
TEST_P(Hosts, ThreadsMixedWithProcesses) { expectGood("threads"); }

INSTANTIATE_TEST_SUITE_P(Shapes, Hosts,
                         testing::Values(Shape{2, 1, 2}, Shape{4, 1, 2}, Shape{4, 2, 2}, Shape{3, 1, 3},
                                         Shape{6, 2, 3}, Shape{5, 1, 4}),
                         [](const auto& info) {
                           return std::to_string(info.param.ranks) + "ranks" +
                                  std::to_string(info.param.perProcess) + "each" +
                                  std::to_string(info.param.hosts) + "hosts";
                         });

void expectGood(const std::string& scenario, int ranks, int perProcess, int hosts) {
  Job job;
  startOnHosts(job, scenario, ranks, perProcess, hosts);
  job.expectAllGood();
}

TEST(HostsJob, MemoryThatCannotBeMapped) { expectGood("staged", 4, 1, 2); }
TEST(HostsJob, StagedMemoryInGraphs) { expectGood("staged graphs", 4, 1, 2); }
TEST(HostsJob, MoreBuffersThanStayMapped) { expectGood("many buffers", 4, 1, 2); }
TEST(HostsJob, WhatAGroupReceivesIsPassedOnBetweenHostsAndInThem) {
  expectGood("passed on", 4, 2, 2);
  expectGood("passed on", 8, 2, 2);
  expectGood("passed on", 8, 1, 4);
}
TEST(HostsJob, Split) {
  expectGood("split", 4, 1, 2);
  expectGood("split", 4, 2, 2);
  expectGood("split", 4, 1, 4);
}
TEST(HostsJob, ProcessesMayEndAsSoonAsTheirRanksAreInitialised) {
  for (const char* scenario : {"brief", "brief split", "brief nonblocking"}) expectGood(scenario, 4, 1, 2);
}
TEST(HostsJob, MismatchNamesBothCallsEverywhere) {
  expectGood("mismatch", 2, 1, 2);
  expectGood("mismatch", 3, 1, 2);
}
TEST(HostsJob, AbortFreesTheOthers) {
  expectGood("abort", 2, 1, 2);
  expectGood("abort", 4, 1, 2);
}

// Each version of the interface; the plugin ends processes that use it wrongly.
TEST(HostsJob, PluginsCarryTheData) {
  for (const char* version : {"8", "9", "10", "11"}) {
    for (const std::string scenario : {"collectives", "many buffers"}) {
      Job job;
      startOnHosts(job, scenario, 3, 1, 3,
                   {std::string("MCCL_NET_PLUGIN=" PLUGINS "/libmccl_local_plugin_v") + version + ".so",
                    "MCCL_NET=Local"});
      job.expectAllGood();
    }
  }
}

TEST(HostsJob, APluginThatIsNotThereIsAnError) {
  Job job;
  startOnHosts(job, "collectives", 2, 1, 2, {"MCCL_NET_PLUGIN=nothing"});
  EXPECT_NE(job.finish(0, 20), 0);
  EXPECT_NE(job.finish(0, 20), 0);
}

TEST(HostsJob, KilledRankIsReportedEverywhere) {
  for (const int ranks : {2, 3, 4}) {
    Job job;
    startOnHosts(job, "killed", ranks, 1, 2);
    for (int rank = 0; rank < ranks - 1; ++rank) EXPECT_EQ(job.finish(0, 20), 0);
    EXPECT_EQ(job.finish(0, 20), -SIGKILL);
  }
}

}  // namespace
}  // namespace musashim::mccl
