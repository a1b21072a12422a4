// bool as nvcc has it in device code: a signed byte. Every byte but 0 is true where a condition is asked for,
// copies keep the byte, and a bool that becomes a number or is compared is the byte itself (of bytes other
// than 0 and 1 C++ says nothing; conformance/cases/language/bool_bytes.cu). Clang has bits instead: it takes
// the lowest bit of a byte, and promises that the others are 0. So before any pass believes that, bools are
// followed from where they are loaded, through parameters and results of functions, to where they are used.
// A bool that the two ways of `?:` or `&&` make anew is 0 or 1. A bit-field is true unless it is 0.
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

bool isBool(Type* type, bool zeroExtended) { return zeroExtended && type->isIntegerTy(1); }

// The signature of a call or a function with bytes in the place of bools.
struct ByteSignature {
  FunctionType* type;
  AttributeList attributes;
  bool changed = false;
  bool changesResult = false;
  SmallVector<unsigned> parameters;

  ByteSignature(FunctionType* bits, AttributeList given) : type(bits), attributes(given) {
    LLVMContext& context = bits->getContext();
    Type* byte = Type::getInt8Ty(context);
    SmallVector<Type*> types(bits->params());
    for (unsigned i = 0; i < types.size(); ++i) {
      if (!isBool(types[i], given.hasParamAttr(i, Attribute::ZExt))) continue;
      types[i] = byte;
      parameters.push_back(i);
      attributes = attributes.removeParamAttribute(context, i, Attribute::ZExt)
                       .addParamAttribute(context, i, Attribute::SExt);
    }
    changesResult = isBool(bits->getReturnType(), given.hasRetAttr(Attribute::ZExt));
    if (changesResult)
      attributes =
          attributes.removeRetAttribute(context, Attribute::ZExt).addRetAttribute(context, Attribute::SExt);
    changed = changesResult || !parameters.empty();
    type = FunctionType::get(changesResult ? byte : bits->getReturnType(), types, bits->isVarArg());
  }
};

// The byte of a bool.
Value* byteOf(Value* value, IRBuilder<>& builder) {
  Value* byte = nullptr;
  if (match(value, m_Trunc(m_Value(byte))) && byte->getType()->isIntegerTy(8)) return byte;
  return builder.CreateZExt(value, builder.getInt8Ty());
}

// From here on, `value`, a bit, is what a byte says.
void readFrom(Value& value, Value* byte, IRBuilder<>& builder) {
  value.replaceAllUsesWith(builder.CreateTrunc(byte, builder.getInt1Ty()));
}

// The device runtime, and the compiler's own functions, pass bits.
bool hasOwnSignature(const Function& function) {
  return function.isDeclaration() || function.getName().starts_with("__musa_");
}

Function* withBytes(Function& function, const ByteSignature& signature) {
  Function* changed = Function::Create(signature.type, function.getLinkage(), function.getAddressSpace());
  function.getParent()->getFunctionList().insert(function.getIterator(), changed);
  changed->copyAttributesFrom(&function);
  changed->setAttributes(signature.attributes);
  changed->setComdat(function.getComdat());
  changed->copyMetadata(&function, 0);
  changed->takeName(&function);
  changed->splice(changed->begin(), &function);
  IRBuilder<> builder(&*changed->getEntryBlock().getFirstInsertionPt());
  for (Argument& old : function.args()) {
    Argument* argument = changed->getArg(old.getArgNo());
    argument->takeName(&old);
    if (argument->getType() == old.getType()) {
      old.replaceAllUsesWith(argument);
    } else {
      readFrom(old, argument, builder);
    }
  }
  if (signature.changesResult) {
    for (BasicBlock& block : *changed) {
      auto* end = dyn_cast<ReturnInst>(block.getTerminator());
      if (end == nullptr) continue;
      IRBuilder<> atEnd(end);
      atEnd.CreateRet(byteOf(end->getReturnValue(), atEnd));
      end->eraseFromParent();
    }
  }
  function.replaceAllUsesWith(changed);
  function.eraseFromParent();
  return changed;
}

