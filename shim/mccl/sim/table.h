// What is told of predictions: nccl-tests' table, and CSV.
#pragma once

#include <string>
#include <vector>

#include "mccl/sim/options.h"
#include "mccl/sim/predict.h"

namespace musashim::mccl::sim {

struct Row {
  size_t bytes = 0, count = 0;
  Prediction prediction;
  double algorithmBandwidth = 0, busBandwidth = 0;  // GB/s
};

// `notes`: lines above the table.
std::string tableOf(const Options& options, const std::vector<std::string>& notes,
                    const std::vector<Row>& rows);
std::string csvOf(const Options& options, const Cluster& cluster, const std::vector<Row>& rows);

}  // namespace musashim::mccl::sim
