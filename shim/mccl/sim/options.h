// The command line of mccl-sim: nccl-tests' words where it has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "mccl/sim/predict.h"

namespace musashim::mccl::sim {

struct Options {
  std::string collective = "all_reduce";
  CollectiveKind kind = CollectiveKind::kAllReduce;
  std::string machine, fabric;
  std::string emulator;            // figures of an emulator, instead of a machine
  std::string calibrate, figures;  // measurements, and where the figures that fit them are written to
  std::string column = "time_us";  // of the measurements
  int ranks = 0, hosts = 0, devices = 0;
  size_t minBytes = 32 << 20, maxBytes = 32 << 20, stepBytes = 1 << 20, stepFactor = 1;
  mcclDataType_t type = mcclFloat;
  std::optional<Way> way;
  std::optional<Protocol> protocol;
  Pipeline pipeline;
  bool asCsv = false;
  std::string csv, svg;
};

// Exits after --help and after a mistake.
Options parseOptions(int argc, char** argv);

}  // namespace musashim::mccl::sim
