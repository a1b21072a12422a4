#include "translator/lib/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

namespace musashim::translator {
namespace {

bool isDiagnostic(FindingKind kind) { return kind >= FindingKind::Unported; }

/// Does it count as something left to do?
bool isLeft(FindingKind kind) { return kind == FindingKind::Unported || kind == FindingKind::Conflict; }

std::string_view nameOf(FileKind kind) {
  switch (kind) {
    case FileKind::Source:
      return "source";
    case FileKind::Build:
      return "build";
    case FileKind::Native:
      return "native";
    case FileKind::Other:
      return "other";
    case FileKind::Link:
      return "link";
    case FileKind::Record:
      return "record";
  }
  return "";
}

std::string verdict(const Finding& finding) {
  const std::string_view said = finding.kind == FindingKind::Unported   ? "is left as it is"
                                : finding.kind == FindingKind::Conflict ? "collides"
                                : finding.kind == FindingKind::Audit    ? "is not portable"
                                                                        : "needs a look";
  return fmt::format("{}: {} {}: {}{}{}", finding.kind == FindingKind::Note ? "note" : "warning",
                     finding.subject, said, finding.reason, finding.remedy.empty() ? "" : "; ",
                     finding.remedy);
}

/// Of UTF-8. Bytes that are none count as a letter each, as readers replace them.
std::uint32_t utf16Units(std::string_view text) {
  std::uint32_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
    std::size_t good = 1;
    while (good < length && at + good < text.size() &&
           (static_cast<unsigned char>(text[at + good]) & 0xC0U) == 0x80)
      ++good;
    units += good == length && length == 4 ? 2 : 1;
    at += good == length ? length : 1;
  }
  return units;
}

void appendDiagnostics(std::string& out, const FileReport& file, bool all) {
  std::map<std::string, std::size_t> uses;
  for (const PlacedFinding& placed : file.findings) {
    if (isDiagnostic(placed.finding.kind)) ++uses[verdict(placed.finding)];
  }
  for (const PlacedFinding& placed : file.findings) {
    if (!isDiagnostic(placed.finding.kind)) continue;
    const std::string text = verdict(placed.finding);
    const auto entry = uses.find(text);
    if (entry == uses.end()) continue;
    out += fmt::format("{}:{}:{}: {}", file.file->relative, placed.place.line, placed.place.column, text);
    if (!all && entry->second > 1) out += fmt::format(" (and {} more here)", entry->second - 1);
    out += '\n';
    if (!all) uses.erase(entry);
  }
}

}  // namespace

std::string_view nameOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::Name:
      return "name";
    case FindingKind::Call:
      return "call";
    case FindingKind::Header:
      return "header";
    case FindingKind::Guard:
      return "guard";
    case FindingKind::Paste:
      return "paste";
    case FindingKind::Assembly:
      return "assembly";
    case FindingKind::Launch:
      return "launch";
    case FindingKind::Symbol:
      return "string";
    case FindingKind::Comment:
      return "comment";
    case FindingKind::Unported:
      return "unported";
    case FindingKind::Note:
      return "note";
    case FindingKind::Conflict:
      return "conflict";
    case FindingKind::Audit:
      return "audit";
  }
  return "";
}

Place PlaceFinder::at(std::uint32_t offset) {
  const std::string_view passed = text_.substr(done_, offset - done_);
  std::uint32_t counted = done_;
  if (const std::size_t last = passed.rfind('\n'); last != std::string_view::npos) {
    line_ += static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    counted = lineStart_ = done_ + static_cast<std::uint32_t>(last) + 1;
    units_ = 0;
  }
  units_ += utf16Units(text_.substr(counted, offset - counted));
  if (counted == 0 && offset >= 3 && text_.starts_with("\xEF\xBB\xBF")) --units_;
  done_ = offset;
  return {line_, offset - lineStart_ + 1, units_ + 1};
}

FileReport reportOf(const ProjectFile& file, std::string_view text, Match match, bool detailed) {
  FileReport report{&file, {}, match.edits.size(), false, {}, std::move(match.counts)};
  std::vector<Finding>& findings = match.findings;
  if (!detailed) std::erase_if(findings, [](const Finding& finding) { return !isDiagnostic(finding.kind); });
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.begin, a.end, a.kind) < std::tie(b.begin, b.end, b.kind);
  });
  PlaceFinder places(text);
  for (Finding& finding : findings) {
    const Place place = places.at(finding.begin);
    report.findings.push_back({std::move(finding), place});
  }
  return report;
}

