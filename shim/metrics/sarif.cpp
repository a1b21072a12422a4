#include <nlohmann/json.hpp>

#include "metrics/advice.h"
#include "metrics/reports.h"

namespace musashim::metrics {

std::string sarifOf(const Metrics& metrics) {
  using Json = nlohmann::json;
  Json rules = Json::array(), results = Json::array();
  for (const auto& [id, text] : adviceRules())
    rules.push_back({{"id", id}, {"shortDescription", {{"text", text}}}});
  for (const Kernel& kernel : metrics.kernels) {
    for (const Advice& advice : adviceFor(kernel, metrics.deviceOf(kernel))) {
      Json result = {
          {"ruleId", advice.rule},
          {"level", "note"},
          {"message", {{"text", kernel.name + ": " + advice.text + ". Remedy: " + advice.remedy + "."}}}};
      if (!advice.file.empty()) {
        const Json region = {{"startLine", advice.line}};
        const Json place = {{"artifactLocation", {{"uri", advice.file}}}, {"region", region}};
        result["locations"] = Json::array({{{"physicalLocation", place}}});
      }
      results.push_back(std::move(result));
    }
  }
  const Json driver = {{"name", "musashim-prof"}, {"rules", rules}};
  const Json run = {{"tool", {{"driver", driver}}}, {"results", results}};
  const Json sarif = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return sarif.dump(2) + "\n";
}

}  // namespace musashim::metrics
