// Inputs => project => each file ported into a transaction => commit => report.

#include "translator/tool/run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "translator/lib/edit/apply.h"
#include "translator/lib/error.h"
#include "translator/lib/lex/scan.h"
#include "translator/lib/match/pasting.h"
#include "translator/lib/names/symbols.h"
#include "translator/lib/parallel.h"
#include "translator/lib/port.h"
#include "translator/lib/report/audit.h"
#include "translator/lib/report/availability.h"
#include "translator/lib/report/diff.h"
#include "translator/lib/report/report.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/project.h"
#include "translator/lib/tree/record.h"
#include "translator/lib/tree/transaction.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/progress.h"
#include "translator/tool/semantic.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

void print(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0) {
    throw systemError(stream == stdout ? "standard output" : "standard error", "write", errno);
  }
}

fs::path absoluteNormal(const fs::path& path) {
  if (path.empty()) return {};
  fs::path result = fs::weakly_canonical(fs::absolute(path));
  if (!result.has_filename()) result = result.parent_path();
  return result;
}

bool isAncestorOrSame(const fs::path& folder, const fs::path& path) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

/// Does -o name the one file to write, rather than a folder?
bool outputIsFile(const Arguments& arguments) {
  return arguments.inputs.size() == 1 && fs::is_regular_file(arguments.inputs[0]) &&
         arguments.output.has_filename() && !fs::is_directory(arguments.output);
}

void checkOutput(const Arguments& arguments, const fs::path& output) {
  for (const fs::path& input : arguments.inputs) {
    const fs::path source = absoluteNormal(input);
    if (isAncestorOrSame(output, source)) {
      throw PortError(arguments.output.string() + ": is or contains the input " + input.string() +
                      "; choose another output, or use --in-place");
    }
  }
  if (arguments.force) return;
  const bool emptyFolder = fs::is_directory(output) && fs::is_empty(output);
  if (fs::exists(fs::symlink_status(output)) && !emptyFolder) {
    throw PortError(arguments.output.string() + ": exists; remove it, choose another output, or use --force");
  }
}

/// Of a file that clang is asked about.
struct Meaning {
  SemanticInput input;
  std::set<std::uint32_t> ownPlaces;  // names there are the project's
};

/// What became of one file.
struct Outcome {
  FileReport report;
  std::vector<Definition> definitions;
  std::uint64_t names = 0;
  bool wantsMacros = false;
  std::unique_ptr<RecordedFile> recorded;
  std::string diff;
  std::unique_ptr<Meaning> meaning;
};

class Run {
 public:
  explicit Run(const Arguments& arguments)
      : arguments_(arguments), progress_(!arguments.quiet), options_(arguments.port) {
    for (const fs::path& file : arguments.rules) loadRules(file, rules_);
    if (arguments.reverse || !arguments.rules.empty()) {
      ownLexicon_.emplace(arguments.reverse ? Direction::ToCuda : Direction::ToMusa,
                          arguments.rules.empty() ? nullptr : &rules_);
      options_.lexicon = &*ownLexicon_;
      options_.prefilter = &ownPrefilter_.emplace(*ownLexicon_);
    }
    lexicon_ = options_.lexicon;
    options_.countOnly = arguments.summary != SummaryFormat::Json;
    if (arguments.semantic || arguments.sdk != 0 || !arguments.targets.empty()) {
      availability_.emplace(
          arguments.sdk, arguments.targets.empty() ? std::vector<const Target*>() : chosenTargets(arguments));
      options_.availability = &*availability_;
    }
    threads_ = arguments.threads ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  }

  int operator()() {
    output_ = absoluteNormal(arguments_.output);
    if (arguments_.mode == Mode::Write) checkOutput(arguments_, output_);
    single_ = arguments_.mode == Mode::Write && outputIsFile(arguments_);
    const Project project = Project::collect(arguments_.inputs, {arguments_.excludes, output_, lexicon_});
    readRecords(project);
    const bool whole =
        arguments_.mode == Mode::Write && !single_ && (!fs::exists(output_) || fs::is_empty(output_));
    if (whole) transaction_.createWhole(output_);
    if (arguments_.mode == Mode::Write) {
      for (const fs::path& folder : project.emptyFolders()) transaction_.folder(output_ / folder);
    }
    portAll(project);
    writeRecord(project);
    stopIfInterrupted();
    progress_.clear();
    transaction_.commit();
    report_.addSkipped(project.skipped());
    tell();
    return arguments_.strict && report_.unported() > 0 ? kExitUnported : kExitDone;
  }

