#include "host_functions.h"

#include "annotations.h"
#include "declared_functions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "module_annotations.h"

namespace musashim::mcc {
namespace {

void failWith(llvm::Function& function, llvm::StringRef expected, llvm::StringRef file, unsigned line,
              llvm::StringRef where) {
  llvm::Module& module = *function.getParent();
  const auto string = [&](llvm::StringRef value) {
    llvm::Constant* text = llvm::ConstantDataArray::getString(module.getContext(), value);
    return new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, text, ".str");
  };
  failAsAssertion(function, string(expected), string(file),
                  llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), line), string(where));
}

// `text`: its annotation (annotations.h).
void failWhereCalled(llvm::Function& function, llvm::StringRef text) {
  const auto [line, file] = text.drop_front(kHostAnnotation.size()).split(':');
  unsigned number = 0;
  line.getAsInteger(10, number);
  function.deleteBody();  // of an inline member
  function.setComdat(nullptr);
  failWith(function, "a __host__ function is not called by device code", file, number,
           llvm::demangle(function.getName().str()));
}

// What `throw` begins and ends with.
void failAtThrows(llvm::Module& module) {
  for (const char* name : {"__cxa_allocate_exception", "__cxa_throw", "__cxa_rethrow"}) {
    llvm::Function* function = module.getFunction(name);
    if (function != nullptr && function->isDeclaration())
      failWith(*function, "device code throws no exceptions", module.getSourceFileName(), 0, "throw");
  }
}

}  // namespace

void failInHostFunctions(llvm::Module& module) {
  forEachAnnotation(module, [](llvm::GlobalValue& target, llvm::StringRef text) {
    auto* function = llvm::dyn_cast<llvm::Function>(&target);
    if (function != nullptr && text.starts_with(kHostAnnotation)) failWhereCalled(*function, text);
  });
  removeAnnotations(module, kHostAnnotation);
  failAtThrows(module);
}

}  // namespace musashim::mcc
