#include "translator/lib/names/symbols.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace musashim::translator {
namespace {

Finding note(const Definition& definition, std::string reason, std::string remedy) {
  const auto end = definition.begin + static_cast<std::uint32_t>(definition.name.size());
  return {FindingKind::Note, definition.begin, end, definition.name, "symbols",
          std::move(reason), std::move(remedy)};
}

/// C has no overloads and no namespaces, and nobody meets the API's names by chance many times.
bool standsIn(const FileDefinitions& file) {
  constexpr std::ptrdiff_t kMostByChance = 3;
  const auto plain =
      std::count_if(file.definitions.begin(), file.definitions.end(),
                    [](const Definition& definition) { return definition.kind == Definition::Kind::Plain; });
  return plain > kMostByChance || std::filesystem::path(file.file).extension() == ".c";
}

}  // namespace

UserSymbols symbolsOf(const std::vector<FileDefinitions>& files, const Lexicon& lexicon) {
  UserSymbols symbols;
  for (const FileDefinitions& file : files) {
    const std::filesystem::path path = file.file;
    std::string scratch;
    if (!lexicon.mapHeader(path.filename().string(), scratch).empty()) continue;
    const bool header = path.extension().string().starts_with(".h") || path.extension() == ".cuh" ||
                        path.extension() == ".inl";
    const bool standIn = standsIn(file);
    for (const Definition& definition : file.definitions) {
      if (definition.kind == Definition::Kind::InNamespace)
        symbols.spaces[definition.name].insert(definition.space);
      if (definition.kind != Definition::Kind::Plain || standIn) continue;
      if (definition.local && !header) {
        symbols.local[file.file].insert(definition.name);
      } else {
        symbols.plain.insert(definition.name);
      }
    }
  }
  return symbols;
}

std::vector<Finding> findingsOf(const FileDefinitions& file, const UserSymbols& symbols) {
  std::vector<Finding> findings;
  std::set<Definition::Kind> told;
  for (const Definition& definition : file.definitions) {
    const bool own = definition.kind == Definition::Kind::Plain;
    if (!own && !told.insert(definition.kind).second) continue;
    switch (definition.kind) {
      case Definition::Kind::Plain:
        if (symbols.plain.contains(definition.name)) {
          findings.push_back(note(definition,
                                  "the project defines this name itself, so it stays in all its files",
                                  "rename it by --rules if it stands for the API's"));
        } else if (const auto local = symbols.local.find(file.file);
                   local != symbols.local.end() && local->second.contains(definition.name)) {
          findings.push_back(note(definition, "this file defines the name itself, so it stays here",
                                  "rename it by --rules if it stands for the API's"));
        }
        break;
      case Definition::Kind::Conditional:
        findings.push_back(note(
            definition,
            "the file has stand-ins for the API behind #if (this is the first), which get the new names too",
            {}));
        break;
      case Definition::Kind::Interposer:
        findings.push_back(note(definition,
                                "the file takes the place of the API by extern \"C\" definitions (this is "
                                "the first), which get the new names too",
                                {}));
        break;
      default:
        break;
    }
  }
  return findings;
}

Finding collision(const Definition& definition, std::string_view cudaName) {
  Finding finding =
      note(definition, "the project defines it, and the port gives this name to " + std::string(cudaName),
           "rename the project's own, or choose another name by --rules");
  finding.kind = FindingKind::Conflict;
  return finding;
}

}  // namespace musashim::translator