void passBytes(CallInst& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
  if (call.isInlineAsm() || (callee != nullptr && hasOwnSignature(*callee))) return;
  const ByteSignature signature(call.getFunctionType(), call.getAttributes());
  if (!signature.changed) return;
  IRBuilder<> builder(&call);
  SmallVector<Value*> arguments(call.args());
  for (const unsigned i : signature.parameters) arguments[i] = byteOf(arguments[i], builder);
  SmallVector<OperandBundleDef> bundles;
  call.getOperandBundlesAsDefs(bundles);
  CallInst* changed = builder.CreateCall(signature.type, call.getCalledOperand(), arguments, bundles);
  changed->setAttributes(signature.attributes);
  changed->setCallingConv(call.getCallingConv());
  changed->setTailCallKind(call.getTailCallKind());
  changed->copyMetadata(call);
  if (signature.changesResult) {
    readFrom(call, changed, builder);
  } else {
    call.replaceAllUsesWith(changed);
  }
  call.eraseFromParent();
}

// Clang keeps the result of a function with several `return` in a variable of one bit.
void keepByte(AllocaInst& variable) {
  const auto isOwn = [&](User* user) {
    const auto* store = dyn_cast<StoreInst>(user);
    return isa<LoadInst>(user) || (store != nullptr && store->getPointerOperand() == &variable);
  };
  if (!variable.getAllocatedType()->isIntegerTy(1) || !all_of(variable.users(), isOwn)) return;
  variable.setAllocatedType(Type::getInt8Ty(variable.getContext()));
  for (User* user : make_early_inc_range(variable.users())) {
    IRBuilder<> builder(cast<Instruction>(user));
    if (auto* store = dyn_cast<StoreInst>(user)) {
      store->setOperand(0, byteOf(store->getValueOperand(), builder));
    } else {
      auto* load = cast<LoadInst>(user);
      readFrom(*load, builder.CreateLoad(builder.getInt8Ty(), &variable), builder);
      load->eraseFromParent();
    }
  }
}

// Clang reads a bit-field by shifts and a mask.
bool isLoaded(Value* value) {
  Value* inner = value;
  while (match(inner, m_Shift(m_Value(inner), m_ConstantInt())) ||
         match(inner, m_And(m_Value(inner), m_ConstantInt()))) {
  }
  return isa<LoadInst>(inner);
}

// A bit that was taken from a byte, or from a bit-field, becomes what the byte says.
void useByte(TruncInst& bit) {
  Value* source = bit.getOperand(0);
  const bool isByte = source->getType()->isIntegerTy(8) && !isa<BinaryOperator>(source);
  if (!isByte && !isLoaded(source)) return;
  if (auto* load = dyn_cast<LoadInst>(source)) load->setMetadata(LLVMContext::MD_range, nullptr);
  if (isByte) {
    for (User* user : make_early_inc_range(bit.users())) {
      auto& instruction = *cast<Instruction>(user);
      IRBuilder<> builder(&instruction);
      Value* number = nullptr;
      if (isa<ZExtInst>(user)) number = builder.CreateSExt(source, user->getType());
      if (isa<UIToFPInst>(user)) number = builder.CreateSIToFP(source, user->getType());
      if (number == nullptr) continue;
      instruction.replaceAllUsesWith(number);
      instruction.eraseFromParent();
    }
  }
  if (!bit.use_empty()) {
    IRBuilder<> builder(&bit);
    bit.replaceAllUsesWith(builder.CreateIsNotNull(source));
  }
  bit.eraseFromParent();
}

template <class Kind>
SmallVector<Kind*> all(Function& function) {
  SmallVector<Kind*> found;
  for (Instruction& instruction : instructions(function)) {
    if (auto* one = dyn_cast<Kind>(&instruction); one != nullptr) found.push_back(one);
  }
  return found;
}

}  // namespace

PreservedAnalyses BoolBytes::run(Module& module, ModuleAnalysisManager&) {
  // Results first: whoever calls or returns one takes the byte that it finds.
  for (Function& function : make_early_inc_range(module)) {
    const ByteSignature signature(function.getFunctionType(), function.getAttributes());
    if (signature.changed && !hasOwnSignature(function)) withBytes(function, signature);
  }
  for (Function& function : module) {
    for (AllocaInst* variable : all<AllocaInst>(function)) keepByte(*variable);
    for (CallInst* call : all<CallInst>(function)) passBytes(*call);
    for (TruncInst* bit : all<TruncInst>(function)) {
      if (bit->getType()->isIntegerTy(1)) useByte(*bit);
    }
  }
  return PreservedAnalyses::none();
}

}  // namespace musashim::mcc
