#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "metrics/advice.h"
#include "metrics/budget.h"
#include "metrics/derived.h"
#include "metrics/metrics.h"
#include "metrics/reports.h"

namespace musashim::metrics {
namespace {

Device someDevice() { return {"MTT S5000", 32, 56, 3072, 32, 196608, 1500000, 1600000000000}; }

// A transpose whose writes are strided, and that loses lanes in line 9.
Metrics someRun(uint64_t sectors = 3200) {
  Line copy;
  copy.file = "transpose.mu";
  copy.number = 7;
  copy.classes["load"] = {100, 3200};
  copy.classes["fp32_fma"] = {50, 1600};
  copy.accesses.push_back({"read", "device", 4, 100, 3200, 400, 400, 0});
  copy.accesses.push_back({"write", "device", 4, 100, 3200, sectors, 400, 0});
  copy.accesses.push_back({"read", "shared", 4, 100, 3200, 3200, 100, 0});
  Line sum;
  sum.file = "transpose.mu";
  sum.number = 9;
  sum.classes["fp32"] = {100, 100};
  sum.accesses.push_back({"atomic", "device", 4, 10, 320, 10, 10, 310});
  Kernel kernel;
  kernel.name = "transpose(float*, float const*)";
  kernel.blocks = kernel.counted = 16;
  kernel.launches.push_back({{16, 1, 1}, {100, 1, 1}, 0, 1, "MTT S5000"});
  kernel.lines = {copy, sum};
  Metrics metrics;
  metrics.devices["MTT S5000"] = someDevice();
  metrics.kernels.push_back(kernel);
  return metrics;
}

std::string rulesOf(const Metrics& metrics) {
  std::string all;
  for (const Advice& advice : adviceFor(metrics.kernels[0], metrics.deviceOf(metrics.kernels[0])))
    all += advice.rule + ":" + std::to_string(advice.line) + " ";
  return all;
}

class BudgetFile {
 public:
  explicit BudgetFile(const std::string& text) { std::ofstream(path) << text; }
  ~BudgetFile() { std::remove(path.c_str()); }
  const std::string path = ::testing::TempDir() + "metrics_budget.json";
};

TEST(Figures, OfAKernel) {
  const KernelFigures figures = figuresOf(someRun().kernels[0]);
  EXPECT_DOUBLE_EQ(figures.activeLanes, 4900.0 / 250);
  EXPECT_DOUBLE_EQ(figures.sectorsPerRequest, 3610.0 / 210);
  EXPECT_DOUBLE_EQ(figures.neededSectors, 810.0 / 3610);
  EXPECT_DOUBLE_EQ(figures.bankConflicts, 31);
  EXPECT_DOUBLE_EQ(figures.intensity, (2 * 1600 + 100) / (32.0 * 3610));
}

TEST(Occupancy, IsLimitedByWhatIsScarcest) {
  EXPECT_EQ(occupancyOf({{1, 1, 1}, {1024, 1, 1}, 0, 1, ""}, someDevice()).warps, 96u);
  const Occupancy shared = occupancyOf({{1, 1, 1}, {256, 1, 1}, 65536, 1, ""}, someDevice());
  EXPECT_EQ(shared.warps, 24u);
  EXPECT_EQ(shared.limit, "shared memory");
  const Occupancy blocks = occupancyOf({{1, 1, 1}, {32, 1, 1}, 0, 1, ""}, someDevice());
  EXPECT_EQ(blocks.warps, 32u);
  EXPECT_EQ(blocks.limit, "blocks");
  const Occupancy tail = occupancyOf({{3, 400, 1}, {256, 1, 1}, 65536, 1, ""}, someDevice());
  EXPECT_EQ(tail.fit, 168u);
  EXPECT_EQ(tail.waves, 8u);
  EXPECT_EQ(tail.lastBlocks, 24u);
}

TEST(Advice, NamesLinesAndRules) {
  const std::string rules = rulesOf(someRun());
  for (const char* rule : {"uncoalesced:7", "bank-conflicts:7", "divergence:9", "serial-atomics:9",
                           "partial-warps:0", "small-grid:0"})
    EXPECT_NE(rules.find(rule), std::string::npos) << rule << " in " << rules;
}

TEST(Advice, IsSilentWhereNothingIsWasted) {
  EXPECT_EQ(rulesOf(someRun(400)).find("uncoalesced"), std::string::npos);
}

TEST(Advice, OnlyHasRulesThatAreListed) {
  for (const Advice& advice : adviceFor(someRun().kernels[0], someDevice())) {
    const auto& rules = adviceRules();
    EXPECT_TRUE(std::any_of(rules.begin(), rules.end(), [&](const auto& rule) {
      return rule.first == advice.rule;
    })) << advice.rule;
  }
}

TEST(Comparison, TellsWorseFromBetter) {
  bool worse = false;
  EXPECT_EQ(compare(someRun(), someRun(), worse), "no figure differs\n");
  EXPECT_FALSE(worse);
  EXPECT_NE(compare(someRun(400), someRun(), worse).find("sectors_per_request"), std::string::npos);
  EXPECT_TRUE(worse);
  EXPECT_NE(compare(someRun(), someRun(400), worse).find("better"), std::string::npos);
  EXPECT_FALSE(worse);
}

TEST(Budget, IsKeptOrBroken) {
  std::string broken, error;
  const BudgetFile kept(R"({"transpose*": {"sectors_per_request": 20, "active_lanes": 19}})");
  EXPECT_TRUE(checkBudget(kept.path, someRun(), broken, error)) << error;
  EXPECT_EQ(broken, "");
  const BudgetFile tight(R"({"transpose*": {"sectors_per_request": 4, "active_lanes": 30}, "gone": {}})");
  EXPECT_TRUE(checkBudget(tight.path, someRun(), broken, error)) << error;
  EXPECT_NE(broken.find("sectors_per_request is 17.190, the budget allows 4.000"), std::string::npos)
      << broken;
  EXPECT_NE(broken.find("active_lanes is 19.600, the budget asks for at least 30.000"), std::string::npos)
      << broken;
  EXPECT_NE(broken.find("gone: no such kernel ran"), std::string::npos) << broken;
}

TEST(Budget, RefusesWhatItDoesNotKnow) {
  std::string broken, error;
  const BudgetFile figure(R"({"transpose*": {"speed": 1}})");
  EXPECT_FALSE(checkBudget(figure.path, someRun(), broken, error));
  EXPECT_NE(error.find("'speed'"), std::string::npos) << error;
  const BudgetFile list("[1]");
  EXPECT_FALSE(checkBudget(list.path, someRun(), broken, error));
  EXPECT_FALSE(checkBudget("/nowhere/budget.json", someRun(), broken, error));
}

TEST(Reports, AreWellFormed) {
  const Metrics run = someRun();
  const auto sarif = nlohmann::json::parse(sarifOf(run));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  const auto& results = sarif.at("runs").at(0).at("results");
  EXPECT_EQ(results.size(), adviceFor(run.kernels[0], someDevice()).size());
  EXPECT_EQ(nlohmann::json::parse(jsonOf(run)).at(0).at("kernel"), run.kernels[0].name);
  const std::string page = htmlOf(run);
  EXPECT_NE(page.find("transpose(float*, float const*)"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "a page asks for nothing outside of it";
  // 3300 operations, 3610 sectors of 32 bytes, 1600 GB/s.
  EXPECT_NE(page.find("transpose(float*, float const*): at most 46 GFLOP/s"), std::string::npos);
  EXPECT_NE(page.find("lines: 1600 GB/s of MTT S5000, no public figure of fp32"), std::string::npos);
  // The other products' lines are there too: there 3300 operations reach 768 GB/s times as many for a byte.
  for (const char* lines :
       {"448 GB/s of MTT S80, 14.4 TFLOP/s", "768 GB/s of MTT S4000, 25.0 TFLOP/s", ": at most 22 GFLOP/s"})
    EXPECT_NE(page.find(lines), std::string::npos) << lines;
  EXPECT_NE(tablesOf(run, 10).find("transpose.mu:7"), std::string::npos);
}

TEST(Reports, TellWhatPartWasCounted) {
  Metrics run = someRun();
  run.kernels[0].blocks = 1024;
  EXPECT_NE(tablesOf(run, 10).find(
                "counted: 16 of 1024 blocks; all figures are of these; their error is not known"),
            std::string::npos);
  run.kernels[0].samplingError["active_lanes"] = 0.0125;
  EXPECT_NE(tablesOf(run, 10).find("errors (2 sigma): active_lanes 1.2 %"), std::string::npos)
      << tablesOf(run, 10);
  EXPECT_NE(htmlOf(run).find("active_lanes 1.2 %"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(jsonOf(run)).at(0).at("sampling_error").at("active_lanes"), 0.0125);
}

TEST(Reading, RefusesOtherFiles) {
  const BudgetFile other("{\"traceEvents\": []}");
  Metrics metrics;
  std::string error;
  EXPECT_FALSE(readMetrics(other.path, metrics, error));
  EXPECT_NE(error.find("-fmusa-profile"), std::string::npos);
  EXPECT_FALSE(readMetrics("/nowhere/metrics.json", metrics, error));
  const BudgetFile broken("{\"musashim_metrics\": 1}");
  EXPECT_FALSE(readMetrics(broken.path, metrics, error));
}

}  // namespace
}  // namespace musashim::metrics
