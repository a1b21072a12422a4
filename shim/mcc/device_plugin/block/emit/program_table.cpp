#include "program_table.h"

#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {

using llvm::Constant;
using llvm::Function;

ProgramTable::ProgramTable(llvm::Module& module)
    : module_(module),
      i32_(llvm::Type::getInt32Ty(module.getContext())),
      ptr_(llvm::PointerType::getUnqual(module.getContext())),
      type_(llvm::StructType::get(module.getContext(), {ptr_, ptr_, i32_, i32_, i32_})),
      table_(new llvm::GlobalVariable(module, type_, /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
                                      nullptr, kProgramName)) {}

void ProgramTable::fill(Function* run, const RegionGraph& graph, RegionValues& values,
                        const SlotTable& slots) {
  std::vector<Constant*> regions;
  for (const auto& region : graph.regions()) regions.push_back(describe(*region, values, slots));
  auto* array =
      llvm::ConstantArray::get(llvm::ArrayType::get(regions.front()->getType(), regions.size()), regions);
  auto* stored = new llvm::GlobalVariable(module_, array->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                          array, "musa.regions");
  Constant* function = run != nullptr ? static_cast<Constant*>(run) : llvm::ConstantPointerNull::get(ptr_);
  table_->setInitializer(llvm::ConstantStruct::get(
      type_, {function, stored, i32(regions.size()), i32(slots.bytesPerThread()), i32(slots.scalarBytes())}));
}

Constant* ProgramTable::i32(uint64_t value) { return llvm::ConstantInt::get(i32_, value); }

Constant* ProgramTable::operand(const OperandPlace& place, const SlotTable& slots) {
  MusaOperand operand{-1, 0, place.constant != nullptr ? place.constant->getZExtValue() : 0};
  if (place.slot != nullptr) operand = slots.describe(*place.slot);
  auto* constant = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), operand.constant);
  return llvm::ConstantStruct::getAnon(
      {i32(static_cast<uint32_t>(operand.slot)), i32(operand.bytes), constant});
}

Constant* ProgramTable::describe(const Region& region, RegionValues& values, const SlotTable& slots) {
  SuspendPointCode code;
  MusaUnitOp op = MUSA_OP_NONE;
  if (region.completes != nullptr) {
    code = values.code(*region.completes);
    op = region.completes->op;
  }
  return llvm::ConstantStruct::getAnon({i32(op), i32(region.converged ? MUSA_REGION_CONVERGED : 0),
                                        operand(code.mask, slots), operand(code.value, slots),
                                        operand(code.argument, slots), operand(code.width, slots),
                                        operand({nullptr, code.result}, slots)});
}

}  // namespace musashim::mcc
