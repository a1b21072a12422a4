#include "check_sites.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "mcc/device_plugin/source_facts/source_locations.h"

namespace musashim::mcc {

SiteTable::Place SiteTable::placeOf(const llvm::Instruction& instruction) const {
  const llvm::Function& function = *instruction.getFunction();
  const std::string name = llvm::demangle(function.getName().str());
  Place place{name, module_.getSourceFileName(), 0};
  const llvm::DISubprogram* own = function.getSubprogram();
  if (own != nullptr) place = {name, own->getFilename().str(), own->getLine()};
  const llvm::DILocation* location = instruction.getDebugLoc().get();
  if (location == nullptr) return place;
  location = &callerOf(*location, sdk_);
  place.file = location->getFilename().str();
  if (location->getLine() != 0) place.line = location->getLine();
  // Line tables give inlined functions plain names only.
  const llvm::DISubprogram* program = location->getScope()->getSubprogram();
  if (program != nullptr && program != own) place.function = program->getName().str();
  return place;
}

llvm::GlobalVariable* SiteTable::constant(llvm::Constant* value) {
  auto* variable = new llvm::GlobalVariable(module_, value->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, value, "musa.check.constant");
  constants_.push_back(variable);
  return variable;
}

llvm::Constant* SiteTable::text(const std::string& value) {
  if (value.empty())
    return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module_.getContext()));
  llvm::Constant*& known = texts_[value];
  if (known == nullptr) known = constant(llvm::ConstantDataArray::getString(module_.getContext(), value));
  return known;
}

llvm::Constant* SiteTable::site(const llvm::Instruction& instruction, const SiteFacts& facts) {
  llvm::LLVMContext& context = module_.getContext();
  const auto i8 = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), value);
  };
  const auto i32 = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  };
  const Place place = placeOf(instruction);
  return constant(llvm::ConstantStruct::getAnon(
      {text(place.function), text(place.file), text(facts.variable),
       llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), facts.variableBytes), i32(place.line),
       i32(facts.bytes), i32(facts.align), i8(facts.kind), i8(facts.space), i8(checks_), i8(facts.order)}));
}

}  // namespace musashim::mcc
