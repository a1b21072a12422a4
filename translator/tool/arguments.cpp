#include "translator/tool/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "translator/lib/names/table.h"

namespace musashim::translator {
namespace {

constexpr const char* kFooter = R"(Examples:
  musaport my_cuda_project -o my_musa_project
  musaport kernel.cu -o kernel.mu
  musaport - < kernel.cu > kernel.mu
  musaport --diff src | less
  musaport --in-place src --exclude 'third_party/*'

Exit status: 0 done (warnings tell what is left), 1 done but something is left and --strict was
given, 2 wrong usage or a file could not be read or written (then nothing was), 130 interrupted; with
--exit-by-severity also 3 something is not portable, 4 something wants a look.)";

/// "{text,json,none}"
std::string listOf(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "{" : ",") + word;
  return list + "}";
}

template <typename Value>
struct Choice {
  std::string word;
  Value value;
};

/// An option that takes one of some words, and nothing else.
template <typename Value>
void choice(CLI::App& app, const std::string& name, Value& value, const std::vector<Choice<Value>>& choices,
            const std::string& help) {
  std::vector<std::string> words;
  for (const Choice<Value>& one : choices) words.push_back(one.word);
  const auto take = [&value, choices](const std::string& word) {
    for (const Choice<Value>& one : choices) {
      if (one.word == word) value = one.value;
    }
  };
  app.add_option_function<std::string>(name, take, help)
      ->transform(CLI::IsMember(words, CLI::ignore_case))
      ->option_text(listOf(words));
}

std::string versionText() {
  return "musaport " MUSASHIM_VERSION ", " + std::to_string(knownNames()) + " known names";
}

/// "4.3" => 430
unsigned sdkOf(const std::string& text) {
  unsigned major = 0, minor = 0;
  char end = '\0';
  if (std::sscanf(text.c_str(), "%2u.%1u%c", &major, &minor, &end) < 2 || (end != '\0' && end != '.')) {
    throw CLI::ValidationError("--sdk takes a version such as 4.3");
  }
  return major * 100 + minor * 10;
}

/// What CLI11's per-option checks cannot see.
void checkTogether(const Arguments& arguments, bool diff, bool dryRun, bool inPlace) {
  const int modes = int{diff} + int{dryRun} + int{inPlace};
  if (modes > 1) throw CLI::ValidationError("--diff, --dry-run and --in-place exclude each other");
  if (arguments.filters()) {
    if (inPlace || dryRun || !arguments.output.empty() || arguments.semantic || !arguments.reports.empty())
      throw CLI::ValidationError(
          "-, standard input, goes to standard output: no -o, --in-place, --dry-run, --report, --semantic");
    return;
  }
  if (modes == 0 && arguments.output.empty() && !arguments.listUnported && arguments.reports.empty()) {
    throw CLI::ValidationError("say where to write: -o OUT, --in-place, or --diff to look first");
  }
  if (arguments.update && (modes > 0 || arguments.output.empty() || arguments.reverse || arguments.force))
    throw CLI::ValidationError(
        "--update needs -o FOLDER and excludes --dry-run, --diff, --in-place, --reverse and --force");
  if (inPlace && !arguments.output.empty())
    throw CLI::ValidationError("-o and --in-place exclude each other");
  if (arguments.reverse && arguments.semantic)
    throw CLI::ValidationError("--reverse and --semantic exclude each other");
  if (!arguments.compileCommands.empty() && !arguments.semantic)
    throw CLI::ValidationError("--compile-commands needs --semantic");
  if (!arguments.backupFolder.empty() && (!inPlace || !arguments.backup)) {
    throw CLI::ValidationError("--backup-dir needs --in-place and excludes --no-backup");
  }
}

ReportFile reportFileOf(const std::string& path) {
  // It appears by a rename, which would put a file in the place of a pipe.
  std::error_code error;
  if (std::filesystem::is_other(path, error) || std::filesystem::is_directory(path, error))
    throw CLI::ValidationError("--report " + path + ": is no file; choose another name");
  const std::string suffix = std::filesystem::path(path).extension().string();
  for (const Choice<ReportFormat>& one : {Choice<ReportFormat>{".json", ReportFormat::Json},
                                          {".sarif", ReportFormat::Sarif},
                                          {".csv", ReportFormat::Csv},
                                          {".html", ReportFormat::Html}}) {
    if (one.word == suffix) return {path, one.value};
  }
  throw CLI::ValidationError("--report " + path + ": the name must end in .json, .sarif, .csv or .html");
}

}  // namespace

bool Arguments::wantsAll() const {
  return tellChanges || summary == SummaryFormat::Json ||
         std::any_of(reports.begin(), reports.end(),
                     [](const ReportFile& file) { return file.format == ReportFormat::Json; });
}

