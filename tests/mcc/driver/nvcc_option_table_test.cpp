// Each option of nvcc's in all its spellings, by the table nvcc_options.tsv.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/Regex.h"
#include "mcc/driver/options/clang_options.h"
#include "mcc/driver/options/option_report.h"
#include "mcc/driver/options/options.h"

namespace musashim::mcc {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

struct Row {
  std::string name, shortName, value;
  Strings samples;
  std::string outcome, becomes;
};

Strings linesOf(const std::string& file) {
  std::ifstream in(std::string(NVCC_OPTIONS) + "/" + file);
  EXPECT_TRUE(in) << file;
  Strings lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  return lines;
}

Strings split(StringRef text, const char* separator) {
  llvm::SmallVector<StringRef, 8> parts;
  text.split(parts, separator);
  return {parts.begin(), parts.end()};
}

Strings wordsOf(const std::string& text) {
  std::istringstream in(text);
  Strings words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  for (const std::string& line : linesOf("nvcc_options.tsv")) {
    const Strings fields = split(line, "|");
    EXPECT_EQ(fields.size(), 6u) << line;
    all.push_back({fields[0], fields[1], fields[2], wordsOf(fields[3]), fields[4], fields[5]});
    if (all.back().samples.empty()) all.back().samples = {""};
  }
  return all;
}

// The ways of writing one value of an option, by the rules that nvcc 13 was seen to have.
std::vector<Strings> spellings(const Row& row, const std::string& sample) {
  Strings names{"--" + row.name};
  if (!row.shortName.empty()) names.push_back("-" + row.shortName);
  if (row.name == row.shortName) names.insert(names.end(), {"-" + row.name, "--" + row.shortName});
  std::vector<Strings> all;
  for (const std::string& name : names) {
    if (row.value == "-") {
      all.push_back({name});
    } else {
      all.push_back({name, sample});
      all.push_back({name + "=" + sample});
    }
  }
  if (StringRef(row.value).starts_with("joined")) all.push_back({"-" + row.shortName + sample});
  return all;
}

bool isList(const Row& row) { return row.value == "list" || row.value == "joined"; }

// What clang's driver makes of arguments: the same for all spellings of its own.
Strings asClangReadsThem(const Strings& arguments) {
  Options options;
  options.clangArguments = arguments;
  const llvm::opt::InputArgList parsed = parseClangArguments(options);
  Strings result;
  for (const llvm::opt::Arg* argument : parsed) {
    const llvm::opt::Option option = argument->getOption().getUnaliasedOption();
    if (argument->getOption().matches(clang::driver::options::OPT_UNKNOWN)) {
      result.push_back(argument->getAsString(parsed));
      continue;
    }
    if (!argument->getOption().matches(clang::driver::options::OPT_INPUT))
      result.push_back(option.getPrefixedName().str());
    for (const char* value : argument->getValues()) result.push_back(value);
  }
  return result;
}

// The last column, of each value.
Strings expected(const Row& row, const Strings& values) {
  Strings words;
  for (const std::string& value : values) {
    for (std::string word : wordsOf(row.becomes)) {
      if (const size_t at = word.find("{}"); at != std::string::npos) word.replace(at, 2, value);
      words.push_back(word);
    }
  }
  return words;
}

struct Parsed {
  Options options;
  std::string error;
  bool isTaken = false;

