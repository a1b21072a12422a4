// musify-text: the port by the command line of the vendor's tool of that name. Files keep their names, no
// copies and no records are kept, and a text that cannot be ported is told, not an error. Source of the
// options: musify's page in the documentation of the vendor's SDK 5.2.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "translator/tool/arguments.h"
#include "translator/tool/commands/command.h"
#include "translator/tool/interrupt.h"
#include "translator/tool/run.h"

namespace musashim::translator {
namespace {

/// The vendor's own tables, which lie beside its tool. Here they are in the program, and count in any case.
bool isDefault(const std::filesystem::path& mapping) {
  constexpr std::array<std::string_view, 5> kNames = {"general.json", "include.json", "extra.json",
                                                      "dnn-naming.json", "dnn-header.json"};
  return std::ranges::find(kNames, mapping.filename().native()) != kNames.end() &&
         !std::filesystem::exists(mapping);
}

void takeLevel(const std::string& level, Arguments& arguments) {
  arguments.verbose = level != "WARNING";
  arguments.tellChanges = level == "DEBUG";
}

}  // namespace

int runMusify(int argc, char** argv) {
  Arguments arguments;
  CLI::App app{"Ports CUDA sources to MUSA, or back, by the command line of the vendor's musify."};
  app.name("musify-text");
  bool terminal = false, create = false, inPlace = false, clear = false;
  std::string direction = "c2m", level = "INFO";
  std::vector<std::string> mappings;
  app.add_option("srcs", arguments.inputs, "source files to be transformed");
  auto* const modes = app.add_option_group("where the text goes");
  modes->add_flag("-t,--terminal", terminal, "print code to stdout");
  modes->add_flag("-c,--create", create, "write code to newly created file FILE.mt, default action");
  modes->add_flag("-i,--inplace", inPlace, "modify code inplace");
  modes->require_option(0, 1);
  app.add_option("-d,--direction", direction, "convert direction")->check(CLI::IsMember({"c2m", "m2c"}));
  app.add_option("-m,--mapping", mappings, "api mapping: files of a JSON object, which come first");
  app.add_flag("--clear-mapping", clear, "only the words of --mapping change, wherever they stand");
  app.add_option("-l,--log-level", level, "lowest log level to display")
      ->check(CLI::IsMember({"DEBUG", "INFO", "WARNING"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::ParseError& complaint) {
    std::cerr << "musify-text: " << complaint.what() << "\nTry: musify-text --help\n";
    return kExitError;
  }
  if (arguments.inputs.empty()) return kExitDone;
  arguments.mode = terminal ? Mode::Show : inPlace ? Mode::InPlace : Mode::Beside;
  arguments.reverse = direction == "m2c";
  arguments.rules.assign(mappings.begin(), mappings.end());
  // Who clears the tables and names them again has them all.
  arguments.onlyRules = std::erase_if(arguments.rules, isDefault) == 0 && clear;
  arguments.asGiven = true;
  arguments.backup = false;
  arguments.record = false;
  arguments.summary = SummaryFormat::None;
  takeLevel(level, arguments);
  catchInterrupts();
  return run(arguments);
}

}  // namespace musashim::translator
