#include "translator/lib/build/cmake.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "translator/lib/build/architecture_words.h"
#include "translator/lib/build/build_table.h"
#include "translator/lib/build/cmake_lexer.h"
#include "translator/lib/build/words.h"

namespace musashim::translator {
namespace {

using Arguments = std::vector<CMakeArgument>;

constexpr std::string_view kModulePath =
    "# Where CMake finds the language MUSA, FindMUSA, FindMUSAToolkit and FindMCCL.\n"
    "list(APPEND CMAKE_MODULE_PATH \"$ENV{MUSA_PATH}/cmake\" \"$ENV{MUSA_HOME}/cmake\" "
    "\"/usr/local/musa/cmake\")\n";

std::string lowered(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "11.8" or "11.8.0" as 11080.
std::optional<long> versionNumber(std::string_view text) {
  std::array<long, 2> parts = {0, 0};
  std::size_t at = 0;
  for (std::size_t part = 0; part < 2 && at < text.size(); ++part) {
    if (!std::isdigit(static_cast<unsigned char>(text[at]))) return std::nullopt;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && parts[part] < 1000)
      parts[part] = parts[part] * 10 + (text[at++] - '0');
    if (at < text.size() && text[at++] != '.') return std::nullopt;
  }
  if (text.empty() || parts[0] > 99 || parts[1] > 99) return std::nullopt;
  return parts[0] * 1000 + parts[1] * 10;
}

class CMakePorter {
 public:
  CMakePorter(BuildEditor& editor, const BuildFacts& facts) : editor_(editor), text_(editor.text()) {
    words_.cmake = true;
    own_ = &facts.targets;
  }

  void run() {
    std::vector<CMakeArgument> comments;
    for (const CMakeCommand& command : cmakeCommands(text_, &comments)) port(command);
    for (const CMakeArgument& comment : comments) portComment(editor_, comment.begin, comment.end, true);
  }

 private:
  std::string_view textOf(const CMakeArgument& argument) const {
    return text_.substr(argument.begin, argument.end - argument.begin);
  }

  void port(const CMakeCommand& command) {
    const std::string name = lowered(text_.substr(command.begin, command.nameEnd - command.begin));
    if (const BuildRow* row = findRow(BuildTable::CMakeWords, name)) {
      if (row->becomes.empty()) return editor_.leave(command.begin, command.nameEnd, row->advice);
      editor_.replace(command.begin, command.nameEnd, row->becomes);
      if (name == "cuda_add_executable" || name == "cuda_add_library") needsModules(command);
    }
    const Arguments& arguments = command.arguments;
    if (name == "project" || name == "enable_language" || name == "check_language")
      return languages(command, name);
    if (name == "find_package" || name == "find_dependency") return package(command);
    if (name == "include" && !arguments.empty()) module(command);
    if (name == "if" || name == "elseif" || name == "while") return condition(arguments);
    if (name == "message") return prose(arguments);
    words_.separator = takesList(name) ? ';' : ' ';
    words_.own = name == "find_library" ? nullptr : own_;
    const std::size_t libraries = firstLibrary(name, arguments);
    const bool compiles = name == "target_compile_options" || name == "add_compile_options" || name == "set";
    std::size_t value = arguments.size();  // from here on, values of an architecture property
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string_view word = textOf(arguments[i]);
      words_.libraries = i >= libraries;
      words_.compiler = compiles && (word.find("CUDA") != std::string_view::npos || namesCompiler(arguments));
      if (word.ends_with("CUDA_ARCHITECTURES")) value = i;
      const bool isOneValue = name == "set_target_properties" || name == "set_source_files_properties";
      if (i > value && architectures(arguments[i], isOneValue)) {
        if (isOneValue) value = arguments.size();
        continue;
      }
      if (i > 0 && isLanguageValue(textOf(arguments[i - 1]), word)) {
        editor_.replace(arguments[i].begin, arguments[i].end, "MUSA");
        continue;
      }
      this->argument(arguments[i]);
    }
  }

  /// Which argument is the first that may be a library's name; none.
  std::size_t firstLibrary(std::string_view command, const Arguments& arguments) const {
    if (command == "target_link_libraries" || command == "link_libraries" || command == "find_library")
      return 1;
    if (command == "set" || command == "list") {
      const std::size_t variable = command == "set" ? 0 : 1;
      const bool lists = variable < arguments.size() && namesLibraries(textOf(arguments[variable]));
      return lists ? variable + 1 : arguments.size();
    }
    // A command of the project's: register_link_library("nvidia-ml")
    const bool own =
        command.find("link") != std::string_view::npos && command.find("lib") != std::string_view::npos;
    return own ? 0 : arguments.size();
  }

  static bool takesList(std::string_view command) {
    return command == "target_compile_options" || command == "add_compile_options" || command == "list" ||
           command == "set_property";
  }

  bool namesCompiler(const Arguments& arguments) const {
    return !arguments.empty() && (textOf(arguments[0]).find("CUDA") != std::string_view::npos ||
                                  textOf(arguments[0]).find("NVCC") != std::string_view::npos);
  }

