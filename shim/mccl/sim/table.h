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

struct Size {
  int ranks = 1, hosts = 1;
};

// As nccl-tests: a rank's part is a whole number of elements. Sets all but the prediction.
Row rowOf(const Options& options, size_t bytes, int ranks);
void predicted(const Options& options, int ranks, const Prediction& prediction, Row& row);

// `notes`: lines above the table.
std::string tableOf(const Options& options, const std::vector<std::string>& notes,
                    const std::vector<Row>& rows);
std::string csvOf(const Options& options, const Size& size, const std::vector<Row>& rows);

}  // namespace musashim::mccl::sim
