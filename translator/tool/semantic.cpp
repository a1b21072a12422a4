#include "translator/tool/semantic.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "translator/lib/error.h"
#include "translator/lib/tree/compile_commands.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/sdk.h"
#include "translator/tool/surroundings.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

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
      "--semantic: musaport-semantic.so is not installed beside musaport; ./scripts/quickstart --all builds it");
}

fs::path needSdk(const Arguments& arguments) {
  fs::path sdk = findSdk(arguments.musaPath);
  if (!sdk.empty()) return sdk;
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

/// Of the files that are compiled, rather than included.
std::optional<SemanticLanguage> languageOf(const fs::path& target) {
  const std::string suffix = target.extension().string();
  if (suffix == ".mu") return SemanticLanguage::Musa;
  if (suffix == ".c") return SemanticLanguage::C;
  const bool cpp = suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx" || suffix == ".c++";
  return cpp ? std::optional(SemanticLanguage::Cpp) : std::nullopt;
}

std::vector<CompileCommand> commandsOf(const Arguments& arguments) {
  if (arguments.compileCommands.empty()) return {};
  const fs::path path = fs::is_directory(arguments.compileCommands)
                            ? arguments.compileCommands / "compile_commands.json"
                            : arguments.compileCommands;
  return readCompileCommands(path);
}

/// The units of a compilation database.
void addListed(const Arguments& arguments, const std::vector<std::string>& extra,
               const std::vector<SemanticInput>& inputs, SemanticRequest& request,
               Surroundings& surroundings) {
  std::map<std::string_view, std::size_t> bySource;
  for (std::size_t i = 0; i < inputs.size(); ++i) bySource.emplace(inputs[i].file->source, i);
  std::set<std::size_t> added;
  for (CompileCommand& command : commandsOf(arguments)) {
    std::error_code ignored;
    const auto found = bySource.find(fs::weakly_canonical(command.file, ignored).string());
    if (found == bySource.end() || !added.insert(found->second).second) continue;
    for (const fs::path& folder : command.folders()) surroundings.addFolder(folder);
    const auto language =
        command.isCuda ? SemanticLanguage::Musa : languageOf(inputs[found->second].file->target);
    command.arguments.insert(command.arguments.end(), extra.begin(), extra.end());
    request.units.push_back(
        {found->second, std::move(command.arguments), language.value_or(SemanticLanguage::Cpp)});
  }
}

/// What the project includes and has not got itself is looked for around it.
void findHeaders(const Arguments& arguments, const std::vector<SemanticInput>& inputs,
                 const SemanticRequest& request, Surroundings& surroundings) {
  std::set<std::string, std::less<>> names;  // last parts of the project's own
  for (const SemanticFile& file : request.files) names.insert(fs::path(file.path).filename().string());
  std::set<std::pair<fs::path, std::string>> asked;
  const auto look = [&](const fs::path& input, std::string_view text) {
    for (const std::string& header : includesOf(text)) {
      const fs::path name(header);
      // The standard library's have neither a folder nor a suffix.
      if (header.find_first_of("./") == std::string::npos || name.is_absolute()) continue;
      if (names.contains(name.filename().string()) || !asked.emplace(input, header).second) continue;
      std::vector<fs::path> known = {request.include, "/usr/include"};
      known.insert(known.end(), arguments.includes.begin(), arguments.includes.end());
      const bool there = std::any_of(known.begin(), known.end(),
                                     [&](const fs::path& folder) { return fs::exists(folder / name); });
      if (!there) surroundings.find(input, header);
    }
  };
  for (const SemanticInput& input : inputs) {
    const std::string_view source = input.file->source, relative = input.file->relative;
    std::string_view root = source;
    root.remove_suffix(std::min(source.size(), relative.size()));
    look(fs::path(root).parent_path(), input.ported);
  }
  for (std::size_t i = 0; i < surroundings.headers().size(); ++i) {
    const fs::path header = surroundings.headers()[i];
    if (const auto text = surroundings.ported(header.string())) look(header.parent_path(), *text);
  }
}

void addUnits(const Arguments& arguments, const Project& project, const std::vector<SemanticInput>& inputs,
              SemanticRequest& request, Surroundings& surroundings) {
  std::vector<std::string> extra;
  for (const fs::path& folder : arguments.includes) {
    if (isCudaFolder(folder)) continue;
    extra.insert(extra.end(), {"-I", fs::absolute(folder).lexically_normal().string()});
    surroundings.addFolder(folder);
  }
  if (!arguments.compileCommands.empty()) return addListed(arguments, extra, inputs, request, surroundings);
  std::vector<std::string> guessed;
  for (const std::string& folder : project.includeFolders()) guessed.insert(guessed.end(), {"-I", folder});
  guessed.insert(guessed.end(), extra.begin(), extra.end());
  findHeaders(arguments, inputs, request, surroundings);
  for (const auto& [folder, headers] : surroundings.found())
    guessed.insert(guessed.end(), {"-idirafter", folder});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto language = languageOf(inputs[i].file->target);
    if (!language) continue;
    request.units.push_back({i, guessed, *language});
    if (language != SemanticLanguage::C) request.units.back().arguments.emplace_back("-std=gnu++17");
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
                          const std::vector<SemanticInput>& inputs, unsigned threads,
                          Surroundings& surroundings) {
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
  const fs::path sdk = needSdk(arguments);
  request.include = (sdk / "include").string();
  const fs::path prelude = sdk / "lib/musashim/include/mcc_prelude.h";
  if (fs::exists(prelude)) request.prelude = prelude.string();
  request.clang = MUSAPORT_CLANG;
  request.threads = threads;
  request.stopped = stopped;
  request.ported = [&surroundings](const std::string& path) { return surroundings.ported(path); };
  addUnits(arguments, project, inputs, request, surroundings);
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

bool isVendors(std::string_view header) {
  // Libraries whose headers keep their names have no entries in the tables.
  for (const std::string_view folder : {"thrust/", "cub/", "musa/"}) {
    if (header.starts_with(folder)) return true;
  }
  static const Lexicon back(Direction::ToCuda, nullptr);
  std::string scratch;
  return !back.mapHeader(header, scratch).empty() || Lexicon::standard().unportedHeader(header) != nullptr;
}

/// Says why a header is missing. False: it is none of MUSA's, so nothing says that the source is not
/// portable.
bool explainHeader(SemanticFinding& finding) {
  if (finding.kind != "header") return true;
  if (finding.reason.empty()) finding.reason = "this SDK does not have it";
  finding.remedy = "the rest of the file was looked at";
  return isVendors(finding.subject);
}

template <typename Texts>
std::string joined(const Texts& texts) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : ", ") + text;
  return result;
}

