// Inputs => project => each file ported into a transaction => commit => report.

#include "translator/tool/run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "translator/lib/build/build.h"
#include "translator/lib/names/symbols.h"
#include "translator/lib/parallel.h"
#include "translator/lib/port.h"
#include "translator/lib/project_macros.h"
#include "translator/lib/report/availability.h"
#include "translator/lib/report/report.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/project.h"
#include "translator/tool/again/seen.h"
#include "translator/tool/console.h"
#include "translator/tool/destination.h"
#include "translator/tool/file_porter.h"
#include "translator/tool/history.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/progress.h"
#include "translator/tool/report_files.h"
#include "translator/tool/semantic.h"

namespace musashim::translator {
namespace {

class Run {
 public:
  explicit Run(const Arguments& arguments)
      : arguments_(arguments), progress_(!arguments.quiet), options_(arguments.port) {
    if (arguments.cudaFace) addFaceRules(rules_);
    for (const std::filesystem::path& file : arguments.rules) loadRules(file, rules_);
    const bool hasRules = arguments.cudaFace || !arguments.rules.empty();
    if (arguments.reverse || hasRules) {
      ownLexicon_.emplace(arguments.reverse ? Direction::ToCuda : Direction::ToMusa,
                          hasRules ? &rules_ : nullptr);
      options_.lexicon = &*ownLexicon_;
      options_.prefilter = &ownPrefilter_.emplace(*ownLexicon_);
    }
    options_.keepFileNames = arguments.asGiven;
    if (arguments.onlyRules) options_.onlyRules = &rules_;
    options_.countOnly = !arguments.wantsAll();
    if (arguments.semantic || arguments.sdk != 0 || !arguments.targets.empty()) {
      availability_.emplace(
          arguments.sdk, arguments.targets.empty() ? std::vector<const Target*>() : chosenTargets(arguments));
      options_.availability = &*availability_;
    }
    threads_ = arguments.threads ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  }

  int operator()() {
    destination_.choose();
    const Project& project = project_.emplace(
        Project::collect(arguments_.inputs, {arguments_.excludes, destination_.output(), options_.lexicon,
                                             arguments_.cudaFace, arguments_.asGiven, threads_}));
    history_.read(project);
    destination_.begin(project);
    portAll(project);
    writeRecord(project);
    stopIfInterrupted();
    progress_.clear();
    const std::vector<std::string> conflicts = destination_.commit();
    for (const std::string& line : conflicts) print(stderr, line + "\n");
    report_.addSkipped(project.skipped());
    writeReports(arguments_, report_);
    tell(arguments_, report_, semantic_);
    return conflicts.empty() ? exitCodeOf(arguments_, report_) : kExitUnported;
  }

 private:
  void portAll(const Project& project) {
    const auto& files = project.files();
    outcomes_.resize(files.size());
    BuildFacts facts = factsOf(project);
    if (arguments_.update && !arguments_.semantic && project.root())
      porter_.setSeen(&seen_.emplace(arguments_, project, facts, destination_.output()));
    porter_.setFacts(std::move(facts));
    std::atomic<std::size_t> done{0};
    parallelFor(files.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      if (!porter_.recall(project, files[i], outcomes_[i])) porter_.handle(project, files[i], outcomes_[i]);
      progress_.show(++done, files.size(), files[i].relative);
    });
    learnMacros(project);
    if (seen_ && !seen_->agrees(learnt())) portSeen(project);
    portMacroArguments(project);
    keepUserSymbols(project);
    if (arguments_.semantic) askClang(project);
    reportCollisions(project);
    if (seen_) destination_.own(kSeenName, seen_->text(project, outcomes_, learnt()));
    report_ = Report(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (arguments_.mode == Mode::Diff) print(stdout, outcomes_[i].diff);
      report_.add(std::move(outcomes_[i].report));
    }
  }

  BuildFacts factsOf(const Project& project) {
    struct BuildFile {
      const ProjectFile* file;
      std::string text;
      struct stat status{};
      BuildFacts facts;
    };
    std::vector<BuildFile> builds;
    for (const ProjectFile& file : project.files()) {
      if (file.kind == FileKind::Build) builds.push_back({&file, {}, {}, {}});
    }
    parallelFor(builds.size(), threads_, [&](std::size_t i) {
      thread_local FileBuffer buffer;
      BuildFile& build = builds[i];
      build.text = buffer.read(build.file->source.data(), &build.status, project.root());
      collectBuildFacts(build.file->relative, build.text, build.facts);
    });
    BuildFacts facts;
    for (BuildFile& build : builds) {
      facts.targets.merge(build.facts.targets);
      facts.torch = facts.torch || build.facts.torch;
      porter_.keep(*build.file, std::move(build.text), build.status);
    }
    return facts;
  }

  void learnMacros(const Project& project) {
    const auto wants = [](const Outcome& outcome) { return outcome.wantedMacros; };
    if (std::none_of(outcomes_.begin(), outcomes_.end(), wants)) return;
    const auto& files = project.files();
    static const MacroNames kNone;
    std::vector<const MacroNames*> names(files.size(), &kNone);
    parallelFor(files.size(), threads_, [&](std::size_t i) {
      if (files[i].kind != FileKind::Source) return;
      thread_local FileBuffer buffer;
      std::optional<MacroNames>& macros = outcomes_[i].macros;
      if (!macros) macros = macroNamesOf(buffer.read(files[i].source.data(), nullptr, project.root()));
      names[i] = &*macros;
    });
    macros_.emplace(names, threads_, [&](std::size_t i) {
      thread_local FileBuffer buffer;
      return macrosOf(buffer.read(files[i].source.data(), nullptr, project.root()));
    });
  }

