// The page of page.html with the report's data in it. Texts that repeat are written once: a tree of 10,000
// files stays a few megabytes.

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "translator/lib/report/formats.h"
#include "translator/lib/report/severity.h"

namespace musashim::translator {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPage =
#include "report_page.inc"
    ;
constexpr std::string_view kDataMark = "@DATA@";

/// Texts by number, in the order in which they came.
class Texts {
 public:
  std::size_t numberOf(const Finding& finding) {
    const auto [entry, fresh] = numbers_.try_emplace(
        std::tuple(finding.kind, finding.subject, finding.reason, finding.remedy), numbers_.size());
    if (fresh) {
      rows_.push_back({nameOf(severityOf(finding.kind)), finding.subject, finding.reason, finding.remedy,
                       finding.library});
    }
    return entry->second;
  }
  Json take() { return std::move(rows_); }

 private:
  std::map<std::tuple<FindingKind, std::string, std::string, std::string>, std::size_t> numbers_;
  Json rows_ = Json::array();
};

/// So that no text of the report ends the script it stands in.
std::string withoutTags(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string htmlOf(const Report& report, std::string_view version) {
  Texts texts;
  Json files = Json::array(), places = Json::array();
  for (std::size_t i = 0; i < report.files().size(); ++i) {
    const FileReport& file = report.files()[i];
    files.push_back({file.file->relative, file.edits});
    for (const auto& [finding, place] : file.findings) {
      if (severityOf(finding.kind) == Severity::None) continue;
      places.push_back({i, place.line, place.column, texts.numberOf(finding)});
    }
  }
  const Json data = {{"version", version},
                     {"files", std::move(files)},
                     {"texts", texts.take()},
                     {"places", std::move(places)}};
  const std::size_t mark = kPage.find(kDataMark);
  std::string page(kPage.substr(0, mark));
  page += withoutTags(data.dump(-1, ' ', false, Json::error_handler_t::replace));
  page += kPage.substr(mark + kDataMark.size());
  return page;
}

}  // namespace musashim::translator