std::string someOf(const std::set<std::string_view>& texts) {
  const std::string more = texts.size() > 1 ? " and " + std::to_string(texts.size() - 1) + " more" : "";
  return std::string(*texts.begin()) + more;
}

/// One line for each header that is missing, or folder of such, for each unit that uses names that are, and
/// for each unit that is not understood.
void remark(const std::vector<SemanticTrouble>& troubles, const std::vector<SemanticInput>& inputs,
            SemanticOutcome& outcome) {
  struct Missing {
    std::set<std::string_view> things, files;
  };
  std::map<std::pair<bool, std::string_view>, Missing> missing;  // headers by folder first, then names
  std::vector<std::string> others;
  for (const SemanticTrouble& trouble : troubles) {
    const std::string_view file = inputs[trouble.file].file->relative;
    const auto note = [&](bool isName, std::string_view thing, std::string_view group) {
      missing[{isName, group}].things.insert(thing);
      missing[{isName, group}].files.insert(file);
    };
    for (const std::string_view header : trouble.headers)
      note(false, header, header.substr(0, header.find('/')));
    // Where a header is missing, so are its names.
    if (trouble.headers.empty()) {
      for (const std::string_view name : trouble.names) note(true, name, file);
    }
    if (!trouble.headers.empty() || !trouble.names.empty()) {
      ++outcome.inPart;
      continue;
    }
    ++outcome.notUnderstood;
    const std::string more =
        trouble.errors > 1 ? " (and " + std::to_string(trouble.errors - 1) + " more errors)" : "";
    others.push_back("not understood by clang: " + std::string(file) + ": " + trouble.error + more);
  }
  for (const auto& [key, entry] : missing) {
    const bool none = key.first || isVendors(*entry.things.begin());
    outcome.remarks.push_back("understood in part without " + someOf(entry.things) +
                              (none ? " (this SDK has none): " : " (not found; -I names its folder): ") +
                              someOf(entry.files));
  }
  outcome.remarks.insert(outcome.remarks.end(), others.begin(), others.end());
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

SemanticOutcome runSemantic(const Arguments& arguments, const PortOptions& options, const Project& project,
                            const std::vector<SemanticInput>& inputs, unsigned threads) {
  const SemanticEntry entry = loadModule();
  Surroundings surroundings(options);
  const SemanticRequest request = requestOf(arguments, project, inputs, threads, surroundings);
  SemanticResult result;
  entry(request, result);
  stopIfInterrupted();
  SemanticOutcome outcome;
  outcome.findings.resize(inputs.size());
  outcome.ownPlaces.resize(inputs.size());
  for (SemanticFinding& finding : result.findings) {
    const std::uint32_t begin = originalOffset(inputs[finding.file], finding.offset);
    if (!explainHeader(finding)) continue;
    // The kinds are few; they live as long as the program.
    static std::set<std::string> kinds;
    const std::string_view library = *kinds.insert(finding.kind).first;
    outcome.findings[finding.file].push_back({FindingKind::Audit, begin, begin + finding.length,
                                              std::move(finding.subject), library, std::move(finding.reason),
                                              std::move(finding.remedy)});
  }
  sortOwn(result, inputs, outcome);
  outcome.understood = result.parsed;
  for (const auto& [folder, headers] : surroundings.found())
    outcome.remarks.push_back("found outside of the input: " + folder + " (" + joined(headers) + ")");
  remark(result.troubles, inputs, outcome);
  return outcome;
}

}  // namespace musashim::translator