  static bool isLanguageValue(std::string_view before, std::string_view word) {
    static constexpr std::array<std::string_view, 3> kProperties = {"LANGUAGE", "LINKER_LANGUAGE",
                                                                    "LANGUAGES"};
    return word == "CUDA" && isOneOf(kProperties, before);
  }

  /// project(x LANGUAGES CXX CUDA), project(x CUDA), enable_language(CUDA)
  void languages(const CMakeCommand& command, std::string_view name) {
    const std::size_t first = name == "project" ? 1 : 0;
    bool speaks = false;
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const CMakeArgument& argument = command.arguments[i];
      const std::string_view word = textOf(argument);
      if (i >= first && word == "CUDA" && argument.kind == CMakeArgument::Kind::Unquoted) {
        editor_.replace(argument.begin, argument.end, "MUSA");
        speaks = true;
      } else if (i > 0 && textOf(command.arguments[i - 1]) != "DESCRIPTION") {
        this->argument(argument);
      }
    }
    if (speaks) needsModules(command);
  }

  /// Before the first command that asks for what the SDK's folder cmake/ holds.
  void needsModules(const CMakeCommand& command) {
    if (added_ || text_.find("MUSA_PATH}/cmake") != std::string_view::npos) return;
    added_ = true;
    std::size_t line = text_.rfind('\n', command.begin);
    line = line == std::string_view::npos ? 0 : line + 1;
    const std::string_view indent = text_.substr(line, command.begin - line);
    if (indent.find_first_not_of(" \t") != std::string_view::npos) line = command.begin;
    std::string inserted;
    const bool crlf = text_.find("\r\n") != std::string_view::npos;
    for (const char c : kModulePath) {
      if (inserted.empty() || inserted.back() == '\n') inserted += line == command.begin ? "" : indent;
      if (c == '\n' && crlf) inserted += '\r';
      inserted += c;
    }
    editor_.insert(line, inserted);
  }

  /// find_package(CUDAToolkit 11.8 REQUIRED)
  void package(const CMakeCommand& command) {
    const Arguments& arguments = command.arguments;
    if (arguments.empty()) return;
    const std::string_view name = textOf(arguments[0]);
    const BuildRow* row = findRow(BuildTable::CMakePackages, name);
    for (std::size_t i = row ? 1 : 0; i < arguments.size(); ++i) {
      if (i == 1 && row && name.starts_with("CUDA") && versionNumber(textOf(arguments[i]))) {
        version(arguments[i], "VERSION_GREATER_EQUAL");
      } else {
        argument(arguments[i]);
      }
    }
    if (!row) return;
    editor_.replace(arguments[0].begin, arguments[0].end, row->becomes);
    needsModules(command);
  }

  void module(const CMakeCommand& command) {
    const CMakeArgument& argument = command.arguments[0];
    // check_language(CUDA) follows, whose module the SDK has, too.
    if (textOf(argument) == "CheckLanguage" && text_.find("(CUDA") != std::string_view::npos)
      needsModules(command);
    if (const BuildRow* row = findRow(BuildTable::CMakeModules, textOf(argument)))
      editor_.replace(argument.begin, argument.end, row->becomes);
  }