  Parsed(const Strings& given, bool calledNvcc) {
    options.calledNvcc = calledNvcc;
    Strings arguments{"-x", "cuda"};
    arguments.insert(arguments.end(), given.begin(), given.end());
    arguments.push_back("x.cu");
    isTaken = parseOptions(arguments, options, error);
  }
};

// What a command does, in words that can be compared.
std::string meaning(const Options& options) {
  std::ostringstream text;
  if (options.showHelp) return "help";
  text << "clang: " << llvm::join(asClangReadsThem(options.clangArguments), " ") << "\nphase "
       << static_cast<int>(options.phase) << " passes " << static_cast<int>(options.passes) << " archs";
  for (const uint32_t arch : options.archs) text << ' ' << arch;
  for (const Input& input : options.inputs)
    text << "\ninput " << input.path << input.isMusa << input.isC << input.isCxx << input.isCuda;
  text << "\noutput '" << options.output << "' in '" << options.outputFolder << "' saved "
       << options.saveTemps << " in '" << options.savedFolder << "' module '" << options.module
       << "'\nverbose " << options.verbose << " dry " << options.dryRun << " denormals "
       << options.flushDenormals << " relocatable " << options.relocatable << " per thread "
       << options.perThreadDefaultStream << " checks " << options.checks << " links device "
       << options.linksDeviceCode << "\narchiver '" << options.archiver << "' "
       << llvm::join(options.archiveOptions, " ") << " runs " << options.runsProgram << ' '
       << llvm::join(options.runArguments, " ") << " cleans " << options.removesOutputs << " times '"
       << options.timesFile << "' forwards " << options.forwardsUnknown << "\nasks "
       << llvm::join(options.hostQueries, " ") << options.showVersion << options.showHelp << options.listArchs
       << options.listGpuArchs << options.listGpuCodes;
  return text.str();
}

void check(const Row& row, const Strings& given, const Strings& values) {
  SCOPED_TRACE(llvm::join(given, " "));
  const Parsed nvcc(given, /*calledNvcc=*/true);
  if (row.outcome == "refused") {
    EXPECT_FALSE(nvcc.isTaken);
    EXPECT_NE(nvcc.error.find(row.becomes), std::string::npos) << nvcc.error;
    return;
  }
  ASSERT_TRUE(nvcc.isTaken) << nvcc.error;
  const std::vector<OptionNote>& notes = nvcc.options.nvccNotes;
  EXPECT_EQ(llvm::any_of(notes, [](const OptionNote& note) { return note.isLost; }), row.outcome == "warned");
  if (row.outcome != "same") EXPECT_EQ(notes.size(), 1u) << "it is told what became of it";
  const Parsed mcc(expected(row, values), /*calledNvcc=*/false);
  ASSERT_TRUE(mcc.isTaken) << mcc.error;
  EXPECT_EQ(meaning(nvcc.options), meaning(mcc.options));
}

TEST(NvccOptionTable, NoOptionOfTheHelpLacksADecision) {
  std::set<std::string> decided;
  for (const Row& row : rows()) {
    static const std::set<std::string> kOutcomes{"same", "met", "warned", "refused"};
    EXPECT_TRUE(kOutcomes.count(row.outcome) != 0) << row.name;
    decided.insert(row.name + " " + row.shortName);
  }
  const Strings help = linesOf("nvcc_help.tsv");
  EXPECT_EQ(help.size(), 143u);
  for (const std::string& line : help) {
    const Strings fields = split(line, "\t");
    EXPECT_TRUE(decided.count(fields[0] + " " + (fields.size() > 1 ? fields[1] : "")) != 0) << line;
  }
}

TEST(NvccOptionTable, EachSpellingHasTheSameOutcome) {
  for (const Row& row : rows()) {
    if (row.name == "options-file") continue;  // read before: option_files_test.cpp
    for (const std::string& sample : row.samples)
      for (const Strings& given : spellings(row, sample)) check(row, given, {sample});
    if (!isList(row) || row.samples.empty()) continue;
    const std::string& last = row.samples.back();
    for (const Strings& given : spellings(row, row.samples[0] + "," + last))
      if (row.outcome == "same" && row.name != "linker-options") check(row, given, {row.samples[0], last});
  }
}

TEST(NvccOptionTable, AValueThatIsMissingIsNamed) {
  for (const Row& row : rows()) {
    if (row.value == "-" || row.outcome == "refused" || row.name == "options-file") continue;
    Options options;
    options.calledNvcc = true;
    std::string error;
    EXPECT_FALSE(parseOptions({"x.cu", "--" + row.name}, options, error)) << row.name;
    EXPECT_NE(error.find("needs a value"), std::string::npos) << row.name << ": " << error;
  }
}

// Whatever is said of an option, CMake must not take it for the compiler's refusal of one.
TEST(NvccOptionTable, NoWarningIsOneThatCMakeTakesForARefusal) {
  // CMakeCheckCompilerFlagCommonPatterns of CMake 3.25 to 4.0, and what its languages add.
  static const char* const kPatterns[] = {"[Uu]nrecogni[sz]ed .*option",
                                          "switch .* is no longer supported",
                                          "unknown .*option",
                                          "optimization flag .* not supported",
                                          "unknown argument ignored",
                                          "ignoring unknown option",
                                          "warning D9002",
                                          "option.*not supported",
                                          "invalid argument .*option",
                                          "ignoring option .*argument required",
                                          "ignoring option .*argument is of wrong type",
                                          "[Uu]nknown option",
                                          "[Ww]arning: [Oo]ption",
                                          "command option .* is not recognized",
                                          "command option .* contains an incorrect subargument",
                                          "Option .* is not recognized.  Option will be ignored.",
                                          "not supported in this configuration. ignored",
                                          "File with unknown suffix passed to linker",
                                          "[Uu]nknown switch",
                                          "WARNING: unknown flag:",
                                          "Incorrect command line option:",
                                          "Warning: illegal option",
                                          "[Ww]arning: Invalid suboption",
                                          "An invalid option .* appears on the command line",
                                          "WARNING: invalid compiler option",
                                          "command[ -]line option .* is valid for .* but not for",
                                          "-Werror=.* argument .* is not valid for",
                                          "argument unused during compilation: .*"};
  for (const Row& row : rows()) {
    const Options options = Parsed(spellings(row, row.samples[0])[0], /*calledNvcc=*/true).options;
    for (const bool saysOnce : {true, false}) {
      const std::string said = "mcc: warning: " + optionReport(options, saysOnce);
      for (const char* pattern : kPatterns)
        EXPECT_FALSE(llvm::Regex(pattern).match(said)) << pattern << ": " << said;
    }
  }
}

}  // namespace
}  // namespace musashim::mcc
