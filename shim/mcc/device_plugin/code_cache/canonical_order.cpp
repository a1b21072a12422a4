#include "canonical_order.h"

#include <algorithm>

#include "llvm/IR/Constants.h"

namespace musashim::mcc {
namespace {

// Lists whose order means nothing.
constexpr llvm::StringRef kLists[] = {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"};

void arrange(llvm::Module& module, const std::vector<llvm::Function*>& order) {
  auto& list = module.getFunctionList();
  for (llvm::Function* function : order) list.splice(list.end(), list, function->getIterator());
}

void arrange(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& order) {
  for (llvm::GlobalVariable* variable : order) {
    module.removeGlobalVariable(variable);
    module.insertGlobalVariable(variable);
  }
}

// Of the same name are those that have none.
template <typename Value, typename Name>
std::vector<Value*> sorted(const std::vector<Value*>& values, Name nameOf) {
  std::vector<std::pair<llvm::StringRef, size_t>> order;
  for (Value* value : values) order.emplace_back(nameOf(value), order.size());
  std::sort(order.begin(), order.end());
  std::vector<Value*> result;
  for (const auto& [name, place] : order) result.push_back(values[place]);
  return result;
}

llvm::StringRef nameOf(const llvm::GlobalValue* value) { return value->getName(); }

// The name of what an element of a list is about.
llvm::StringRef subjectOf(const llvm::Value* element) {
  if (const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(element)) element = fields->getOperand(0);
  return element->stripPointerCasts()->getName();
}

llvm::Constant* sortedList(llvm::ConstantArray& list) {
  std::vector<llvm::Constant*> elements;
  for (const llvm::Use& element : list.operands()) elements.push_back(llvm::cast<llvm::Constant>(element));
  return llvm::ConstantArray::get(list.getType(), sorted(elements, subjectOf));
}

}  // namespace

CanonicalOrder::CanonicalOrder(llvm::Module& module) : module_(module) {
  for (llvm::Function& function : module) functions_.push_back(&function);
  for (llvm::GlobalVariable& variable : module.globals()) variables_.push_back(&variable);
  arrange(module, sorted(functions_, nameOf));
  arrange(module, sorted(variables_, nameOf));
  for (const llvm::StringRef name : kLists) {
    llvm::GlobalVariable* list = module.getNamedGlobal(name);
    if (list == nullptr || !list->hasInitializer()) continue;
    auto* elements = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer());
    if (elements == nullptr) continue;
    lists_.emplace_back(list, elements);
    list->setInitializer(sortedList(*elements));
  }
}

CanonicalOrder::~CanonicalOrder() {
  for (const auto& [list, elements] : lists_) list->setInitializer(elements);
  arrange(module_, functions_);
  arrange(module_, variables_);
}

}  // namespace musashim::mcc