void Report::add(FileReport file) {
  for (const auto& [subject, count] : file.counts) counts_[subject] += count;
  files_.push_back(std::move(file));
}

template <typename Is>
std::size_t Report::count(Is is) const {
  std::size_t count = 0;
  for (const FileReport& file : files_) {
    count +=
        static_cast<std::size_t>(std::count_if(file.findings.begin(), file.findings.end(),
                                               [&](const auto& placed) { return is(placed.finding.kind); }));
  }
  return count;
}

std::size_t Report::unported() const { return count(isLeft); }

std::size_t Report::noted() const {
  return count([](FindingKind kind) { return kind == FindingKind::Note || kind == FindingKind::Audit; });
}

Severity Report::gravest() const {
  Severity gravest = Severity::None;
  for (const FileReport& file : files_) {
    for (const PlacedFinding& placed : file.findings)
      gravest = std::max(gravest, severityOf(placed.finding.kind));
  }
  return gravest;
}

std::string Report::diagnostics(bool all) const {
  std::string out;
  for (const FileReport& file : files_) appendDiagnostics(out, file, all);
  for (const std::string& line : skipped_) out += line + "\n";
  return out;
}

std::size_t Report::filesOf(FileKind kind, bool changedOnly) const {
  return static_cast<std::size_t>(std::count_if(files_.begin(), files_.end(), [&](const FileReport& file) {
    return file.file->kind == kind && (!changedOnly || file.edits > 0 || file.renamed());
  }));
}

std::string Report::text() const {
  std::size_t edits = 0;
  std::size_t renamed = 0;
  for (const FileReport& file : files_) {
    edits += file.edits;
    renamed += file.file->kind == FileKind::Source && file.renamed() ? 1 : 0;
  }
  std::string out =
      fmt::format("{} files: {} sources ({} changed, {} renamed to .mu/.muh), {} others\n", files_.size(),
                  filesOf(FileKind::Source, false), filesOf(FileKind::Source, true), renamed,
                  files_.size() - filesOf(FileKind::Source, false));
  out += fmt::format("{} edits", edits);
  std::string_view separator = ": ";
  for (const auto& [library, count] : counts_) {
    out += fmt::format("{}{} {}", separator, library, count);
    separator = ", ";
  }
  out += '\n';
  if (const std::size_t native = filesOf(FileKind::Native, false)) {
    out += fmt::format("{} MUSA sources (.mu, .muh) were there already and stay as they are\n", native);
  }
  if (const std::size_t build = filesOf(FileKind::Build, false)) {
    out += fmt::format("{} build files and scripts ({} changed)\n", build, filesOf(FileKind::Build, true));
  }
  if (const auto seen =
          std::count_if(files_.begin(), files_.end(), [](const FileReport& file) { return file.seen; }))
    out += fmt::format("{} are as they were at the last update, and were not ported again\n", seen);
  const std::size_t left = unported(), doubtful = noted();
  if (left > 0) {
    out += fmt::format("{} places are left unported (--list-unported)\n", left);
  } else if (doubtful > 0) {
    out += fmt::format("no place is left as it was, but {} need a look\n", doubtful);
  } else {
    out += "nothing is left unported\n";
  }
  return out;
}

std::string Report::json() const {
  nlohmann::ordered_json root;
  root["format"] = 1;
  root["unported"] = unported();
  root["counts"] = nlohmann::ordered_json::object();
  for (const auto& [library, count] : counts_) root["counts"][std::string(library)] = count;
  root["skipped"] = skipped_;
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const FileReport& file : files_) {
    nlohmann::ordered_json entry;
    entry["source"] = file.file->relative;
    entry["target"] = file.target();
    entry["kind"] = nameOf(file.file->kind);
    entry["edits"] = file.edits;
    entry["findings"] = nlohmann::ordered_json::array();
    for (const auto& [finding, place] : file.findings) {
      nlohmann::ordered_json item = {{"kind", nameOf(finding.kind)},
                                     {"line", place.line},
                                     {"column", place.column},
                                     {"subject", finding.subject}};
      if (!finding.library.empty()) item["library"] = finding.library;
      if (!finding.reason.empty()) item["reason"] = finding.reason;
      if (!finding.remedy.empty()) item["remedy"] = finding.remedy;
      entry["findings"].push_back(std::move(item));
    }
    files.push_back(std::move(entry));
  }
  root["files"] = std::move(files);
  // Names and paths may hold bytes that are not UTF-8.
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace musashim::translator
