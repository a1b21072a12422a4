#include "mccl/sim/options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "mccl/core/data_type.h"
#include "mccl/sim/collectives.h"

namespace musashim::mccl::sim {
namespace {

const std::map<std::string, std::optional<Way>> kWays = {
    {"auto", {}}, {"ring", Way::kRing}, {"tree", Way::kTree}, {"direct", Way::kDirect}};
const std::map<std::string, std::optional<Protocol>> kProtocolsByName = {
    {"auto", {}}, {"LL", Protocol::kLL}, {"LL128", Protocol::kLL128}, {"Simple", Protocol::kSimple}};

template <class Value>
CLI::Option* addChoice(CLI::App& app, const std::string& name, const std::map<std::string, Value>& known,
                       Value& to, const std::string& help, std::string* text = nullptr) {
  std::vector<std::string> names;
  for (const auto& [one, value] : known) names.push_back(one);
  return app
      .add_option_function<std::string>(
          name,
          [&known, &to, text](const std::string& given) {
            to = known.at(given);
            if (text) *text = given;
          },
          help)
      ->check(CLI::IsMember(names));
}

CLI::Option* addBytes(CLI::App& app, const std::string& name, size_t& bytes, const std::string& help) {
  static const std::map<std::string, size_t> kUnits = {
      {"B", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}};
  return app.add_option(name, bytes, help)->transform(CLI::AsNumberWithUnit(kUnits));
}

}  // namespace

Options parseOptions(int argc, char** argv) {
  Options o;
  CLI::App app("Predicts the time of a collective on a cluster that need not be here.", "mccl-sim");
  addChoice(app, "collective", kCollectives, o.kind, "the collective (all_reduce)", &o.collective);
  CLI::Option* machine = app.add_option("--machine", o.machine, "XML of a host, in NCCL's schema");
  app.add_option("--fabric", o.fabric, "YAML of the network between hosts; without it, one switch")
      ->needs(machine);
  CLI::Option* emulator =
      app.add_option("--emulator", o.emulator, "instead of a machine: figures of the emulator on this one")
          ->excludes(machine);
  CLI::Option* calibrate =
      app.add_option("--calibrate", o.calibrate, "finds out these figures from measurements (CSV)")
          ->excludes(machine);
  app.add_option("--column", o.column, "column with the times (time_us)")->needs(calibrate);
  app.add_option("--figures", o.figures, "file that they are written to")->needs(calibrate);
  app.add_option("--ranks", o.ranks, "ranks in all")->check(CLI::Range(1, 1 << 20));
  app.add_option("--hosts", o.hosts, "hosts (1)")->check(CLI::Range(1, 1 << 20));
  app.add_option("-g,--ngpus", o.devices, "GPUs of a host that take part (all)")->check(CLI::PositiveNumber);
  addBytes(app, "-b,--minbytes", o.minBytes, "smallest size, with K, M or G");
  addBytes(app, "-e,--maxbytes", o.maxBytes, "largest size");
  addBytes(app, "-i,--stepbytes", o.stepBytes, "step between sizes");
  app.add_option("-f,--stepfactor", o.stepFactor, "factor between sizes, instead of a step");
  std::map<std::string, mcclDataType_t> types;
  for (int type = 0; type < mcclNumTypes; ++type)
    types.emplace(dataTypeName(static_cast<mcclDataType_t>(type)), static_cast<mcclDataType_t>(type));
  addChoice(app, "-d,--datatype", types, o.type, "type of the elements (float)");
  // The emulator has no choice of these.
  addChoice(app, "--algo", kWays, o.way, "how data goes (auto: as libmccl would choose)")->excludes(emulator);
  addChoice(app, "--proto", kProtocolsByName, o.protocol, "NCCL's protocol (auto: the fastest)")
      ->excludes(emulator);
  addBytes(app, "--piece", o.pipeline.piece, "bytes of a piece (128K, as libmccl's)")
      ->check(CLI::PositiveNumber)
      ->excludes(emulator);
  app.add_option("--window", o.pipeline.window, "pieces under way on a connection (6, as libmccl's)")
      ->check(CLI::PositiveNumber)
      ->excludes(emulator);
  const std::map<std::string, bool> outputs = {{"table", false}, {"csv", true}};
  addChoice(app, "-o,--output", outputs, o.asCsv, "what is printed (table)");
  app.add_option("--csv", o.csv, "also write the figures to this file");
  app.add_option("--svg", o.svg, "also plot bus bandwidth and time to this file");
  try {
    app.parse(argc, argv);
    if (o.machine.empty() && o.emulator.empty() && o.calibrate.empty())
      throw CLI::RequiredError("one of --machine, --emulator and --calibrate");
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  if (o.maxBytes < o.minBytes) o.maxBytes = o.minBytes;
  if (o.stepFactor < 2 && o.stepBytes == 0) o.maxBytes = o.minBytes;
  return o;
}

}  // namespace musashim::mccl::sim
