// Communicators whose ranks are of several processes: what they compute, and how they fail.
// Runs RANK_PROGRAM; see there for the scenarios.
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "launched_job.h"
#include "mccl.h"
#include "mccl/bootstrap/protocol.h"
#include "mccl/bootstrap/socket.h"
#include "mccl/bootstrap/unique_id.h"

namespace musashim::mccl {
namespace {

std::string outputOf(const char* command) {
  std::string output;
  FILE* pipe = popen(command, "r");
  char part[512];
  while (fgets(part, sizeof part, pipe)) output += part;
  pclose(pipe);
  return output;
}

struct Shape {
  int ranks, perProcess;
};

struct Processes : testing::TestWithParam<Shape> {};

TEST_P(Processes, Collectives) {
  Job job;
  job.startAll("collectives", GetParam().ranks, GetParam().perProcess);
  job.expectAllGood();
}

TEST_P(Processes, ThreadsMixedWithProcesses) {
  Job job;
  job.startAll("threads", GetParam().ranks, GetParam().perProcess);
  job.expectAllGood();
}

INSTANTIATE_TEST_SUITE_P(Shapes, Processes,
                         testing::Values(Shape{2, 1}, Shape{4, 1}, Shape{4, 2}, Shape{6, 3}),
                         [](const auto& info) {
                           return std::to_string(info.param.ranks) + "ranks" +
                                  std::to_string(info.param.perProcess) + "each";
                         });

TEST(ProcessJob, MemoryThatCannotBeMapped) {
  Job job;
  job.startAll("staged", 3, 1);
  job.expectAllGood();
}

TEST(ProcessJob, MoreBuffersThanStayMapped) {
  Job job;
  job.startAll("many buffers", 2, 1);
  job.expectAllGood();
}

TEST(ProcessJob, Split) {
  Job job;
  job.startAll("split", 4, 1);
  job.expectAllGood();
}

TEST(ProcessJob, SplitOfProcessesWithSeveralRanks) {
  Job job;
  job.startAll("split", 4, 2);
  job.expectAllGood();
}

struct BriefJobs : testing::TestWithParam<int> {
  void repeat(const std::string& scenario) {
    for (int repeat = 0; repeat < 20 && !HasFailure(); ++repeat) {
      Job job;
      job.startAll(scenario, GetParam(), 1);
      job.expectAllGood();
    }
  }
};

// Whoever made the id needs the others no more, but they need its process.
TEST_P(BriefJobs, ProcessesMayEndAsSoonAsTheirRanksAreInitialised) { repeat("brief"); }

TEST_P(BriefJobs, AlsoWithoutBlocking) { repeat("brief nonblocking"); }

TEST_P(BriefJobs, AlsoAfterASplit) { repeat("brief split"); }

INSTANTIATE_TEST_SUITE_P(Ranks, BriefJobs, testing::Values(3, 8),
                         [](const auto& info) { return std::to_string(info.param) + "ranks"; });

TEST(ProcessJob, StagedMemoryInGraphs) {
  Job job;
  job.startAll("staged graphs", 2, 1);
  job.expectAllGood();
}

TEST(ProcessJob, EachProcessSeesItsOwnDeviceOnly) {
  Job job;
  for (int rank = 0; rank < 3; ++rank) {
    job.start("collectives", rank, 1, 3, {"MUSA_VISIBLE_DEVICES=" + std::to_string(rank)});
  }
  job.expectAllGood();
}

TEST(ProcessJob, AddressFromTheEnvironment) {
  for (const std::string host : {"127.0.0.1", "localhost", "[::1]"}) {
    Job job;
    const std::vector<std::string> environment{"MCCL_COMM_ID=" + host + ":" +
                                               std::to_string(20000 + getpid() % 10000)};
    // The ranks that wait for rank 0 come first.
    job.start("collectives", 1, 1, 2, environment);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    job.start("collectives", 0, 1, 2, environment);
    job.expectAllGood();
  }
}

TEST(ProcessJob, KilledRankIsReportedAndTheRestGoesOn) {
  Job job;
  job.startAll("killed", 3, 1);
  EXPECT_EQ(job.finish(0, 20), 0);
  EXPECT_EQ(job.finish(0, 20), 0);
  EXPECT_EQ(job.finish(0, 20), -SIGKILL);
}

TEST(ProcessJob, KilledProcessOfSeveralRanks) {
  Job job;
  job.startAll("killed", 4, 2);
  EXPECT_EQ(job.finish(0, 20), 0);
  EXPECT_EQ(job.finish(0, 20), -SIGKILL);
}

TEST(ProcessJob, MismatchNamesBothCallsEverywhere) {
  Job job;
  job.startAll("mismatch", 3, 1);
  job.expectAllGood(20);
}

TEST(ProcessJob, AbortFreesTheOthers) {
  Job job;
  job.startAll("abort", 3, 1);
  job.expectAllGood(20);
}

TEST(ProcessJob, RasToolNamesTheRankThatAllWaitFor) {
  Job job;
  job.startAll("forever", 3, 1);
  const std::string waiting = "3 ranks  waits for rank 2\n", process = std::to_string(job.process(0));
  bool isStopped = false;
  std::string report;
  for (int look = 0; look < 600 && report.find(waiting) == std::string::npos; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    report = outputOf(RAS_PROGRAM " -v");
    if (isStopped || report.find(process) == std::string::npos) continue;
    // Rank 0 is known a little before all are through with the initialisation.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(job.process(2), SIGSTOP);
    isStopped = true;
  }
  EXPECT_NE(report.find(waiting), std::string::npos) << report;
  EXPECT_NE(report.find("waits in AllReduce("), std::string::npos) << report;
}

TEST(ProcessJob, KilledDuringInitialisation) {
  Job job;
  // Rank 2 never comes; rank 1, which waits at rank 0, is killed: rank 0 must not wait on.
  job.start("collectives", 0, 1, 3);
  job.start("collectives", 1, 1, 3);
  while (!std::filesystem::exists(job.idFile())) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(job.finish(1, 0), -SIGKILL);
  EXPECT_EQ(job.finish(0, 30), 1);  // its initialisation fails, and it says so
}

TEST(ProcessJob, StaleIdIsAnErrorAtOnce) {
  Job job;
  job.start("makeid", 0, 1, 1);
  ASSERT_EQ(job.finish(0, 30), 0);
  job.start("stale", 0, 1, 2);
  EXPECT_EQ(job.finish(0, 30), 0);
}

// What the job's rank 0 has put into the file.
IdContent waitForId(const std::string& idFile) {
  mcclUniqueId id{};
  for (int i = 0; i < 400; ++i) {
    std::ifstream in(idFile, std::ios::binary);
    if (in.read(id.internal, sizeof id.internal)) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  IdContent content;
  EXPECT_EQ(readUniqueId(id, content), mcclSuccess);
  return content;
}

Fd connectTo(const IdContent& content) {
  Fd fd = connectTcp(content.address, std::chrono::seconds(5));
  EXPECT_TRUE(fd);
  return fd;
}

// Connects to the maker of the job's id as a port scanner does.
void disturb(const std::string& idFile) {
  const IdContent content = waitForId(idFile);
  for (const std::string& words : {std::string(), std::string("GET / HTTP/1.1\r\n\r\n"),
                                   std::string(400, '\0'), std::string("MCCLHI01") + std::string(300, 'x')}) {
    const Fd fd = connectTo(content);
    (void)send(fd.get(), words.data(), words.size(), MSG_NOSIGNAL);
  }
}

// Comes as the last of the job's ranks, and hears that all have met.
Fd comeAsLast(const IdContent& content, int ranks) {
  Fd fd = connectTo(content);
  Hello hello;
  std::memcpy(hello.magic, kHelloMagic, sizeof hello.magic);
  hello.serial = content.serial;
  hello.rankSecret = content.rankSecret;
  hello.ranks = ranks;
  hello.rank = ranks - 1;
  hello.info = ownInfo(ranks - 1, "");
  Welcome welcome;
  EXPECT_TRUE(sendAll(fd.get(), &hello, sizeof hello));
  EXPECT_TRUE(receiveAll(fd.get(), &welcome, sizeof welcome, [] { return true; }));
  EXPECT_EQ(welcome.result, mcclSuccess) << static_cast<const char*>(welcome.text);
  return fd;
}

// Rank 0's process would end as soon as it is initialised.
TEST(ProcessJob, InitialisationLastsUntilRanksElsewhereHaveWhatTheyNeedOrDie) {
  Job job;
  job.start("brief", 0, 1, 2);
  Fd fd = comeAsLast(waitForId(job.idFile()), 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(job.process(0)), &ended, WEXITED | WNOHANG | WNOWAIT), 0);
  EXPECT_EQ(ended.si_pid, 0) << "the last rank has fetched nothing yet";
  fd = Fd();
  EXPECT_EQ(job.finish(0, 20), 0);
}

TEST(ProcessJob, StrangersAtTheBootstrapAreIgnored) {
  Job job;
  job.start("collectives", 0, 1, 2);
  disturb(job.idFile());
  job.start("collectives", 1, 1, 2);
  job.expectAllGood();
}

// In the process of rank 0, which the others come to.
TEST(ProcessJob, TooFewDescriptorsAreAnErrorAndNotAWait) {
  for (int room = 0; room < 20 && !testing::Test::HasFailure(); ++room) {
    Job job;
    job.start("few descriptors", 0, 1, 4, {"ROOM=" + std::to_string(room)});
    for (int rank = 1; rank < 4; ++rank) job.start("few descriptors", rank, 1, 4, {"ROOM=100"});
    job.expectAllGood(10);
  }
}

// Others use the folder at the same time: what is new and named after the session or a process of the job.
TEST(ProcessJob, NothingStaysBehindAfterKills) {
  const auto entries = [] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
      names.insert(entry.path().filename());
    return names;
  };
  const std::string session = "kills" + std::to_string(getpid());
  std::vector<std::string> own{session};
  const std::set<std::string> before = entries();
  {
    Job job;
    job.startAll("forever", 2, 1, {"MUSASHIM_SESSION=" + session});
    for (size_t i = 0; i < job.running(); ++i) own.push_back(std::to_string(job.process(i)));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }  // kills both
  for (const std::string& name : entries()) {
    const bool isOwn =
        std::ranges::any_of(own, [&](const std::string& one) { return name.find(one) != std::string::npos; });
    EXPECT_FALSE(isOwn && !before.contains(name)) << name;
  }
}

}  // namespace
}  // namespace musashim::mccl
