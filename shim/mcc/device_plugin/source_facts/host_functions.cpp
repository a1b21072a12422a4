#include "host_functions.h"

#include "annotations.h"
#include "declared_functions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "module_annotations.h"

namespace musashim::mcc {
namespace {

// `text`: its annotation (annotations.h).
void failWhereCalled(llvm::Function& function, llvm::StringRef text) {
  const auto [line, file] = text.drop_front(kHostAnnotation.size()).split(':');
  unsigned number = 0;
  line.getAsInteger(10, number);
  llvm::Module& module = *function.getParent();
  function.deleteBody();  // of an inline member
  function.setComdat(nullptr);
  const auto string = [&](llvm::StringRef value) {
    llvm::Constant* text = llvm::ConstantDataArray::getString(module.getContext(), value);
    return new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, text, ".str");
  };
  failAsAssertion(function, string("a __host__ function is not called by device code"), string(file),
                  llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), number),
                  string(llvm::demangle(function.getName().str())));
}

}  // namespace

void failInHostFunctions(llvm::Module& module) {
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    auto* function = llvm::dyn_cast<llvm::Function>(&target);
    if (function != nullptr && text.starts_with(kHostAnnotation)) failWhereCalled(*function, text);
  });
  removeAnnotations(module, kHostAnnotation);
}

}  // namespace musashim::mcc
