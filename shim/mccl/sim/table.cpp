#include "mccl/sim/table.h"

#include <fmt/format.h>

#include "mccl/core/data_type.h"

namespace musashim::mccl::sim {
namespace {

std::string timeText(double microseconds) {
  if (microseconds >= 10000) return fmt::format("{:.0f}", microseconds);
  return microseconds >= 100 ? fmt::format("{:.1f}", microseconds) : fmt::format("{:.2f}", microseconds);
}

std::string operationOf(const Options& options) { return reduces(options.kind) ? "sum" : "none"; }
int rootOf(const Options& options) {
  return options.kind == CollectiveKind::kBroadcast || options.kind == CollectiveKind::kReduce ? 0 : -1;
}

const char* protocolOf(const Row& row) {
  return row.prediction.protocol ? kProtocolNames[static_cast<int>(*row.prediction.protocol)] : "-";
}

}  // namespace

Row rowOf(const Options& options, size_t bytes, int ranks) {
  const size_t all = bytes / elementSize(options.type), each = all / static_cast<size_t>(ranks);
  const bool isWhole = options.kind == CollectiveKind::kAllReduce ||
                       options.kind == CollectiveKind::kReduce || options.kind == CollectiveKind::kBroadcast;
  Row row;
  row.count = isWhole ? all : each;
  row.bytes = (isWhole ? all : each * static_cast<size_t>(ranks)) * elementSize(options.type);
  return row;
}

void predicted(const Options& options, int ranks, const Prediction& prediction, Row& row) {
  row.prediction = prediction;
  if (prediction.microseconds > 0)
    row.algorithmBandwidth = static_cast<double>(row.bytes) / prediction.microseconds / 1e3;
  row.busBandwidth = row.algorithmBandwidth * busFactor(options.kind, ranks);
}

std::string tableOf(const Options& options, const std::vector<std::string>& notes,
                    const std::vector<Row>& rows) {
  std::string text;
  for (const std::string& note : notes) text += "# " + note + "\n";
  const auto line = [&](auto... cells) {
    text +=
        fmt::format("#{:>11}  {:>12}  {:>8}  {:>6}  {:>6}  {:>9}  {:>7}  {:>7}  {:>6}  {:>6}\n", cells...);
  };
  text += "#\n";
  line("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "algo", "proto");
  line("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "", "");
  double sum = 0;
  for (const Row& row : rows) {
    text += fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}  {:>9}  {:>7.2f}  {:>7.2f}  {:>6}  {:>6}\n",
                        row.bytes, row.count, dataTypeName(options.type), operationOf(options),
                        rootOf(options), timeText(row.prediction.microseconds), row.algorithmBandwidth,
                        row.busBandwidth, wayName(row.prediction.way), protocolOf(row));
    sum += row.busBandwidth;
  }
  return text + fmt::format("# Avg bus bandwidth    : {:g}\n",
                            rows.empty() ? 0 : sum / static_cast<double>(rows.size()));
}

std::string csvOf(const Options& options, const Size& size, const std::vector<Row>& rows) {
  std::string text = "collective,ranks,hosts,bytes,count,type,time_us,algbw_GBps,busbw_GBps,algo,proto\n";
  for (const Row& row : rows) {
    text +=
        fmt::format("{},{},{},{},{},{},{:.3f},{:.4f},{:.4f},{},{}\n", options.collective, size.ranks,
                    size.hosts, row.bytes, row.count, dataTypeName(options.type), row.prediction.microseconds,
                    row.algorithmBandwidth, row.busBandwidth, wayName(row.prediction.way), protocolOf(row));
  }
  return text;
}

}  // namespace musashim::mccl::sim
