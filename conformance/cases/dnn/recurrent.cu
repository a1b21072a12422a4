// links: cudnn
// Recurrent networks: all cells, both directions, lengths; gradients. In double, where no short product is
// taken.
#include "../../framework/dnn_values.h"

CONFORMANCE_CASE("dnn.recurrent");

#include "../../framework/dnn_sequences.h"

int main() {
  const cudnnHandle_t handle = makeHandle();
  const auto run = [&](const std::string& key, const Network& n) {
    NetworkRun<double>(handle, key, n).run();
  };
  const char* const names[] = {"relu", "tanh", "lstm", "gru"};
  for (const int mode : {0, 1, 2, 3}) {
    Network n{static_cast<cudnnRNNMode_t>(mode)};
    run(names[mode], n);
    n.direction = CUDNN_BIDIRECTIONAL;
    n.layers = 2;
    run(std::string(names[mode]) + "_both_ways", n);
    n.direction = CUDNN_UNIDIRECTIONAL;
    n.lengths = {3, 1};
    run(std::string(names[mode]) + "_lengths", n);
  }
}
