// Timelines: to JSON and back, in tables, and of several processes in one file.
#include "timeline/timeline.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "timeline/json_file.h"
#include "timeline/read_json.h"
#include "timeline/summary.h"

namespace musashim::timeline {
namespace {

Span span(Kind kind, const std::string& name, int64_t begin, int64_t end, uint64_t lane,
          uint64_t correlation) {
  Span made;
  made.kind = kind;
  made.name = name;
  made.begin = begin;
  made.end = end;
  made.lane = lane;
  made.correlation = correlation;
  return made;
}

Timeline example(int id = 42) {
  Process process;
  process.id = id;
  process.name = "a \"program\"";
  process.rank = "3";
  process.devices = {"MTT S5000", "MTT S4000"};
  Span call = span(Kind::kCall, "musaLaunchKernel", 1'000'001, 1'002'002, 77, 5);
  call.detail = "musart";
  call.result = 700;
  Span kernel = span(Kind::kKernel, "k<int>(int*)", 1'003'000, 1'013'000, 9 << 1 | 1, 5);
  kernel.device = 1;
  kernel.grid = {2, 3, 4};
  kernel.block = {5, 6, 7};
  kernel.sharedBytes = 88;
  Span copy = span(Kind::kCopy, "Memcpy HtoD", 1'020'000, 1'021'000, 10 << 1, 6);
  copy.bytes = 4000;
  const Span lane = span(Kind::kFill, "Memset", 1'030'000, 1'031'000, 0x7f0000001000, 7);
  process.spans = {call, kernel, copy, lane};
  process.dropped = 2;
  return {{process}};
}

TEST(Timeline, ToJsonAndBack) {
  Timeline read;
  std::string error;
  ASSERT_TRUE(fromJson(toJson(example()), read, error)) << error;
  ASSERT_EQ(read.processes.size(), 1u);
  const Process& process = read.processes.front();
  EXPECT_EQ(process.id, 42);
  EXPECT_EQ(process.name, "a \"program\"");
  EXPECT_EQ(process.rank, "3");
  EXPECT_EQ(process.devices, (std::vector<std::string>{"MTT S5000", "MTT S4000"}));
  EXPECT_EQ(process.dropped, 2u);
  ASSERT_EQ(process.spans.size(), 4u);
  const Span &call = process.spans[0], &kernel = process.spans[1], &copy = process.spans[2];
  EXPECT_EQ(call.begin, 1'000'001);
  EXPECT_EQ(call.end, 1'002'002);
  EXPECT_EQ(call.lane, 77u);
  EXPECT_EQ(call.result, 700);
  EXPECT_EQ(call.detail, "musart");
  EXPECT_EQ(kernel.kind, Kind::kKernel);
  EXPECT_EQ(kernel.device, 1);
  EXPECT_EQ(kernel.correlation, 5u);
  EXPECT_EQ(kernel.grid, (std::array<uint32_t, 3>{2, 3, 4}));
  EXPECT_EQ(kernel.block, (std::array<uint32_t, 3>{5, 6, 7}));
  EXPECT_EQ(kernel.sharedBytes, 88u);
  EXPECT_EQ(copy.bytes, 4000u);
}

TEST(Timeline, JsonIsWhatViewersRead) {
  const auto document = nlohmann::json::parse(toJson(example()));
  std::map<std::string, int> phases;
  for (const auto& event : document.at("traceEvents")) {
    const std::string phase = event.at("ph");
    ++phases[phase];
    EXPECT_TRUE(event.at("pid").is_number_integer());
    EXPECT_TRUE(event.at("tid").is_number_integer());
    EXPECT_LT(event.at("tid").get<int64_t>(), int64_t{1} << 31);
    EXPECT_TRUE(event.at("name").is_string());
    if (phase == "X") EXPECT_TRUE(event.at("ts").is_number() && event.at("dur").is_number());
    if (phase == "s" || phase == "f") EXPECT_TRUE(event.at("ts").is_number() && event.at("id").is_string());
  }
  EXPECT_EQ(phases["X"], 4);
  EXPECT_EQ(phases["s"], 1);  // the call to its kernel
  EXPECT_EQ(phases["f"], 1);
  EXPECT_GE(phases["M"], 3);
}

TEST(Timeline, TextsThatAreNone) {
  Timeline read;
  std::string error;
  EXPECT_FALSE(fromJson("", read, error));
  EXPECT_FALSE(fromJson("{}", read, error));
  EXPECT_FALSE(fromJson("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\"}]}", read, error));
  EXPECT_FALSE(readFile("/nonexistent/file", read, error));
  EXPECT_NE(error.find("/nonexistent/file"), std::string::npos);
}

TEST(Timeline, SummaryAddsUp) {
  Timeline timeline = example();
  auto& spans = timeline.processes.front().spans;
  Span second = spans[1];
  second.begin += 5000;  // half of it beside the first one
  second.end += 5000;
  spans.push_back(second);
  const std::string text = summaryOf(timeline);
  EXPECT_NE(text.find("1 process, 1 calls, 4 kernels, copies and fills"), std::string::npos) << text;
  EXPECT_NE(text.find(" 100.0     0.020         2    10.000    10.000    10.000  k<int>(int*)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("     0.001         1      0.004     4.000     1.000  Memcpy HtoD"), std::string::npos)
      << text;
  EXPECT_NE(text.find("musaLaunchKernel"), std::string::npos);
  EXPECT_NE(text.find("0.015     0.016    51.6  MTT S4000 of rank 3 (device 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("2 more found no room"), std::string::npos);
}

TEST(Timeline, LongTablesAreCut) {
  Timeline timeline = example();
  for (int i = 0; i < 30; ++i)
    timeline.processes.front().spans.push_back(
        span(Kind::kKernel, "kernel" + std::to_string(i), 0, 100 - i, 2, 1));
  const std::string text = summaryOf(timeline, 5);
  EXPECT_NE(text.find("... and 26 more"), std::string::npos) << text;
}

TEST(Timeline, ProcessesOfOneJobShareAFile) {
  const std::string path = testing::TempDir() + "timeline_test_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\nnot of this run\n]}\n";
  std::filesystem::last_write_time(path,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  std::vector<pid_t> children;
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  const int64_t since = (now.tv_sec - 1) * int64_t{1'000'000'000} + now.tv_nsec;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::string error;
      _exit(writeWithOthers(path, since, example(100 + i), error) ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Timeline read;
  std::string error;
  ASSERT_TRUE(readFile(path, read, error)) << error;
  EXPECT_EQ(read.processes.size(), 4u);
  for (const Process& process : read.processes) EXPECT_EQ(process.spans.size(), 4u);
  // A later run is one of its own.
  ASSERT_TRUE(writeWithOthers(path, since + int64_t{3'600'000'000'000}, example(), error)) << error;
  Timeline again;
  ASSERT_TRUE(readFile(path, again, error)) << error;
  EXPECT_EQ(again.processes.size(), 1u);
  std::filesystem::remove(path);
}

// As root, a rename would put a file where /dev/null was.
TEST(Timeline, NoFileComesInThePlaceOfAPipe) {
  const std::string path = testing::TempDir() + "timeline-pipe." + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream pipe(path, std::ios::binary);
    got.assign(std::istreambuf_iterator<char>(pipe), {});
  });
  std::string error;
  EXPECT_TRUE(writeWithOthers(path, 0, example(), error)) << error;
  reader.join();
  EXPECT_EQ(got, toJson(example()));
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  std::filesystem::remove(path);
}

TEST(Timeline, PlacesThatCannotBeWritten) {
  std::string error;
  EXPECT_FALSE(writeWithOthers("/nonexistent/folder/run.json", 0, example(), error));
  EXPECT_NE(error.find("cannot write"), std::string::npos);
}

}  // namespace
}  // namespace musashim::timeline
