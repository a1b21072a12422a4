// links: cusparse
// The older calls that give matrices of blocks another shape, or their columns.
#include "../../framework/sparse_values.h"

CONFORMANCE_CASE("sparse.block_shapes");

static cusparseHandle_t handle;

int main() {
  SETUP(cudaFree(nullptr));
  cusparseCreate(&handle);
  cusparseMatDescr_t zero = nullptr, one = nullptr;
  cusparseCreateMatDescr(&zero);
  cusparseCreateMatDescr(&one);
  cusparseSetMatIndexBase(one, CUSPARSE_INDEX_BASE_ONE);
  // Blocks of two rows and three columns, three of them; a matrix of 4 rows and 9 columns.
  DeviceValues<int> offsets(std::vector<int>{0, 2, 3}), columns(std::vector<int>{0, 2, 1});
  std::vector<float> numbers;
  for (int i = 0; i < 18; ++i) numbers.push_back(static_cast<float>(i + 1));
  numbers[4] = 0;
  DeviceValues<float> values(numbers);
  for (auto direction : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN})
    for (auto shape : {std::pair<int, int>{3, 2}, {2, 3}, {1, 1}, {4, 9}, {3, 4}}) {
      const std::string at = ".direction_" + std::to_string(direction) + "." + std::to_string(shape.first) +
                             "x" + std::to_string(shape.second);
      const auto lines = static_cast<size_t>((4 + shape.first - 1) / shape.first);
      DeviceValues<int> offsetsC(std::vector<int>(lines + 1, -7)), columnsC(std::vector<int>(24, -7));
      DeviceValues<float> valuesC(std::vector<float>(200, -7));
      int bytes = 0, count = -7;
      OBSERVE("reshape_size" + at,
              code(cusparseSgebsr2gebsr_bufferSize(handle, direction, 2, 3, 3, zero, values, offsets, columns,
                                                   2, 3, shape.first, shape.second, &bytes)));
      Buffer buffer(static_cast<size_t>(bytes));
      OBSERVE("reshape_nnz" + at,
              code(cusparseXgebsr2gebsrNnz(handle, direction, 2, 3, 3, zero, offsets, columns, 2, 3, one,
                                           offsetsC, shape.first, shape.second, &count, buffer)));
      OBSERVE("reshape_nnz.count" + at, count);
      OBSERVE("reshape_nnz.offsets" + at, text(offsetsC.get()));
      OBSERVE("reshape" + at,
              code(cusparseSgebsr2gebsr(handle, direction, 2, 3, 3, zero, values, offsets, columns, 2, 3, one,
                                        valuesC, offsetsC, columnsC, shape.first, shape.second, buffer)));
      std::vector<int> found = columnsC.get();
      std::vector<float> elements = valuesC.get();
      if (count >= 0 && count <= 24) {
        found.resize(static_cast<size_t>(count));
        elements.resize(static_cast<size_t>(count * shape.first * shape.second));
        OBSERVE("reshape.columns" + at, text(found));
        OBSERVE("reshape.values" + at, text(elements));
      }
    }
  for (auto action : {CUSPARSE_ACTION_NUMERIC, CUSPARSE_ACTION_SYMBOLIC}) {
    const std::string at = ".action_" + std::to_string(action);
    DeviceValues<int> rows(std::vector<int>(3, -7)), begins(std::vector<int>(4, -7));
    DeviceValues<float> blocks(std::vector<float>(18, -7));
    int bytes = 0;
    OBSERVE("columns_size" + at,
            code(cusparseSgebsr2gebsc_bufferSize(handle, 2, 3, 3, values, offsets, columns, 2, 3, &bytes)));
    Buffer buffer(static_cast<size_t>(bytes));
    OBSERVE("columns" + at,
            code(cusparseSgebsr2gebsc(handle, 2, 3, 3, values, offsets, columns, 2, 3, blocks, rows, begins,
                                      action, CUSPARSE_INDEX_BASE_ZERO, buffer)));
    OBSERVE("columns.begins" + at, text(begins.get()));
    OBSERVE("columns.rows" + at, text(rows.get()));
    OBSERVE("columns.blocks" + at, text(blocks.get()));
  }
  int bytes = 0;
  OBSERVE("columns_size.negative",
          code(cusparseSgebsr2gebsc_bufferSize(handle, -2, 3, 3, values, offsets, columns, 2, 3, &bytes)));
  OBSERVE("columns_size.no_block",
          code(cusparseSgebsr2gebsc_bufferSize(handle, 2, 3, 3, values, offsets, columns, 0, 3, &bytes)));
  OBSERVE("reshape_size.no_block",
          code(cusparseSgebsr2gebsr_bufferSize(handle, CUSPARSE_DIRECTION_ROW, 2, 3, 3, zero, values, offsets,
                                               columns, 2, 3, 0, 2, &bytes)));
  OBSERVE("reshape_size.direction",
          code(cusparseSgebsr2gebsr_bufferSize(handle, static_cast<cusparseDirection_t>(9), 2, 3, 3, zero,
                                               values, offsets, columns, 2, 3, 3, 2, &bytes)));
}