bool parseArguments(int argc, char** argv, Arguments& arguments, int& exitCode) {
  CLI::App app{"Ports CUDA and NCCL sources to MUSA and MCCL."};
  app.name("musaport");
  app.footer(kFooter);
  bool diff = false, dryRun = false, inPlace = false, noBackup = false;
  app.add_option("IN", arguments.inputs,
                 "Source files or folders; - alone: standard input to standard output")
      ->required();
  app.add_option("-o,--output", arguments.output, "File or folder to write; must not exist unless --force");
  app.add_flag("--in-place", inPlace, "Change the inputs; each changed file is kept as FILE.orig");
  app.add_option("--backup-dir", arguments.backupFolder,
                 "With --in-place: keep the originals below this folder");
  app.add_flag("--no-backup", noBackup, "With --in-place: keep no originals");
  app.add_flag("--diff", diff, "Print a unified diff and write nothing");
  app.add_flag("--dry-run", dryRun, "Do everything but write");
  app.add_option("--exclude", arguments.excludes,
                 "Leave out files and folders that match the glob (repeatable)")
      ->allow_extra_args(false);
  choice<SummaryFormat>(
      app, "--summary", arguments.summary,
      {{"text", SummaryFormat::Text}, {"json", SummaryFormat::Json}, {"none", SummaryFormat::None}},
      "Format of the summary (default: text)");
  std::vector<std::string> reports;
  app.add_option("--report", reports,
                 "Write a report to this file, by its suffix: .json, .sarif, .csv, .html (repeatable)")
      ->allow_extra_args(false);
  app.add_flag("--list-unported", arguments.listUnported,
               "List every place that is left, not just the first of a kind");
  app.add_flag("--force", arguments.force, "Overwrite existing output and backups");
  app.add_flag(
      "--update", arguments.update,
      "With -o FOLDER: port again into it; edits made there are merged, conflicts marked as git does");
  app.add_flag("--strict", arguments.strict, "Exit with 1 if something is left unported");
  app.add_flag("--exit-by-severity", arguments.exitBySeverity,
               "Exit with the gravest: 1 something is left unported, 3 not portable, 4 wants a look");
  choice<CommentPolicy>(app, "--comments", arguments.port.comments,
                        {{"names", CommentPolicy::Names}, {"keep", CommentPolicy::Keep}},
                        "Known names in comments: names (rename, default), keep");
  choice<StringPolicy>(
      app, "--strings", arguments.port.strings,
      {{"symbols", StringPolicy::Symbols}, {"names", StringPolicy::Names}, {"keep", StringPolicy::Keep}},
      "Strings: symbols (those that are one name, variable or library; default), names (names inside text "
      "too), keep");
  choice<RawStringPolicy>(
      app, "--raw-strings", arguments.port.rawStrings,
      {{"auto", RawStringPolicy::Auto}, {"code", RawStringPolicy::Code}, {"keep", RawStringPolicy::Keep}},
      "Raw strings: auto (port kernel source, default), code (port all), keep");
  app.add_option("--rules", arguments.rules,
                 "Mappings of your own, which come first (repeatable): YAML with names, headers, prefixes; "
                 "or a JSON object of "
                 "old to new names, as musify's")
      ->allow_extra_args(false);
  app.add_flag("--cuda-face", arguments.cudaFace,
               "Port what mcc -x cuda compiles: files keep their names; __CUDA_ARCH__ and the calls that "
               "tell a compute capability "
               "stay, as the SDK's CUDA face has them");
  app.add_flag(
      "--reverse", arguments.reverse,
      "Back to CUDA: the original bytes where the port left its record (.musaport), else by the tables");
  bool noRecord = false;
  app.add_flag("--no-record", noRecord, "Write no record for --reverse");
  app.add_option("-j,--jobs", arguments.threads, "Files at a time (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--semantic", arguments.semantic,
               "Also compile the result in memory: tell the project's names from the API's, and report what "
               "is not portable "
               "(warps, shared memory, launches, guards, PyTorch, ...)");
  app.add_option("-p,--compile-commands", arguments.compileCommands,
                 "With --semantic: compile_commands.json or its folder; nvcc's options are understood");
  app.add_option("-I,--include-path", arguments.includes, "With --semantic: where headers are (repeatable)")
      ->allow_extra_args(false);
  app.add_option(
      "--musa-path", arguments.musaPath,
      "With --semantic: the SDK whose headers serve (default: musaport's own, $MUSA_HOME, $MUSA_PATH)");
  std::vector<std::string> names;
  for (const Target& target : targets()) names.emplace_back(target.name);
  app.add_option("--target", arguments.targets, "Architectures to port for (repeatable; default: all)")
      ->check(CLI::IsMember(names))
      ->option_text(listOf(names))
      ->allow_extra_args(false);
  std::string sdk;
  app.add_option("--sdk", sdk, "Version of the MUSA SDK to port for, such as 4.3: what it lacks is reported");
  app.add_flag("-q,--quiet", arguments.quiet, "No warnings, no summary, no progress");
  app.add_flag("-v,--verbose", arguments.verbose, "Name each file");
  app.set_version_flag("--version", versionText());
  try {
    app.parse(argc, argv);
    arguments.backup = !noBackup;
    arguments.record = !noRecord;
    for (const std::string& path : reports) arguments.reports.push_back(reportFileOf(path));
    if (!sdk.empty()) arguments.sdk = sdkOf(sdk);
    arguments.mode = inPlace                              ? Mode::InPlace
                     : diff                               ? Mode::Diff
                     : arguments.output.empty() || dryRun ? Mode::DryRun
                                                          : Mode::Write;
    checkTogether(arguments, diff, dryRun, inPlace);
  } catch (const CLI::Success& answer) {
    exitCode = app.exit(answer);
    return false;
  } catch (const CLI::ParseError& complaint) {
    std::cerr << "musaport: " << complaint.what() << "\nTry: musaport --help\n";
    exitCode = kExitError;
    return false;
  }
  return true;
}

}  // namespace musashim::translator
