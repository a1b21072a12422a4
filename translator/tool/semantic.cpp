#include "translator/tool/semantic.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "translator/lib/compile_commands.h"
#include "translator/lib/error.h"
#include "translator/tool/interrupt.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

fs::path ownFolder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

SemanticEntry loadModule() {
  const fs::path folder = ownFolder();
  for (const fs::path& path :
       {folder / "musaport-semantic.so", folder.parent_path() / "lib/musashim/musaport-semantic.so"}) {
    if (!fs::exists(path)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) throw PortError(path.string() + ": cannot load: " + dlerror());
    if (void* entry = dlsym(module, kSemanticEntry)) return reinterpret_cast<SemanticEntry>(entry);
  }
  throw PortError(
      "--semantic: musaport-semantic.so is not installed beside musaport; build with MUSASHIM_BUILD_MCC");
}

fs::path findSdk(const Arguments& arguments) {
  std::vector<fs::path> candidates;
  if (!arguments.musaPath.empty()) candidates.push_back(arguments.musaPath);
  candidates.push_back(ownFolder().parent_path());
  for (const char* variable : {"MUSA_HOME", "MUSA_PATH"}) {
    if (const char* value = std::getenv(variable)) candidates.emplace_back(value);
  }
  for (const fs::path& candidate : candidates) {
    if (fs::exists(candidate / "include/musa_runtime.h")) return fs::absolute(candidate).lexically_normal();
    if (!arguments.musaPath.empty()) break;
  }
  throw PortError((arguments.musaPath.empty() ? std::string("--semantic") : arguments.musaPath.string()) +
                  ": no MUSA SDK with include/musa_runtime.h; say where it is by --musa-path");
}

std::uint32_t originalOffset(const SemanticInput& input, std::uint32_t ported) {
  std::int64_t shift = 0;
  for (const RecordedEdit& edit : input.edits) {
    if (edit.begin > ported) break;
    if (ported < edit.begin + edit.length) return static_cast<std::uint32_t>(edit.begin + shift);
    shift += static_cast<std::int64_t>(edit.original.size()) - static_cast<std::int64_t>(edit.length);
  }
  return static_cast<std::uint32_t>(ported + shift);
}

const RecordedEdit* editAt(const SemanticInput& input, std::uint32_t ported) {
  const auto found =
      std::lower_bound(input.edits.begin(), input.edits.end(), ported,
                       [](const RecordedEdit& edit, std::uint32_t place) { return edit.begin < place; });
  return found != input.edits.end() && found->begin == ported ? &*found : nullptr;
}

bool isUnit(const fs::path& target) {
  const std::string suffix = target.extension().string();
  return suffix == ".mu" || suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" || suffix == ".c";
}

std::vector<CompileCommand> commandsOf(const Arguments& arguments) {
  if (arguments.compileCommands.empty()) return {};
  const fs::path path = fs::is_directory(arguments.compileCommands)
                            ? arguments.compileCommands / "compile_commands.json"
                            : arguments.compileCommands;
  return readCompileCommands(path);
}

void addUnits(const Arguments& arguments, const Project& project, const std::vector<SemanticInput>& inputs,
              SemanticRequest& request) {
  std::map<std::string_view, std::size_t> bySource;
  for (std::size_t i = 0; i < inputs.size(); ++i) bySource.emplace(inputs[i].file->source, i);
  std::vector<std::string> extra;
  for (const fs::path& folder : arguments.includes)
    extra.insert(extra.end(), {"-I", fs::absolute(folder).lexically_normal().string()});
  const auto add = [&](std::size_t file, std::vector<std::string> kept) {
    const fs::path target = inputs[file].file->target;
    kept.insert(kept.end(), extra.begin(), extra.end());
    request.units.push_back({file, std::move(kept), target.extension() == ".mu"});
  };
  if (!arguments.compileCommands.empty()) {
    std::set<std::size_t> added;
    for (CompileCommand& command : commandsOf(arguments)) {
      std::error_code ignored;
      const auto found = bySource.find(fs::weakly_canonical(command.file, ignored).string());
      if (found != bySource.end() && added.insert(found->second).second)
        add(found->second, std::move(command.arguments));
    }
    return;
  }
  std::vector<std::string> guessed;
  for (const std::string& folder : project.includeFolders()) guessed.insert(guessed.end(), {"-I", folder});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!isUnit(inputs[i].file->target)) continue;
    std::vector<std::string> kept = guessed;
    if (!inputs[i].file->target.ends_with(".c")) kept.emplace_back("-std=gnu++17");
    add(i, std::move(kept));
  }
}