  /// if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 11.8)
  void condition(const Arguments& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (i >= 2 && isVersion(textOf(arguments[i - 2])) && textOf(arguments[i - 1]).find("VERSION_") == 0 &&
          versionNumber(textOf(arguments[i]))) {
        version(arguments[i], textOf(arguments[i - 1]));
      } else if (i >= 2 && textOf(arguments[i]) == "NVIDIA" &&
                 textOf(arguments[i - 2]).find("CUDA_COMPILER_ID") != std::string_view::npos) {
        editor_.replace(arguments[i].begin, arguments[i].end, "MooreThreads");
      } else {
        argument(arguments[i]);
      }
    }
  }

  static bool isVersion(std::string_view word) {
    if (word.starts_with("${") && word.ends_with("}")) word = word.substr(2, word.size() - 3);
    static constexpr std::array<std::string_view, 4> kVersions = {
        "CUDA_VERSION", "CUDA_VERSION_STRING", "CUDAToolkit_VERSION", "CMAKE_CUDA_COMPILER_VERSION"};
    return isOneOf(kVersions, word);
  }

  /// The first SDK of MUSA's with the API level of that toolkit of CUDA's.
  void version(const CMakeArgument& argument, std::string_view comparison) {
    const auto number = versionNumber(textOf(argument));
    const GuardLevel level = mapAtLeast(GuardKind::Version, *number);
    const bool ordered = comparison == "VERSION_GREATER_EQUAL" || comparison == "VERSION_LESS";
    if (level.mapped && ordered) {
      editor_.replace(argument.begin, argument.end,
                      std::to_string(level.number / 10000) + "." + std::to_string(level.number / 100 % 100),
                      FindingKind::Guard);
      return;
    }
    editor_.note(argument.begin, argument.end,
                 ordered ? "no MUSA SDK offers the API level of this CUDA version"
                         : "this comparison with a version of CUDA's has no counterpart",
                 "MUSA's versions count from 1: say what the branch is to do for MUSA");
  }

  /// `isOneValue`: a list must not become several arguments.
  bool architectures(const CMakeArgument& argument, bool isOneValue) {
    const std::string_view word = textOf(argument);
    if (word == "PARENT_SCOPE" || word == "CACHE") return false;
    auto list = architectureList(word);
    const bool isBare = argument.kind != CMakeArgument::Kind::Quoted;
    if (list && isOneValue && isBare && list->find(';') != std::string::npos) list = '"' + *list + '"';
    if (list) editor_.replace(argument.begin, argument.end, *list);
    return list.has_value();
  }

  void prose(const Arguments& arguments) {
    for (const CMakeArgument& argument : arguments)
      portReferences(editor_, argument.begin, argument.end, words_);
  }

  /// Text for people: words with spaces that neither name files nor options.
  bool isProse(const CMakeArgument& argument) const {
    const std::string_view word = textOf(argument);
    return argument.kind == CMakeArgument::Kind::Quoted && word.find(' ') != std::string_view::npos &&
           std::isalpha(static_cast<unsigned char>(word[0])) && word.find(" -") == std::string_view::npos &&
           word.find('/') == std::string_view::npos;
  }

  void argument(const CMakeArgument& argument) {
    const std::string_view word = textOf(argument);
    if (word.empty()) return;
    if (word.find("#include") != std::string_view::npos)
      return editor_.portSource(argument.begin, argument.end);
    if (isProse(argument)) return portReferences(editor_, argument.begin, argument.end, words_);
    std::size_t from = argument.begin;
    for (std::size_t at = argument.begin; at + 1 < argument.end; ++at) {
      if (text_[at] != '$' || text_[at + 1] != '<') continue;
      if (const std::size_t end = expression(at + 2, argument.end); end != 0) {
        portWords(editor_, from, at, words_);
        from = end;
        at = end - 1;
      }
    }
    WordContext inside = words_;
    // $<$<COMPILE_LANGUAGE:CUDA>:...>
    inside.compiler = words_.compiler || (from != argument.begin && sawLanguage_);
    sawLanguage_ = false;
    portWords(editor_, from, argument.end, inside);
  }

  /// $<COMPILE_LANGUAGE:CXX,CUDA> and its kin, behind "$<": the place behind it; 0 if it is none.
  std::size_t expression(std::size_t at, std::size_t end) {
    std::size_t colon = at;
    while (colon < end && isAsciiWordByte(text_[colon])) ++colon;
    if (colon >= end || (text_[colon] != ':' && text_[colon] != '>')) return 0;
    const std::string_view name = text_.substr(at, colon - at);
    const std::size_t close = text_.find('>', colon);
    if (close == std::string_view::npos || close >= end) return 0;
    if (name == "CUDA_COMPILER_ID" && text_[colon] == ':') {
      // CMake has such an expression for its own languages only; there is one compiler for MUSA.
      editor_.replace(at - 2, close + 1, text_.substr(colon + 1, close - colon - 1) == "NVIDIA" ? "1" : "0");
      return close + 1;
    }
    if (name == "CUDA_COMPILER_ID" || name == "CUDA_COMPILER_VERSION") {
      editor_.leave(
          at - 2, close + 1,
          {"CMake has no such expression for MUSA", "compare ${CMAKE_MUSA_COMPILER_VERSION} instead"});
      return close + 1;
    }
    static constexpr std::array<std::string_view, 4> kLanguages = {"COMPILE_LANGUAGE", "LINK_LANGUAGE",
                                                                   "COMPILE_LANG_AND_ID", "LINK_LANG_AND_ID"};
    if (!isOneOf(kLanguages, name)) return 0;
    for (std::size_t from = colon + 1; from < close;) {
      const std::size_t to = std::min(text_.find(',', from), close);
      const std::string_view word = text_.substr(from, to - from);
      if (word == "CUDA") {
        editor_.replace(from, to, "MUSA");
        sawLanguage_ = true;
      } else if (word == "NVIDIA") {
        editor_.replace(from, to, "MooreThreads");
      }
      from = to + 1;
    }
    return close;
  }

  BuildEditor& editor_;
  std::string_view text_;
  WordContext words_;
  const std::set<std::string, std::less<>>* own_;
  bool added_ = false;
  bool sawLanguage_ = false;
};

}  // namespace

void portCMake(BuildEditor& editor, const BuildFacts& facts) { CMakePorter(editor, facts).run(); }

void collectCMakeTargets(std::string_view text, BuildFacts& facts) {
  if (text.find("add_library") == std::string_view::npos) return;
  for (const CMakeCommand& command : cmakeCommands(text)) {
    const std::string name = lowered(text.substr(command.begin, command.nameEnd - command.begin));
    if (command.arguments.empty()) continue;
    const CMakeArgument& first = command.arguments[0];
    const std::string_view target = text.substr(first.begin, first.end - first.begin);
    if (name == "add_library" || name == "cuda_add_library") facts.targets.emplace(target);
  }
}

}  // namespace musashim::translator
