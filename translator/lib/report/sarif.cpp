#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "translator/lib/report/formats.h"
#include "translator/lib/report/severity.h"

namespace musashim::translator {
namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  FindingKind kind;
  std::string_view text;
};
constexpr Rule kRules[] = {
    {FindingKind::Unported, "A place is left as it is: MUSA has no counterpart, or it is not known."},
    {FindingKind::Conflict, "A name of the project's meets a name that the port gives."},
    {FindingKind::Audit, "Works on NVIDIA's platform only."},
    {FindingKind::Note, "Ported, but worth a look."},
};

std::size_t ruleOf(FindingKind kind) {
  std::size_t rule = 0;
  while (kRules[rule].kind != kind) ++rule;
  return rule;
}

/// A path as a relative reference of RFC 3986.
std::string uriOf(std::string_view path) {
  std::string uri;
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80 &&
        (std::isalnum(byte) || std::string_view("/-._~").find(letter) != std::string_view::npos)) {
      uri += letter;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri;
}

Json resultOf(const FileReport& file, const PlacedFinding& placed) {
  const Finding& finding = placed.finding;
  std::string message = finding.subject + ": " + finding.reason;
  if (!finding.remedy.empty()) message += "; " + finding.remedy;
  const Json location = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", uriOf(file.file->relative)}, {"uriBaseId", "SRCROOT"}}},
        {"region", {{"startLine", placed.place.line}, {"startColumn", placed.place.unit}}}}}};
  return {{"ruleId", nameOf(finding.kind)},
          {"ruleIndex", ruleOf(finding.kind)},
          {"level", nameOf(severityOf(finding.kind))},
          {"message", {{"text", message}}},
          {"locations", Json::array({location})}};
}

}  // namespace

std::string sarifOf(const Report& report, std::string_view version) {
  Json rules = Json::array();
  for (const Rule& rule : kRules) {
    rules.push_back({{"id", nameOf(rule.kind)},
                     {"shortDescription", {{"text", rule.text}}},
                     {"defaultConfiguration", {{"level", nameOf(severityOf(rule.kind))}}}});
  }
  Json results = Json::array();
  for (const FileReport& file : report.files()) {
    for (const PlacedFinding& placed : file.findings) {
      if (severityOf(placed.finding.kind) != Severity::None) results.push_back(resultOf(file, placed));
    }
  }
  Json run = {
      {"tool", {{"driver", {{"name", "musaport"}, {"version", version}, {"rules", std::move(rules)}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results)}};
  const Json root = {
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Json::array({std::move(run)})}};
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace musashim::translator
