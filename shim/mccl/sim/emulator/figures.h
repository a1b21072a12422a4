// How long the emulator takes for what it does, on one machine: found out by measuring, and kept in a file.
#pragma once

#include <string>
#include <vector>

#include "mccl.h"
#include "mccl/sim/emulator/work.h"

namespace musashim::mccl::sim {

struct Figures {
  double cacheBytes = 8 << 20;
  Work microseconds{};  // of one of each item
};

double timeOf(const EmulatedCall& call, const Figures& figures, Way& way);

std::string textOf(const Figures& figures);
mcclResult_t readFigures(const std::string& path, Figures& figures);
mcclResult_t parseFigures(const std::string& text, const std::string& name, Figures& figures);

struct Measurement {
  EmulatedCall call;
  double microseconds = 0;
};
// CSV with the columns collective, ranks, hosts, bytes and `timeColumn`, and others.
mcclResult_t readMeasurements(const std::string& path, const std::string& timeColumn,
                              std::vector<Measurement>& measurements);
mcclResult_t parseMeasurements(const std::string& text, const std::string& name,
                               const std::string& timeColumn, std::vector<Measurement>& measurements);

// The figures that fit best: errors in parts of what was measured, few large ones rather than many small
// ones.
Figures fit(const std::vector<Measurement>& measurements);

struct Error {
  std::string what;
  size_t count = 0;
  double median = 0, ninth = 0;  // of the errors' amounts, in parts: half, and nine of ten, are no larger
};
// Of each shape (ranks and hosts) and of all: `fitted` by figures that all measurements have part in,
// `foreseen` by those of the other shapes alone.
void judge(const std::vector<Measurement>& measurements, std::vector<Error>& fitted,
           std::vector<Error>& foreseen);

}  // namespace musashim::mccl::sim
