#include "module_annotations.h"

#include "llvm/IR/Constants.h"

namespace musashim::mcc {
namespace {

llvm::StringRef annotationText(const llvm::ConstantStruct& entry) {
  const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(entry.getOperand(1)->stripPointerCasts());
  if (text == nullptr || !text->hasInitializer()) return {};
  const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  return data != nullptr && data->isCString() ? data->getAsCString() : llvm::StringRef();
}

}  // namespace

void forEachAnnotation(llvm::Module& module,
                       llvm::function_ref<void(llvm::GlobalValue&, llvm::StringRef)> visit) {
  const llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return;
  for (const llvm::Use& use : llvm::cast<llvm::ConstantArray>(annotations->getInitializer())->operands()) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(use.get());
    if (auto* target = llvm::dyn_cast<llvm::GlobalValue>(entry->getOperand(0)->stripPointerCasts()))
      visit(*target, annotationText(*entry));
  }
}

void removeAnnotations(llvm::Module& module, llvm::StringRef prefix) {
  llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return;
  const auto* all = llvm::cast<llvm::ConstantArray>(annotations->getInitializer());
  llvm::SmallVector<llvm::Constant*> kept;
  for (const llvm::Use& use : all->operands()) {
    auto* entry = llvm::cast<llvm::ConstantStruct>(use.get());
    if (!annotationText(*entry).starts_with(prefix)) kept.push_back(entry);
  }
  if (kept.size() == all->getNumOperands()) return;
  auto* type = llvm::ArrayType::get(all->getType()->getElementType(), kept.size());
  if (!kept.empty()) {
    auto* shorter = new llvm::GlobalVariable(module, type, annotations->isConstant(),
                                             annotations->getLinkage(), llvm::ConstantArray::get(type, kept));
    shorter->takeName(annotations);
    shorter->setSection(annotations->getSection());
  }
  annotations->eraseFromParent();
}

void keepReference(llvm::GlobalVariable& reference) {
  reference.setExternallyInitialized(true);
  if (reference.isDeclaration() || !reference.hasLocalLinkage()) return;
  reference.setLinkage(llvm::GlobalValue::ExternalLinkage);
  reference.setVisibility(llvm::GlobalValue::HiddenVisibility);
}

}  // namespace musashim::mcc