 private:
  // --- all files ----------------------------------------------------------------------------------

  void portAll(const Project& project) {
    const auto& files = project.files();
    outcomes_.resize(files.size());
    std::atomic<std::size_t> done{0};
    parallelFor(files.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      handle(project, files[i], outcomes_[i]);
      progress_.show(++done, files.size(), files[i].relative);
    });
    portMacroArguments(project);
    keepUserSymbols(project);
    if (arguments_.semantic) askClang(project);
    reportCollisions(project);
    report_ = Report(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (arguments_.mode == Mode::Diff) print(stdout, outcomes_[i].diff);
      report_.add(std::move(outcomes_[i].report));
    }
  }

  void handle(const Project& project, const ProjectFile& file, Outcome& outcome) {
    if (file.kind == FileKind::Source) return port(project, file, outcome);
    outcome.report = reportOf(file, {}, {}, false);
    // So that --reverse leaves it alone.
    if (file.kind == FileKind::Native && arguments_.record && !arguments_.reverse) {
      outcome.recorded = record(file, readFile(file.source), {});
    }
    if (arguments_.mode != Mode::Write || file.kind == FileKind::Record) return;
    if (file.kind == FileKind::Link) return link(file);
    transaction_.copy(placeOf(file), file.source);
  }

  void port(const Project& project, const ProjectFile& file, Outcome& outcome) {
    thread_local FileBuffer buffer;
    struct stat status{};
    // Who writes nothing needs no stamp.
    const bool writes = arguments_.mode == Mode::Write || arguments_.mode == Mode::InPlace;
    const std::string_view text = buffer.read(file.source.data(), writes ? &status : nullptr, project.root());
    if (arguments_.reverse && restore(file, text, status, outcome)) return;
    PortOptions options = options_;
    if (const auto local = symbols_.local.find(file.relative); local != symbols_.local.end())
      options.localSymbols = &local->second;
    Match found = findEdits(text, options, FileView(project, file));
    outcome.names = found.names;
    outcome.wantsMacros = found.wantsMacros;
    if (outcome.meaning) dropOwn(*outcome.meaning, found);
    if (!options_.symbols) outcome.definitions = found.definitions;
    if (writes && found.edits.empty()) put(file, file.target, text, text, status);
    if ((writes && !found.edits.empty()) || arguments_.semantic) {
      std::string ported = applyEdits(text, found.edits);
      if (writes && !found.edits.empty()) put(file, file.target, text, ported, status);
      if (arguments_.semantic) {
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
    outcome.report = reportOf(file, text, std::move(found), arguments_.summary == SummaryFormat::Json);
  }

  static std::unique_ptr<RecordedFile> record(const ProjectFile& file, std::string_view original,
                                              const std::vector<Edit>& edits) {
    return std::make_unique<RecordedFile>(recordOf(std::string(file.relative), original, edits));
  }

  static void dropOwn(const Meaning& meaning, Match& found) {
    std::erase_if(found.edits, [&](const Edit& edit) { return meaning.ownPlaces.contains(edit.begin); });
    std::erase_if(found.findings, [&](const Finding& finding) {
      return finding.kind == FindingKind::Name && meaning.ownPlaces.contains(finding.begin);
    });
  }

  /// What gives half of a name to a macro of another file is ported again, with all macros known.
  void portMacroArguments(const Project& project) {
    const auto wants = [](const Outcome& outcome) { return outcome.wantsMacros; };
    if (std::none_of(outcomes_.begin(), outcomes_.end(), wants)) return;
    for (const ProjectFile& file : project.files()) {
      if (file.kind == FileKind::Source) collectMacros(file);
    }
    options_.pasting = &macros_;
    if (macros_.empty()) return;
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      if (outcomes_[i].wantsMacros) port(project, project.files()[i], outcomes_[i]);
    });
  }

  void collectMacros(const ProjectFile& file) {
    FileBuffer buffer;
    const std::string_view text = buffer.read(file.source.data());
    if (text.find("##") == std::string_view::npos || text.find('\0') != std::string_view::npos) return;
    TokenStream stream;
    scan(text, stream);
    addPastingMacros(text, stream.tokens, macros_);
  }

  /// Names that the project has for itself stay in all its files; those that hold one are ported again.
  void keepUserSymbols(const Project& project) {
    if (arguments_.reverse) return;
    std::vector<FileDefinitions> found;
    std::vector<std::size_t> where(outcomes_.size());  // in `found`, from 1
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (outcomes_[i].definitions.empty()) continue;
      found.push_back({std::string(project.files()[i].relative), outcomes_[i].definitions});
      where[i] = found.size();
    }
    if (found.empty()) return;
    symbols_ = symbolsOf(found, *lexicon_);
    std::uint64_t bits = 0;
    for (const std::string& name : symbols_.plain) bits |= nameBit(name);
    for (const auto& [name, spaces] : symbols_.spaces) bits |= nameBit(name);
    options_.symbols = &symbols_;
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      const ProjectFile& file = project.files()[i];
      const bool local = symbols_.local.contains(file.relative);
      if (file.kind == FileKind::Source && (local || (outcomes_[i].names & bits)))
        port(project, file, outcomes_[i]);
      if (where[i] > 0) addFindings(file, outcomes_[i], findingsOf(found[where[i] - 1], symbols_));
    });
  }

  void askClang(const Project& project) {
    std::vector<SemanticInput> inputs;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (!outcomes_[i].meaning) continue;
      inputs.push_back(std::move(outcomes_[i].meaning->input));
      indices.push_back(i);
    }
    SemanticOutcome answer = runSemantic(arguments_, options_, project, inputs, threads_);
    std::uint64_t bits = 0;
    for (const std::string& name : answer.ownNames) {
      bits |= nameBit(name);
      symbols_.plain.insert(name);
    }
    options_.symbols = &symbols_;
    for (std::size_t k = 0; k < indices.size(); ++k) {
      Outcome& outcome = outcomes_[indices[k]];
      const ProjectFile& file = project.files()[indices[k]];
      outcome.meaning->ownPlaces = std::move(answer.ownPlaces[k]);
      if (!outcome.meaning->ownPlaces.empty() || (outcome.names & bits)) port(project, file, outcome);
      addFindings(file, outcome, std::move(answer.findings[k]));
    }
    answer.findings.clear();
    semantic_ = std::move(answer);
  }

  void reportCollisions(const Project& project) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      std::vector<Finding> findings;
      for (const Definition& definition : outcomes_[i].definitions) {
        KnownName name;
        if (definition.kind != Definition::Kind::Target || !findTarget(definition.name, name)) continue;
        if (isUsed(project, name.target)) findings.push_back(collision(definition, name.target));
      }
      addFindings(project.files()[i], outcomes_[i], std::move(findings));
    }
  }

  static void addFindings(const ProjectFile& file, Outcome& outcome, std::vector<Finding> findings) {
    if (findings.empty()) return;
    Match match;
    match.findings = std::move(findings);
    FileReport more = reportOf(file, readFile(file.source), std::move(match), true);
    auto& all = outcome.report.findings;
    all.insert(all.end(), std::make_move_iterator(more.findings.begin()),
               std::make_move_iterator(more.findings.end()));
  }

  bool isUsed(const Project& project, std::string_view name) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (!(outcomes_[i].names & nameBit(name))) continue;
      const ProjectFile& file = project.files()[i];
      PortOptions options = options_;
      options.countOnly = false;
      const Match ported = findEdits(readFile(file.source), options, FileView(project, file));
      for (const Finding& finding : ported.findings) {
        if (finding.kind == FindingKind::Name && finding.subject == name) return true;
      }
    }
    return false;
  }

  // --- one file -----------------------------------------------------------------------------------

  /// A link's target that is renamed itself is followed by name.
  void link(const ProjectFile& file) {
    const fs::path target = fs::read_symlink(file.source);
    const Direction direction = lexicon_->direction();
    if (arguments_.force) std::remove(placeOf(file).c_str());
    transaction_.link(placeOf(file), kindOf(target.native(), direction) == FileKind::Source
                                         ? fs::path(portedName(target.native(), direction))
                                         : target);
  }

  fs::path placeOf(const ProjectFile& file) const { return single_ ? output_ : output_ / file.target; }

  /// Writes the ported text to where the mode wants it. `target`: its name below the output.
  void put(const ProjectFile& file, const fs::path& target, std::string_view original, std::string_view text,
           const struct stat& status) {
    if (arguments_.mode == Mode::InPlace) return replace(file, target, original, text, status);
    if (arguments_.mode != Mode::Write) return;
    writeTo(single_ ? output_ : output_ / target, {status.st_mode, status.st_mtim}, text);
  }

  void writeTo(const fs::path& path, const FileStamp& stamp, std::string_view bytes) {
    if (arguments_.force && fs::is_directory(fs::symlink_status(path))) {
      throw PortError(path.string() +
                      ": is a folder, but a file goes there; remove it or choose another output");
    }
    transaction_.write(path, stamp, [&](const Transaction::Sink& sink) { sink(bytes); });
  }

  void replace(const ProjectFile& file, const fs::path& name, std::string_view original,
               std::string_view text, const struct stat& status) {
    const bool renames = name != file.relative;
    const bool changed = text.data() != original.data() && text != original;
    if (!changed && !renames) return;
    const fs::path source(file.source);
    const fs::path target = source.parent_path() / name.filename();
    if (renames && fs::exists(target) && !arguments_.force) {
      throw PortError(target.string() + ": exists, and " + source.filename().string() +
                      " would become it; remove one of them, or use --force");
    }
    if (arguments_.backup) backup(file, original, status);
    // A changed file is newer than what was built from it; a renamed one is not.
    writeTo(target, changed ? FileStamp(status.st_mode) : FileStamp(status.st_mode, status.st_mtim), text);
    if (renames && !options_.symbols) transaction_.remove(file.source);
  }

  void backup(const ProjectFile& file, std::string_view original, const struct stat& status) {
    fs::path place = std::string(file.source) + ".orig";
    if (!arguments_.backupFolder.empty()) place = absoluteNormal(arguments_.backupFolder) / file.relative;
    if (fs::exists(place) && !arguments_.force) {
      throw PortError(place.string() +
                      ": exists; remove this old backup, or use --backup-dir, --no-backup or --force");
    }
    writeTo(place, {status.st_mode, status.st_mtim}, original);
  }

  // --- the record ---------------------------------------------------------------------------------

  void readRecords(const Project& project) {
    for (const ProjectFile& file : project.files()) {
      if (file.kind != FileKind::Record) continue;
      auto record = Record::parse(readFile(file.source));
      if (!record)
        throw PortError(std::string(file.source) +
                        ": is no record of musaport, or is damaged; remove it to go on without");
      const fs::path folder = fs::path(file.relative).parent_path();
      for (auto& [target, ports] : record->files)
        records_.files[(folder / target).string()] = std::move(ports);
    }
  }

  /// Undoes the recorded ports of a file, newest first; false if it was never ported, or changed since.
  bool restore(const ProjectFile& file, std::string_view text, const struct stat& status, Outcome& outcome) {
    const auto entry = records_.files.find(std::string(file.relative));
    if (entry == records_.files.end()) return false;
    std::string current(text);
    fs::path name = file.relative;
    std::size_t edits = 0;
    for (auto port = entry->second.rbegin(); port != entry->second.rend(); ++port) {
      auto before = restored(*port, current);
      if (!before) return false;
      const fs::path source = fs::path(port->source).lexically_normal();
      if (source.is_absolute() || source.filename().empty() || *source.begin() == "..") return false;
      current = *std::move(before);
      name = name.parent_path() / source.filename();
      edits += port->edits.size();
    }
    put(file, name, text, current, status);
    outcome.report = reportOf(file, text, {}, false);
    outcome.report.edits = edits;
    outcome.report.restored = name.string();
    if (arguments_.mode == Mode::Diff) {
      const std::vector<Edit> whole = {{0, static_cast<std::uint32_t>(text.size()), current}};
      outcome.diff = unifiedDiff(std::string(file.relative), name.string(), text,
                                 current == text ? std::vector<Edit>() : whole);
    }
    return true;
  }

  /// One record at the root of what is written.
  void writeRecord(const Project& project) {
    const bool writes = arguments_.mode == Mode::Write || arguments_.mode == Mode::InPlace;
    if (!writes || single_ || arguments_.reverse || !arguments_.record) return;
    if (arguments_.mode == Mode::InPlace &&
        (arguments_.inputs.size() != 1 || !fs::is_directory(arguments_.inputs[0])))
      return;
    bool changed = false;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (!outcomes_[i].recorded) continue;
      const ProjectFile& file = project.files()[i];
      auto& ports = records_.files[std::string(file.target)];
      // What an earlier port left and this one did not touch keeps its history.
      if (outcomes_[i].recorded->edits.empty() && file.target == file.relative && !ports.empty()) continue;
      if (file.target != file.relative) ports.clear();
      ports.push_back(*std::move(outcomes_[i].recorded));
      changed = true;
    }
    const fs::path root = arguments_.mode == Mode::Write ? output_ : absoluteNormal(arguments_.inputs[0]);
    if (records_.files.empty() || (!changed && arguments_.mode == Mode::InPlace)) return;
    const std::string text = records_.text();
    writeTo(root / kRecordName, {0644}, text);
  }

  void tell() const {
    if (arguments_.verbose) {
      for (const FileReport& file : report_.files()) {
        print(stderr, std::string(file.file->relative) + " -> " + std::string(file.target()) + ": " +
                          std::to_string(file.edits) + " edits\n");
      }
    }
    if (!arguments_.quiet || arguments_.listUnported)
      print(stderr, report_.diagnostics(arguments_.listUnported));
    if (arguments_.semantic && !arguments_.quiet) tellMeaning();
    if (arguments_.summary == SummaryFormat::None) return;
    // The diff owns standard output.
    std::FILE* stream = arguments_.mode == Mode::Diff ? stderr : stdout;
    if (arguments_.summary == SummaryFormat::Json) return print(stream, report_.json());
    if (!arguments_.quiet) print(stream, report_.text());
  }

  void tellMeaning() const {
    for (const std::string& remark : semantic_.remarks) print(stderr, remark + "\n");
    const std::size_t all = semantic_.understood + semantic_.inPart + semantic_.notUnderstood;
    print(stderr, std::to_string(semantic_.understood) + " of " + std::to_string(all) +
                      " compilations without an error, " + std::to_string(semantic_.inPart) +
                      " understood in part, " + std::to_string(semantic_.notUnderstood) +
                      " not understood\n");
  }

  const Arguments& arguments_;
  Progress progress_;
  PortOptions options_;
  RuleSet rules_;
  std::optional<Lexicon> ownLexicon_;  // of another direction, or with rules
  std::optional<Prefilter> ownPrefilter_;
  const Lexicon* lexicon_ = nullptr;
  unsigned threads_ = 1;
  bool single_ = false;
  fs::path output_;
  Transaction transaction_;
  UserSymbols symbols_;
  PastingMacros macros_;
  std::optional<Availability> availability_;
  Record records_;
  std::vector<Outcome> outcomes_;
  SemanticOutcome semantic_;
  Report report_;
};

}  // namespace

int run(const Arguments& arguments) {
  auto job = std::make_unique<Run>(arguments);
  const int code = (*job)();
  // What is done needs no tidying up: the process ends.
  static const Run* const kept = job.release();
  static_cast<void>(kept);
  return code;
}

}  // namespace musashim::translator