bool stopped() {
  try {
    stopIfInterrupted();
    return false;
  } catch (const Interrupted&) {
    return true;
  }
}

SemanticRequest requestOf(const Arguments& arguments, const Project& project,
                          const std::vector<SemanticInput>& inputs, unsigned threads) {
  SemanticRequest request;
  for (const SemanticInput& input : inputs) {
    SemanticFile file{
        (fs::path(input.file->source).parent_path() / fs::path(input.file->target).filename()).string(),
        input.ported,
        {}};
    for (const RecordedEdit& edit : input.edits) file.names.push_back(edit.begin);
    request.files.push_back(std::move(file));
  }
  for (const Target* target : chosenTargets(arguments)) {
    request.targets.push_back(
        {target->name.data(), target->architecture, target->warp, target->shared, target->threads});
  }
  const fs::path sdk = findSdk(arguments);
  request.include = (sdk / "include").string();
  const fs::path prelude = sdk / "lib/musashim/include/mcc_prelude.h";
  if (fs::exists(prelude)) request.prelude = prelude.string();
  request.clang = MUSAPORT_CLANG;
  request.threads = threads;
  request.stopped = stopped;
  addUnits(arguments, project, inputs, request);
  return request;
}

/// A name whose every use that clang saw is the project's is so everywhere, also where clang did not look.
void sortOwn(const SemanticResult& result, const std::vector<SemanticInput>& inputs,
             SemanticOutcome& outcome) {
  std::set<std::string> api;
  for (const SemanticPlace& place : result.api) {
    if (const RecordedEdit* edit = editAt(inputs[place.file], place.offset)) api.insert(edit->original);
  }
  for (const SemanticPlace& place : result.own) {
    const RecordedEdit* edit = editAt(inputs[place.file], place.offset);
    if (!edit) continue;
    if (api.contains(edit->original)) {
      outcome.ownPlaces[place.file].insert(originalOffset(inputs[place.file], place.offset));
    } else {
      outcome.ownNames.insert(edit->original);
    }
  }
}

}  // namespace

std::vector<const Target*> chosenTargets(const Arguments& arguments) {
  std::vector<const Target*> chosen;
  for (const Target& target : targets()) {
    const bool wanted =
        arguments.targets.empty() ||
        std::find(arguments.targets.begin(), arguments.targets.end(), target.name) != arguments.targets.end();
    if (wanted) chosen.push_back(&target);
  }
  return chosen;
}

SemanticOutcome runSemantic(const Arguments& arguments, const Project& project,
                            const std::vector<SemanticInput>& inputs, unsigned threads) {
  const SemanticEntry entry = loadModule();
  const SemanticRequest request = requestOf(arguments, project, inputs, threads);
  SemanticResult result;
  if (!entry(request, result))
    throw PortError("--semantic: " + (result.failures.empty() ? std::string("clang could not be set up")
                                                              : result.failures[0]));
  stopIfInterrupted();
  SemanticOutcome outcome;
  outcome.findings.resize(inputs.size());
  outcome.ownPlaces.resize(inputs.size());
  for (SemanticFinding& finding : result.findings) {
    const std::uint32_t begin = originalOffset(inputs[finding.file], finding.offset);
    // The kinds are few; they live as long as the program.
    static std::set<std::string> kinds;
    const std::string_view kind = *kinds.insert(finding.kind).first;
    outcome.findings[finding.file].push_back({FindingKind::Audit, begin, begin + finding.length,
                                              std::move(finding.subject), kind, std::move(finding.reason),
                                              std::move(finding.remedy)});
  }
  sortOwn(result, inputs, outcome);
  outcome.parsed = result.parsed;
  outcome.failures = std::move(result.failures);
  return outcome;
}

}  // namespace musashim::translator
