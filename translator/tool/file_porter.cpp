#include "translator/tool/file_porter.h"

#include <utility>

#include "translator/lib/build/build.h"
#include "translator/lib/edit/apply.h"
#include "translator/lib/port.h"
#include "translator/lib/report/audit.h"
#include "translator/lib/report/diff.h"
#include "translator/lib/tree/files.h"
#include "translator/tool/again/seen.h"

namespace musashim::translator {
namespace {

std::unique_ptr<RecordedFile> record(const ProjectFile& file, std::string_view original,
                                     const std::vector<Edit>& edits) {
  return std::make_unique<RecordedFile>(recordOf(std::string(file.relative), original, edits));
}

void dropOwn(const Meaning& meaning, Match& found) {
  std::erase_if(found.edits, [&](const Edit& edit) { return meaning.ownPlaces.contains(edit.begin); });
  std::erase_if(found.findings, [&](const Finding& finding) {
    return finding.kind == FindingKind::Name && meaning.ownPlaces.contains(finding.begin);
  });
}

}  // namespace

std::string_view FilePorter::textOf(const Project& project, const ProjectFile& file, FileBuffer& buffer,
                                    struct stat* status) const {
  const auto kept = read_.find(&file);
  if (kept == read_.end()) return buffer.read(file.source.data(), status, project.root());
  if (status) *status = kept->second.status;
  return kept->second.text;
}

bool FilePorter::recall(const Project& project, const ProjectFile& file, Outcome& outcome) {
  if (!seen_ || (file.kind != FileKind::Source && file.kind != FileKind::Build)) return false;
  thread_local FileBuffer buffer;
  const std::string_view text = textOf(project, file, buffer, nullptr);
  if (!seen_->take(file, text, outcome)) return false;
  if (destination_.keep(file)) return true;
  outcome = Outcome();
  return false;
}

void FilePorter::handle(const Project& project, const ProjectFile& file, Outcome& outcome) {
  if (file.kind == FileKind::Source || file.kind == FileKind::Build) return port(project, file, outcome);
  outcome.report = reportOf(file, {}, {}, false);
  // So that --reverse leaves it alone.
  if (file.kind == FileKind::Native && arguments_.record && !arguments_.reverse) {
    outcome.recorded = record(file, readFile(file.source), {});
  }
  if (file.kind == FileKind::Record) return;
  if (file.kind == FileKind::Link) return destination_.link(file, options_.lexicon->direction());
  destination_.copy(file);
}

void FilePorter::port(const Project& project, const ProjectFile& file, Outcome& outcome) {
  thread_local FileBuffer buffer;
  struct stat status{};
  outcome.seen = false;
  // Who writes nothing needs no stamp.
  const bool writes = destination_.writes();
  const std::string_view text = textOf(project, file, buffer, writes ? &status : nullptr);
  if (arguments_.reverse && restore(file, text, status, outcome)) return;
  PortOptions options = options_;
  if (options.symbols) {
    const auto& local = options.symbols->local;
    if (const auto names = local.find(file.relative); names != local.end())
      options.localSymbols = &names->second;
  }
  const bool builds = file.kind == FileKind::Build;
  const FileView view(project, file);
  Match found = builds && !options.onlyRules ? findBuildEdits(file.relative, text, options, view, facts_)
                                             : findEdits(text, options, view);
  outcome.names = found.names;
  outcome.wantsMacros = found.wantsMacros;
  outcome.wantedMacros |= found.wantsMacros;
  if (found.wantsMacros) macrosAreWanted_ = true;
  const bool keepsMacros = file.kind == FileKind::Source && !options_.macros && macrosAreWanted_;
  if (keepsMacros && !outcome.macros) outcome.macros = macroNamesOf(text);
  if (outcome.meaning) dropOwn(*outcome.meaning, found);
  if (!options_.symbols) outcome.definitions = found.definitions;
  if (writes && found.edits.empty()) destination_.put({file, file.target, text, text, status});
  if ((writes && !found.edits.empty()) || (arguments_.semantic && !builds)) {
    std::string ported = applyEdits(text, found.edits);
    if (writes && !found.edits.empty()) destination_.put({file, file.target, text, ported, status});
    if (arguments_.semantic && !builds) {
      for (Finding& finding : auditWords(text)) found.findings.push_back(std::move(finding));
      std::vector<RecordedEdit> edits = recordOf({}, text, found.edits).edits;
      if (!outcome.meaning) outcome.meaning = std::make_unique<Meaning>();
      outcome.meaning->input = {&file, std::string(text), std::move(ported), std::move(edits)};
    }
  }
  if (arguments_.mode == Mode::Diff) {
    outcome.diff = unifiedDiff(std::string(file.relative), std::string(file.target), text, found.edits);
  }
  if (arguments_.record && !arguments_.reverse && writes) {
    outcome.recorded = record(file, text, found.edits);
  }
  outcome.report = reportOf(file, text, std::move(found), arguments_.wantsAll());
  outcome.ownFindings = outcome.report.findings.size();
  if (seen_) outcome.sourceHash = hashOf(text);
}

/// Undoes earlier ports; false if there are none to undo.
bool FilePorter::restore(const ProjectFile& file, std::string_view text, const struct stat& status,
                         Outcome& outcome) {
  const auto before = history_.undo(file, text);
  if (!before) return false;
  destination_.put({file, before->name, text, before->text, status});
  outcome.report = reportOf(file, text, {}, false);
  outcome.report.edits = before->edits;
  outcome.report.restored = before->name.string();
  if (arguments_.mode == Mode::Diff) {
    const std::vector<Edit> whole = {{0, static_cast<std::uint32_t>(text.size()), before->text}};
    outcome.diff = unifiedDiff(std::string(file.relative), before->name.string(), text,
                               before->text == text ? std::vector<Edit>() : whole);
  }
  return true;
}

}  // namespace musashim::translator
