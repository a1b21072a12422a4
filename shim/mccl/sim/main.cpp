// mccl-sim: the time of collectives on clusters that are not here. Time that passes there is never mixed with
// time that passes here.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "mccl/core/data_type.h"
#include "mccl/core/log.h"
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
  const int devices = cluster->devices();
  if (options.ranks < devices && options.devices == 0)
    return Cluster::make(options.machine, fabric, 1, options.ranks, cluster);
  if (options.ranks % devices != 0) {
    return fail(mcclInvalidUsage,
                "{} ranks are no whole number of hosts with {} GPUs each; -g takes fewer of them",
                options.ranks, devices);
  }
  return Cluster::make(options.machine, fabric, options.ranks / devices, devices, cluster);
}

// As nccl-tests: a rank's part is a whole number of elements.
size_t elementsOf(const Options& options, size_t bytes, int ranks, size_t& shown) {
  const size_t all = bytes / elementSize(options.type);
  const bool isWhole = options.kind == CollectiveKind::kAllReduce ||
                       options.kind == CollectiveKind::kReduce || options.kind == CollectiveKind::kBroadcast;
  const size_t count = isWhole ? all : all / static_cast<size_t>(ranks);
  shown = (isWhole ? count : count * static_cast<size_t>(ranks)) * elementSize(options.type);
  return count;
}

mcclResult_t predictAll(const Options& options, const Cluster& cluster, Simulator& simulator,
                        std::vector<Row>& rows) {
  for (size_t bytes = options.minBytes; bytes <= options.maxBytes;
       bytes = options.stepFactor > 1 ? bytes * options.stepFactor : bytes + options.stepBytes) {
    Row row;
    row.count = elementsOf(options, bytes, cluster.ranks(), row.bytes);
    MCCL_RETURN_IF_ERROR(
        simulator.predict(options.kind, row.bytes, options.way, options.protocol, row.prediction));
    row.algorithmBandwidth = static_cast<double>(row.bytes) / row.prediction.microseconds / 1e3;
    row.busBandwidth = row.algorithmBandwidth * busFactor(options.kind, cluster.ranks());
    rows.push_back(row);
    if (bytes == 0 || (options.stepFactor < 2 && options.stepBytes == 0)) break;
  }
  return mcclSuccess;
}

bool write(const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) std::fprintf(stderr, "mccl-sim: %s: cannot be written\n", path.c_str());
  return static_cast<bool>(file);
}

std::string describe(const char* what, const topology::Graph& graph) {
  return fmt::format("{}: {} channels, {:g}/{:g} GB/s, {}/{}", what, graph.channels.size(), graph.speedIntra,
                     graph.speedInter, nameOf(graph.typeIntra), nameOf(graph.typeInter));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parseOptions(argc, argv);
  FabricFile fabric;
  if (!options.fabric.empty() && readFabric(options.fabric, fabric) != mcclSuccess) return complain();
  std::unique_ptr<Cluster> cluster;
  if (makeCluster(options, fabric, cluster) != mcclSuccess) return complain();
  Simulator simulator(*cluster, options.pipeline);
  std::vector<Row> rows;
  if (predictAll(options, *cluster, simulator, rows) != mcclSuccess) return complain();
  std::vector<std::string> notes = {
      fmt::format("mccl-sim: {} predicted, not measured", options.collective),
      fmt::format("{} ranks: {} hosts of {} GPUs", cluster->ranks(), cluster->hosts(), cluster->devices()),
      describe("ring", cluster->ring()), describe("tree", cluster->tree())};
  if (simulator.lost() > 0)
    notes.push_back(fmt::format("{} channels are left out: dead links cut them", simulator.lost()));
  const std::string csv = csvOf(options, *cluster, rows);
  std::fputs(options.asCsv ? csv.c_str() : tableOf(options, notes, rows).c_str(), stdout);
  const bool isWritten = write(options.csv, csv) && write(options.svg, plotOf(options, *cluster, rows));
  return isWritten ? 0 : 1;
}
