// mccl-sim: the time of collectives on clusters that are not here. Time that passes there is never mixed with
// time that passes here.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "mccl/core/log.h"
#include "mccl/sim/emulator/figures.h"
#include "mccl/sim/plot.h"
#include "mccl/sim/table.h"

namespace {

using namespace musashim::mccl;
using namespace musashim::mccl::sim;

int complain() {
  std::fprintf(stderr, "mccl-sim: %s\n", lastError().c_str());
  return 2;
}

// A host has as many ranks as GPUs; fewer ranks than that are one host.
mcclResult_t makeCluster(const Options& options, const FabricFile& fabric,
                         std::unique_ptr<Cluster>& cluster) {
  if (options.ranks == 0)
    return Cluster::make(options.machine, fabric, std::max(1, options.hosts), options.devices, cluster);
  MCCL_RETURN_IF_ERROR(Cluster::make(options.machine, {}, 1, options.devices, cluster));
  int devices = cluster->devices(), hosts = options.hosts;
  if (hosts == 0 && options.devices == 0) devices = std::min(devices, options.ranks);
  if (hosts == 0) hosts = options.ranks / devices;
  if (options.devices == 0 && options.hosts > 0) devices = std::max(1, options.ranks / hosts);
  if (hosts == 0 || devices * hosts != options.ranks) {
    return fail(mcclInvalidUsage,
                "{} ranks are no whole number of hosts with {} GPUs each; -g takes fewer of them",
                options.ranks, devices);
  }
  return Cluster::make(options.machine, fabric, hosts, devices, cluster);
}

std::string describe(const char* what, const topology::Graph& graph) {
  return fmt::format("{}: {} channels, {:g}/{:g} GB/s, {}/{}", what, graph.channels.size(), graph.speedIntra,
                     graph.speedInter, nameOf(graph.typeIntra), nameOf(graph.typeInter));
}

bool write(const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) std::fprintf(stderr, "mccl-sim: %s: cannot be written\n", path.c_str());
  return static_cast<bool>(file);
}

int show(const Options& options, const Size& size, const std::vector<std::string>& notes,
         const std::vector<Row>& rows) {
  const std::string csv = csvOf(options, size, rows);
  std::fputs(options.asCsv ? csv.c_str() : tableOf(options, notes, rows).c_str(), stdout);
  return write(options.csv, csv) && write(options.svg, plotOf(options, size, rows)) ? 0 : 1;
}

template <class Predict>
mcclResult_t predictSizes(const Options& options, int ranks, std::vector<Row>& rows, Predict&& predict) {
  const size_t most = std::min(options.maxBytes, size_t{1} << 50);
  for (size_t bytes = options.minBytes; bytes <= most;
       bytes = options.stepFactor > 1 ? bytes * options.stepFactor : bytes + options.stepBytes) {
    Row row = rowOf(options, bytes, ranks);
    Prediction prediction;
    MCCL_RETURN_IF_ERROR(predict(row.bytes, prediction));
    predicted(options, ranks, prediction, row);
    rows.push_back(row);
    if (options.stepFactor > 1 ? bytes == 0 : options.stepBytes == 0) break;
  }
  return mcclSuccess;
}

int simulateCluster(const Options& options) {
  FabricFile fabric;
  if (!options.fabric.empty() && readFabric(options.fabric, fabric) != mcclSuccess) return complain();
  std::unique_ptr<Cluster> cluster;
  if (makeCluster(options, fabric, cluster) != mcclSuccess) return complain();
  Simulator simulator(*cluster, options.pipeline);
  std::vector<Row> rows;
  const auto predict = [&](size_t bytes, Prediction& prediction) {
    return simulator.predict(options.kind, bytes, options.way, options.protocol, prediction);
  };
  if (predictSizes(options, cluster->ranks(), rows, predict) != mcclSuccess) return complain();
  std::vector<std::string> notes = {
      fmt::format("mccl-sim: {} predicted, not measured", options.collective),
      fmt::format("{} ranks: {} hosts of {} GPUs", cluster->ranks(), cluster->hosts(), cluster->devices()),
      describe("ring", cluster->ring()), describe("tree", cluster->tree())};
  if (simulator.lost() > 0)
    notes.push_back(fmt::format("{} channels are left out: dead links cut them", simulator.lost()));
  return show(options, {cluster->ranks(), cluster->hosts()}, notes, rows);
}

int simulateEmulator(const Options& options) {
  Figures figures;
  if (readFigures(options.emulator, figures) != mcclSuccess) return complain();
  const int hosts = std::max(1, options.hosts), ranks = std::max(options.ranks, hosts);
  std::vector<Row> rows;
  const auto predict = [&](size_t bytes, Prediction& prediction) {
    prediction.microseconds = timeOf({options.kind, ranks, hosts, bytes}, figures, prediction.way);
    return mcclSuccess;
  };
  if (ranks > kMostEmulated) {
    (void)fail(mcclInvalidUsage, "{} ranks; an emulator of up to {} can be foreseen", ranks, kMostEmulated);
    return complain();
  }
  (void)predictSizes(options, ranks, rows, predict);
  return show(options, {ranks, hosts},
              {fmt::format("mccl-sim: {} on the emulator predicted, not measured", options.collective),
               fmt::format("{} ranks on {} hosts of one machine", ranks, hosts)},
              rows);
}

// Prints what is found out and how far it is from what was measured.
int calibrate(const Options& options) {
  std::vector<Measurement> measurements;
  if (readMeasurements(options.calibrate, options.column, measurements) != mcclSuccess) return complain();
  const std::string figures = textOf(fit(measurements));
  std::vector<Error> fitted, foreseen;
  judge(measurements, fitted, foreseen);
  fmt::print("{}\n# error of the time: half of the measurements are no farther off, nine of ten\n", figures);
  fmt::print("# {:<22}  {:>5}  {:>15}  {:>26}\n", "", "times", "fitted", "foreseen from other shapes");
  for (size_t i = 0; i < fitted.size(); ++i) {
    fmt::print("# {:<22}  {:>5}  {:>6.0f}% {:>6.0f}%", fitted[i].what, fitted[i].count,
               fitted[i].median * 100, fitted[i].ninth * 100);
    if (i < foreseen.size())
      fmt::print("  {:>17.0f}% {:>6.0f}%", foreseen[i].median * 100, foreseen[i].ninth * 100);
    fmt::print("\n");
  }
  return write(options.figures, figures) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv);
  if (!options.calibrate.empty()) return calibrate(options);
  return options.emulator.empty() ? simulateCluster(options) : simulateEmulator(options);
}