  /// What files depend on besides themselves.
  Definitions learnt() {
    std::vector<FileDefinitions> found;
    for (const Outcome& outcome : outcomes_) {
      if (!outcome.definitions.empty())
        found.push_back({std::string(outcome.report.file->relative), outcome.definitions});
    }
    if (macros_ && !allMacros_) allMacros_ = macros_->all(threads_);
    static const std::pair<PastingMacros, TextMacros> kNone;
    const auto& [pasting, texts] = allMacros_ ? *allMacros_ : kNone;
    return {found.empty() ? UserSymbols() : symbolsOf(found, *options_.lexicon), &pasting, &texts};
  }

  /// The project does not define what it did, so what was seen of its files does not hold.
  void portSeen(const Project& project) {
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      if (!outcomes_[i].seen) return;
      outcomes_[i] = Outcome();
      porter_.handle(project, project.files()[i], outcomes_[i]);
    });
  }

  /// What gives half of a name to a macro of another file is ported again, with all macros known.
  void portMacroArguments(const Project& project) {
    if (!macros_ || macros_->empty()) return;
    options_.macros = &*macros_;
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      if (outcomes_[i].wantsMacros && !outcomes_[i].seen)
        porter_.port(project, project.files()[i], outcomes_[i]);
    });
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
    symbols_ = symbolsOf(found, *options_.lexicon);
    std::uint64_t bits = 0;
    for (const std::string& name : symbols_.plain) bits |= nameBit(name);
    for (const auto& [name, spaces] : symbols_.spaces) bits |= nameBit(name);
    options_.symbols = &symbols_;
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      stopIfInterrupted();
      const ProjectFile& file = project.files()[i];
      const bool local = symbols_.local.contains(file.relative);
      if (file.kind == FileKind::Source && !outcomes_[i].seen && (local || (outcomes_[i].names & bits)))
        porter_.port(project, file, outcomes_[i]);
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
      if (!outcome.meaning->ownPlaces.empty() || (outcome.names & bits)) porter_.port(project, file, outcome);
      addFindings(file, outcome, std::move(answer.findings[k]));
    }
    answer.findings.clear();
    semantic_ = std::move(answer);
  }

  void reportCollisions(const Project& project) {
    const auto cudaNameOf = [](const Definition& definition) -> std::string_view {
      KnownName name;
      const bool isOurs = definition.kind == Definition::Kind::Target && findTarget(definition.name, name);
      return isOurs ? name.target : std::string_view();
    };
    std::set<std::string_view> wanted;
    for (const Outcome& outcome : outcomes_) {
      for (const Definition& definition : outcome.definitions) wanted.insert(cudaNameOf(definition));
    }
    wanted.erase(std::string_view());
    if (wanted.empty()) return;
    const std::set<std::string_view> used = usedOf(wanted, project);
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      std::vector<Finding> findings;
      for (const Definition& definition : outcomes_[i].definitions) {
        if (const std::string_view name = cudaNameOf(definition); used.contains(name))
          findings.push_back(collision(definition, name));
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
    // Compared capabilities are told by words as well.
    std::erase_if(more.findings, [&](const PlacedFinding& one) {
      return one.finding.library == "capability" &&
             std::any_of(all.begin(), all.end(), [&](const PlacedFinding& other) {
               return other.finding.library == one.finding.library && other.place.line == one.place.line;
             });
    });
    all.insert(all.end(), std::make_move_iterator(more.findings.begin()),
               std::make_move_iterator(more.findings.end()));
  }

  /// Those of the names that a file has for what they are in CUDA.
  std::set<std::string_view> usedOf(const std::set<std::string_view>& names, const Project& project) {
    std::uint64_t bits = 0;
    for (const std::string_view name : names) bits |= nameBit(name);
    PortOptions options = options_;
    options.countOnly = false;
    std::set<std::string_view> used;
    std::mutex mutex;
    parallelFor(outcomes_.size(), threads_, [&](std::size_t i) {
      if ((outcomes_[i].names & bits) == 0) return;
      const ProjectFile& file = project.files()[i];
      const Match ported = findEdits(readFile(file.source), options, FileView(project, file));
      for (const Finding& finding : ported.findings) {
        if (finding.kind != FindingKind::Name) continue;
        const auto name = names.find(finding.subject);
        if (name == names.end()) continue;
        const std::lock_guard lock(mutex);
        used.insert(*name);
      }
    });
    return used;
  }

  /// One record at the root of what is written.
  void writeRecord(const Project& project) {
    if (arguments_.reverse || !arguments_.record || !destination_.takesRecord()) return;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      if (outcomes_[i].recorded) history_.add(project.files()[i], *std::move(outcomes_[i].recorded));
    }
    if (history_.empty() || (!history_.changed() && arguments_.mode == Mode::InPlace)) return;
    destination_.putRecord(history_.text());
  }

  const Arguments& arguments_;
  Progress progress_;
  PortOptions options_;
  RuleSet rules_;
  std::optional<Lexicon> ownLexicon_;  // of another direction, or with rules
  std::optional<Prefilter> ownPrefilter_;
  unsigned threads_ = 1;
  std::optional<Project> project_;
  Destination destination_{arguments_};
  History history_;
  FilePorter porter_{arguments_, options_, history_, destination_};
  UserSymbols symbols_;
  std::optional<ProjectMacros> macros_;  // when some file depends on those of others
  std::optional<std::pair<PastingMacros, TextMacros>> allMacros_;
  std::optional<Availability> availability_;
  std::vector<Outcome> outcomes_;
  std::optional<Seen> seen_;  // of --update
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
