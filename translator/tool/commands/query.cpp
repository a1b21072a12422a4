// musaport query: from the tables, the support matrix of the SDK and its headers.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <numeric>

#include "translator/lib/names/table.h"
#include "translator/tool/arguments.h"
#include "translator/tool/commands/command.h"
#include "translator/tool/console.h"
#include "translator/tool/sdk.h"

namespace musashim::translator {
namespace {

namespace fs = std::filesystem;

std::string adviceText(const Advice& advice) {
  return fmt::format("{}{}{}", advice.reason, advice.remedy.empty() ? "" : "; ", advice.remedy);
}

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<9} {}\n", label, text);
}

/// The fields of a row of the support matrix: Function, CUDA, Group, Status, Errors, Note, Tested by.
std::vector<std::string> fieldsOf(const std::string& row) {
  std::vector<std::string> fields;
  for (std::size_t begin = 2, end = 0; (end = row.find(" |", begin)) != std::string::npos; begin = end + 3)
    fields.push_back(row.substr(std::min(begin, end), end - std::min(begin, end)));
  return fields;
}

std::string supportOf(const fs::path& sdk, const std::string& name) {
  std::ifstream file(sdk / "share/doc/musashim/api_support.md");
  for (std::string row; std::getline(file, row);) {
    if (!row.starts_with("| `" + name + "` |")) continue;
    const std::vector<std::string> fields = fieldsOf(row);
    if (fields.size() < 7) break;
    std::string text = line("support", fields[3]);
    if (!fields[5].empty()) text += line("note", fields[5]);
    if (!fields[4].empty()) text += line("errors", fields[4]);
    return text + line("tested by", fields[6]);
  }
  return {};
}

bool isWordAt(const std::string& text, std::size_t begin, std::size_t size) {
  const auto inWord = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  return (begin == 0 || !inWord(begin - 1)) && !inWord(begin + size);
}

/// The declaration of a function in the SDK's headers, in one line: how it is called.
std::string exampleOf(const fs::path& sdk, const std::string& name) {
  std::vector<fs::path> headers;
  for (const char* folder : {"include", "include/musa_detail"}) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(sdk / folder, missing)) {
      if (entry.is_regular_file()) headers.push_back(entry.path());
    }
  }
  std::sort(headers.begin(), headers.end());
  for (const fs::path& header : headers) {
    std::ifstream file(header);
    for (std::string text; std::getline(file, text);) {
      const std::size_t at = text.find(name + "(");
      if (at == std::string::npos || at == 0 || text[0] == '#' || text[0] == ' ' ||
          !isWordAt(text, at, name.size()))
        continue;
      for (std::string more; text.find(')') == std::string::npos && std::getline(file, more);)
        text += more.substr(std::min(more.find_first_not_of(' '), more.size()));
      return line("example", text + "  // " + header.filename().string());
    }
  }
  return {};
}

std::string sinceText(std::string_view target) {
  std::string text;
  for (const MissingName& missing : missingNames(target)) {
    const std::string when =
        missing.since ? fmt::format("SDK {}.{}", missing.since / 100, missing.since / 10 % 10)
                      : fmt::format("architectures with __MUSA_ARCH__ >= {}", missing.architecture);
    text += line("since", when + ": " + adviceText(adviceOn(missing)));
  }
  return text.empty() ? line("since", "no SDK or architecture is known that lacks it") : text;
}

std::string_view verdictOf(const KnownName& name) {
  switch (name.kind) {
    case NameKind::Call:
      return "NAME() becomes an expression";
    case NameKind::Architecture:
    case NameKind::Version:
    case NameKind::Release:
      return "renamed only with the number it is compared with";
    case NameKind::LibraryVersion:
      return "stays where it is compared with a number";
    case NameKind::Member:
      return "a member: renamed behind . and ->";
    case NameKind::Number:
      return "a member whose value MUSA counts otherwise: stays";
    case NameKind::Word:
      return "renamed beside ## and as libcu++'s namespace only";
    case NameKind::Idiom:
      return "means NVIDIA's platform: stays";
    default:
      return {};
  }
}

std::string describe(const KnownName& name, const fs::path& sdk) {
  std::string text =
      fmt::format("{} -> {}\n", name.name, name.target.empty() ? "(no counterpart)" : name.target);
  if (!name.library.empty()) text += line("library", name.library);
  if (const std::string_view verdict = verdictOf(name); !verdict.empty()) text += line("how", verdict);
  if (!name.advice.reason.empty()) text += line("caveat", adviceText(name.advice));
  if (const NotedUse* use = findNotedUse(name.name)) text += line("caveat", adviceText(adviceOn(*use)));
  if (name.target.empty()) return text;
  text += sinceText(name.target);
  if (sdk.empty()) return text + line("support", "no SDK found: say where it is by --musa-path");
  const std::string target(name.target);
  std::string support = supportOf(sdk, target);
  const std::string example = exampleOf(sdk, target);
  if (support.empty())
    support = line("support", example.empty() ? "not a function of this SDK" : "declared by this SDK");
  return text + support + example;
}

std::string describeHeader(const std::string& header) {
  std::string scratch;
  const std::string_view target = mapHeader(header, scratch);
  const Advice* left = unportedHeader(header);
  if (target.empty() && !left) return {};
  std::string text = fmt::format("{} -> {}\n", header, target.empty() ? "(no counterpart)" : target);
  if (left) text += line("caveat", adviceText(*left));
  if (const Advice* noted = notedHeader(header)) text += line("caveat", adviceText(*noted));
  return text;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

struct Near {
  std::string_view name;
  std::vector<std::pair<std::size_t, std::string>> found;
};

std::string suggestions(std::string_view name) {
  Near near{name, {}};
  visitNames(
      [](const KnownName& known, void* context) {
        auto& wanted = *static_cast<Near*>(context);
        const std::size_t a = known.name.size(), b = wanted.name.size();
        if ((a > b ? a - b : b - a) > 2) return;
        if (const std::size_t edits = distance(known.name, wanted.name); edits <= 2)
          wanted.found.emplace_back(edits, known.name);
      },
      &near);
  std::sort(near.found.begin(), near.found.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(near.found.size(), 5); ++i)
    text += (i ? ", " : "; did you mean ") + near.found[i].second;
  return text;
}

}  // namespace

int runQuery(int argc, char** argv) {
  CLI::App app{"Says what names of CUDA's and its libraries become."};
  app.name("musaport query");
  app.footer("Exit status: 0 all are known, 1 one is not, 2 wrong usage.");
  std::vector<std::string> names;
  fs::path musaPath;
  app.add_option("NAME", names, "CUDA or MUSA names, or headers")->required();
  app.add_option("--musa-path", musaPath, "The SDK to ask (default: musaport's own, $MUSA_HOME, $MUSA_PATH)");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& complaint) {
    return app.exit(complaint) == 0 ? kExitDone : kExitError;
  }
  const fs::path sdk = findSdk(musaPath);
  int code = kExitDone;
  for (const std::string& name : names) {
    KnownName known;
    std::string text;
    if (findName(name, known)) {
      text = describe(known, sdk);
    } else if (findTarget(name, known)) {
      const std::string cuda(known.target);
      text = findName(cuda, known) ? describe(known, sdk) : fmt::format("{} <- {}\n", name, cuda);
    } else {
      text = describeHeader(name);
    }
    if (text.empty()) {
      print(stderr, "musaport: " + name + ": not a known name or header" + suggestions(name) + "\n");
      code = kExitUnported;
    }
    print(stdout, text);
  }
  return code;
}

}  // namespace musashim::translator
