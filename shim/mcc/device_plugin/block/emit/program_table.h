// The table that tells the runtime of a unit's program: its function, its regions, and where their operands
// are.
#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "mcc/device_plugin/block/values/region_values.h"

namespace musashim::mcc {

class ProgramTable {
 public:
  explicit ProgramTable(llvm::Module& module);

  llvm::GlobalVariable* table() const { return table_; }
  // `run`: the unit's function; null for a block's.
  void fill(llvm::Function* run, const RegionGraph& graph, RegionValues& values, const SlotTable& slots);

 private:
  llvm::Constant* i32(uint64_t value);
  llvm::Constant* operand(const OperandPlace& place, const SlotTable& slots);
  llvm::Constant* describe(const Region& region, RegionValues& values, const SlotTable& slots);

  llvm::Module& module_;
  llvm::Type* i32_;
  llvm::PointerType* ptr_;
  llvm::StructType* type_;
  llvm::GlobalVariable* table_;
};

}  // namespace musashim::mcc
