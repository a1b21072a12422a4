// musaport alias: the header that lets a project keep CUDA's words, as tensor libraries write it by hand.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <map>
#include <set>

#include "translator/lib/names/symbols.h"
#include "translator/lib/port.h"
#include "translator/lib/tree/files.h"
#include "translator/lib/tree/project.h"
#include "translator/lib/tree/transaction.h"
#include "translator/tool/arguments.h"
#include "translator/tool/commands/command.h"
#include "translator/tool/console.h"

namespace musashim::translator {
namespace {

bool isIdentifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  });
}

/// What the sources use, each thing once.
struct Uses {
  std::set<std::string> headers;               // MUSA's
  std::map<std::string, std::string> renamed;  // CUDA's name to MUSA's
  std::map<std::string, std::string> left;     // and why

  void add(const Finding& finding) {
    const Lexicon& lexicon = Lexicon::standard();
    std::string scratch;
    KnownName name;
    switch (finding.kind) {
      case FindingKind::Header:
        if (const auto header = lexicon.mapHeader(finding.subject, scratch); !header.empty())
          headers.emplace(header);
        break;
      case FindingKind::Name:
        if (!lexicon.find(finding.subject, name)) break;
        if (name.kind == NameKind::Rename && isIdentifier(name.target)) {
          renamed.emplace(finding.subject, name.target);
        } else {
          left.emplace(finding.subject, "is renamed by its place, which a macro cannot: port it");
        }
        break;
      case FindingKind::Call:
      case FindingKind::Guard:
        left.emplace(finding.subject, "is more than a name: port it");
        break;
      case FindingKind::Unported:
        left.emplace(finding.subject, finding.reason);
        break;
      default:
        break;
    }
  }

  std::string text() const {
    std::string out =
        "// Names of CUDA's that this project uses, as MUSA's. Made by: musaport alias\n#pragma once\n\n";
    for (const std::string& header : headers) out += "#include <" + header + ">\n";
    if (!headers.empty()) out += '\n';
    for (const auto& [from, to] : renamed) {
      if (from != to) out += fmt::format("#define {} {}\n", from, to);
    }
    if (!left.empty()) out += "\n// What an alias cannot do:\n";
    for (const auto& [name, reason] : left) out += "// " + oneLine(name) + ": " + oneLine(reason) + "\n";
    return out;
  }

  /// So that no text ends or continues the comment it stands in.
  static std::string oneLine(std::string text) {
    for (char& letter : text) {
      if (letter == '\n' || letter == '\r' || letter == '\\') letter = ' ';
    }
    return text;
  }
};

Uses usesOf(const Project& project) {
  PortOptions options;
  options.comments = CommentPolicy::Keep;
  options.strings = StringPolicy::Keep;
  options.rawStrings = RawStringPolicy::Keep;
  options.countOnly = false;
  std::vector<FileDefinitions> definitions;
  for (const ProjectFile& file : project.files()) {
    if (file.kind != FileKind::Source) continue;
    Match match = findEdits(readFile(file.source), options, FileView(project, file));
    if (!match.definitions.empty())
      definitions.push_back({std::string(file.relative), std::move(match.definitions)});
  }
  const UserSymbols symbols = symbolsOf(definitions, Lexicon::standard());
  options.symbols = &symbols;
  Uses uses;
  for (const ProjectFile& file : project.files()) {
    if (file.kind != FileKind::Source) continue;
    const auto local = symbols.local.find(file.relative);
    options.localSymbols = local == symbols.local.end() ? nullptr : &local->second;
    for (const Finding& finding : findEdits(readFile(file.source), options, FileView(project, file)).findings)
      uses.add(finding);
  }
  return uses;
}

}  // namespace

int runAlias(int argc, char** argv) {
  CLI::App app{"Writes a header of aliases for the names of CUDA's that a project uses."};
  app.name("musaport alias");
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::vector<std::string> excludes;
  app.add_option("IN", inputs, "Source files or folders")->required();
  app.add_option("-o,--output", output, "Header to write, anew if it is there (default: standard output)");
  app.add_option("--exclude", excludes, "Leave out what matches the glob (repeatable)")
      ->allow_extra_args(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& complaint) {
    return app.exit(complaint) == 0 ? kExitDone : kExitError;
  }
  const std::string text = usesOf(Project::collect(inputs, {excludes, {}})).text();
  if (output.empty()) {
    print(stdout, text);
    return kExitDone;
  }
  Transaction files;
  files.write(std::filesystem::absolute(output), {0644}, [&](const Transaction::Sink& sink) { sink(text); });
  files.commit();
  return kExitDone;
}

}  // namespace musashim::translator
