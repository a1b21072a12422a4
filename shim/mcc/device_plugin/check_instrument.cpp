#include "check_instrument.h"

#include "abi/musa_check_abi.h"
#include "annotations.h"
#include "block/suspensions.h"
#include "check_options.h"
#include "check_sites.h"
#include "device_builtins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "passes.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

constexpr uint64_t kLargestAlign = 16;  // what the widest access of a GPU asks for

// What an access goes to, as far as the compiler can see.
struct Target {
  Value* base = nullptr;  // alloca or global variable with a size; else null
  uint64_t baseBytes = 0;
  uint8_t space = MUSA_SPACE_GENERIC;
  std::string name;
  bool inBounds = false;  // proven
};

class Instrumenter {
 public:
  Instrumenter(llvm::Module& module, uint8_t checks)
      : module_(module),
        context_(module.getContext()),
        layout_(module.getDataLayout()),
        sites_(module, checks, checkSdkFolder()),
        void_(llvm::Type::getVoidTy(context_)),
        ptr_(llvm::PointerType::getUnqual(context_)),
        i32_(llvm::Type::getInt32Ty(context_)),
        i64_(llvm::Type::getInt64Ty(context_)),
        checks_(checks) {}

  void run() {
    llvm::SmallVector<llvm::GlobalVariable*, 16> variables = ownVariables();
    for (Function& function : module_) {
      if (isInstrumented(function)) instrument(function);
    }
    registerVariables(variables);
  }

 private:
  llvm::FunctionCallee runtime(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> types) {
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    llvm::cast<Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  }

  // --- Variables of the image -----------------------------------------------------

  llvm::SmallVector<llvm::GlobalVariable*, 16> ownVariables() {
    llvm::SmallVector<llvm::GlobalVariable*, 16> variables;
    for (llvm::GlobalVariable& global : module_.globals()) {
      const bool special = global.getName().starts_with("llvm.") || global.isThreadLocal() ||
                           global.getSection() == "llvm.metadata";
      if (special || global.isDeclaration() || global.hasAttribute(kSharedAnnotation)) continue;
      if (layout_.getTypeAllocSize(global.getValueType()) != 0) variables.push_back(&global);
    }
    return variables;
  }

  void registerVariables(llvm::ArrayRef<llvm::GlobalVariable*> variables) {
    std::vector<Constant*> rows;
    for (llvm::GlobalVariable* variable : variables) {
      const uint64_t bytes = layout_.getTypeAllocSize(variable->getValueType());
      rows.push_back(llvm::ConstantStruct::getAnon(
          {variable, llvm::ConstantInt::get(i64_, bytes), sites_.text(variable->getName().str())}));
    }
    Constant* table = llvm::ConstantPointerNull::get(ptr_);
    if (!rows.empty()) {
      auto* type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
      table = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                       llvm::ConstantArray::get(type, rows), "musa.check.variables");
    }
    Value* count = llvm::ConstantInt::get(i64_, rows.size());
    Function* begin = imageFunction("musa.check.begin", [&](IRBuilder<>& builder) {
      builder.CreateCall(runtime("__musa_check_register", void_, {ptr_, i64_, i32_}),
                         {table, count, builder.getInt32(checks_)});
    });
    Function* end = imageFunction("musa.check.end", [&](IRBuilder<>& builder) {
      builder.CreateCall(runtime("__musa_check_unregister", void_, {ptr_, i64_}), {table, count});
    });
    llvm::appendToGlobalCtors(module_, begin, 65535);
    llvm::appendToGlobalDtors(module_, end, 65535);
  }

  template <typename Body>
  Function* imageFunction(llvm::StringRef name, Body body) {
    Function* function = Function::Create(llvm::FunctionType::get(void_, false),
                                          llvm::GlobalValue::InternalLinkage, name, module_);
    IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", function));
    body(builder);
    builder.CreateRetVoid();
    return function;
  }

  // --- Functions --------------------------------------------------------------------

  // The SDK's own reads of what the runtime keeps in host memory stay out of it, as they
  // would of LLVM's sanitizers.
  static bool isInstrumented(const Function& function) {
    return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
           !function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation);
  }

  void instrument(Function& function) {
    llvm::SmallVector<llvm::Instruction*, 64> work;
    for (llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
    for (llvm::Instruction* instruction : work) visit(*instruction);
    if (!function.hasFnAttribute(kKernelAttribute)) return;
    function.addFnAttr(kCheckedAttribute);
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    locateAtStart(builder, function);
    builder.CreateCall(runtime("__musa_check_enter", void_, {}));
  }

  // Calls without a location cannot be inlined into functions with debug info.
  void locateAtStart(IRBuilder<>& builder, Function& function) {
    if (llvm::DISubprogram* program = function.getSubprogram()) {
      builder.SetCurrentDebugLocation(llvm::DILocation::get(context_, program->getLine(), 0, program));
    }
  }

  bool wants(unsigned checks) const { return (checks_ & checks) != 0; }

  void visit(llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      const Function* callee = call->getCalledFunction();
      if (callee != nullptr && !callee->isIntrinsic()) visitCall(*call, callee->getName());
    }
    if (wants(MUSA_CHECK_MEMORY | MUSA_CHECK_RACE | MUSA_CHECK_INIT)) visitAccess(instruction);
  }

  void visitAccess(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const uint8_t kind = load->isAtomic() ? MUSA_SITE_ATOMIC : MUSA_SITE_READ;
      access(*load, load->getPointerOperand(), load->getType(), load->getAlign(), kind);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const uint8_t kind = store->isAtomic() ? MUSA_SITE_ATOMIC : MUSA_SITE_WRITE;
      access(*store, store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(),
             kind);
    } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      access(*rmw, rmw->getPointerOperand(), rmw->getType(), rmw->getAlign(), MUSA_SITE_ATOMIC);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      access(*exchange, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(),
             exchange->getAlign(), MUSA_SITE_ATOMIC);
    } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
      range(*set, set->getRawDest(), *set->getLength(), set->getDestAlign().valueOrOne(), MUSA_SITE_WRITE);
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      range(*copy, copy->getRawSource(), *copy->getLength(), copy->getSourceAlign().valueOrOne(),
            MUSA_SITE_READ);
      range(*copy, copy->getRawDest(), *copy->getLength(), copy->getDestAlign().valueOrOne(),
            MUSA_SITE_WRITE);
    }
  }

  void visitCall(llvm::CallInst& call, llvm::StringRef name) {
    IRBuilder<> builder(&call);
    const MusaUnitOp op = unitOp(name).value_or(MUSA_OP_NONE);
    if (musaOpIsBarrier(op)) {
      builder.CreateCall(runtime("__musa_check_barrier", void_, {ptr_}),
                         {plainSite(call, MUSA_SITE_BARRIER)});
    } else if (musaOpIsWarps(op) && op != MUSA_OP_ACTIVEMASK) {
      const uint8_t kind = name == "__musa_syncwarp" ? MUSA_SITE_SYNCWARP : MUSA_SITE_WARP;
      builder.CreateCall(runtime("__musa_check_warp", void_, {ptr_, i32_}),
                         {plainSite(call, kind), call.getArgOperand(0)});
      if (name == "__musa_match_all") {  // the runtime stores to *predicate
        const Target target = targetOf(call.getArgOperand(2), 4);
        if (!target.inBounds) checkAccess(call, call.getArgOperand(2), target, 4, 4, MUSA_SITE_WRITE);
      }
    } else if (name == "__musa_malloc") {
      replaceHeapCall(call, runtime("__musa_check_malloc", ptr_, {i64_, ptr_}));
    } else if (name == "__musa_free") {
      replaceHeapCall(call, runtime("__musa_check_free", void_, {ptr_, ptr_}));
    }
  }

  void replaceHeapCall(llvm::CallInst& call, llvm::FunctionCallee callee) {
    IRBuilder<> builder(&call);
    Value* result = builder.CreateCall(callee, {call.getArgOperand(0), plainSite(call, MUSA_SITE_HEAP)});
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  Constant* plainSite(const llvm::Instruction& instruction, uint8_t kind) {
    SiteFacts facts;
    facts.kind = kind;
    return sites_.site(instruction, facts);
  }

  // --- Accesses -----------------------------------------------------------------------

  Target targetOf(Value* pointer, uint64_t bytes) {
    Target target;
    Value* object = llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0);
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      const std::optional<llvm::TypeSize> size = slot->getAllocationSize(layout_);
      if (!size || size->isScalable()) return target;
      target = {slot, size->getFixedValue(), MUSA_SPACE_LOCAL, slot->getName().str(), false};
    } else if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      llvm::StringRef name = global->getName();
      const bool dynamic = name.consume_front(kDynamicSharedPrefix);
      const bool shared = dynamic || global->hasAttribute(kSharedAnnotation);
      const uint64_t size = layout_.getTypeAllocSize(global->getValueType());
      target.space = shared ? MUSA_SPACE_SHARED : MUSA_SPACE_VARIABLE;
      target.name = name.str();
      if (dynamic || size == 0) return target;  // its size is the launch's affair
      target.base = global;
      target.baseBytes = size;
    } else if (isOwnParameter(*object)) {
      target.space = MUSA_SPACE_LOCAL;
    }
    target.inBounds = isInBounds(pointer, object, target, bytes);
    return target;
  }

  // A parameter that the caller made a copy of.
  static bool isOwnParameter(const Value& object) {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(&object);
    if (argument == nullptr) return false;
    if (argument->hasByValAttr() || argument->hasStructRetAttr()) return true;
    KernelAnnotation kernel;
    const llvm::StringRef text = argument->getParent()->getFnAttribute(kKernelAttribute).getValueAsString();
    if (!decodeKernel({text.data(), text.size()}, kernel)) return false;
    return argument->getArgNo() < kernel.params.size() && kernel.params[argument->getArgNo()].indirect;
  }

  bool isInBounds(Value* pointer, Value* object, const Target& target, uint64_t bytes) {
    llvm::APInt offset(64, 0);
    const Value* start =
        pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    if (start != object) return false;
    if (target.base == nullptr) return target.space == MUSA_SPACE_LOCAL;
    return offset.ule(target.baseBytes) && bytes <= target.baseBytes - offset.getZExtValue();
  }

  static uint8_t orderOf(const llvm::Instruction& at) {
    llvm::AtomicOrdering order = llvm::AtomicOrdering::NotAtomic;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&at)) order = load->getOrdering();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at)) order = store->getOrdering();
    if (const auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&at)) order = rmw->getOrdering();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&at)) {
      order = exchange->getMergedOrdering();
    }
    const bool acquires = llvm::isAcquireOrStronger(order) && at.mayReadFromMemory();
    const bool releases = llvm::isReleaseOrStronger(order) && at.mayWriteToMemory();
    return static_cast<uint8_t>((acquires ? MUSA_ORDER_ACQUIRE : 0) | (releases ? MUSA_ORDER_RELEASE : 0));
  }

  void access(llvm::Instruction& at, Value* pointer, llvm::Type* type, llvm::Align align, uint8_t kind) {
    const uint64_t bytes = layout_.getTypeStoreSize(type);
    const Target target = targetOf(pointer, bytes);
    const bool isPrivate = target.space == MUSA_SPACE_LOCAL || target.space == MUSA_SPACE_VARIABLE;
    if (target.inBounds && isPrivate) return;
    if (llvm::GlobalValue* constant = llvm::dyn_cast_or_null<llvm::GlobalVariable>(target.base)) {
      if (constant->getName().starts_with("llvm.")) return;
    }
    checkAccess(at, pointer, target, bytes, std::min(align.value(), kLargestAlign), kind);
  }

  void checkAccess(llvm::Instruction& at, Value* pointer, const Target& target, uint64_t bytes,
                   uint64_t align, uint8_t kind) {
    Constant* site =
        sites_.site(at, {target.name, target.baseBytes, bytes, align, kind, target.space, orderOf(at)});
    if (target.base != nullptr && !target.inBounds) {
      checkBounds(at, pointer, target, llvm::ConstantInt::get(i64_, bytes), site);
      if (target.space == MUSA_SPACE_LOCAL) return;
    }
    IRBuilder<> builder(&at);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&at);
    if (store == nullptr || kind != MUSA_SITE_WRITE) {
      builder.CreateCall(runtime("__musa_check_access", void_, {ptr_, ptr_}), {pointer, site});
      return;
    }
    Value* bits = bitsOf(builder, store->getValueOperand());
    const bool known = bits != nullptr;
    builder.CreateCall(runtime("__musa_check_store", void_, {ptr_, ptr_, i64_, i32_}),
                       {pointer, site, known ? bits : builder.getInt64(0), builder.getInt32(known)});
  }

  // The bits of a scalar of up to eight bytes, or null.
  Value* bitsOf(IRBuilder<>& builder, Value* value) {
    llvm::Type* type = value->getType();
    const uint64_t bits = layout_.getTypeSizeInBits(type);
    if (bits > 64 || type->isAggregateType() || type->isX86_AMXTy()) return nullptr;
    if (type->isPointerTy()) return builder.CreatePtrToInt(value, i64_);
    Value* integer = builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(bits)));
    return builder.CreateZExt(integer, i64_);
  }

  void range(llvm::Instruction& at, Value* pointer, Value& length, llvm::Align align, uint8_t kind) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&length);
    const uint64_t bytes = constant != nullptr ? constant->getZExtValue() : 0;
    if (constant != nullptr && bytes == 0) return;
    Target target = targetOf(pointer, bytes);
    if (constant == nullptr) target.inBounds = false;
    const bool isPrivate = target.space == MUSA_SPACE_LOCAL || target.space == MUSA_SPACE_VARIABLE;
    if (target.inBounds && isPrivate) return;
    Constant* site = sites_.site(at, {target.name, target.baseBytes, bytes,
                                      std::min(align.value(), kLargestAlign), kind, target.space});
    if (target.base != nullptr && !target.inBounds) {
      checkBounds(at, pointer, target, &length, site);
      if (target.space == MUSA_SPACE_LOCAL) return;
    }
    IRBuilder<> builder(&at);
    builder.CreateCall(runtime("__musa_check_range", void_, {ptr_, i64_, ptr_}),
                       {pointer, builder.CreateZExtOrTrunc(&length, i64_), site});
  }

  // if ([pointer, pointer + bytes) leaves the variable) report, and end the thread.
  void checkBounds(llvm::Instruction& at, Value* pointer, const Target& target, Value* bytes,
                   Constant* site) {
    if (!wants(MUSA_CHECK_MEMORY)) return;
    IRBuilder<> builder(&at);
    Value* offset =
        builder.CreateSub(builder.CreatePtrToInt(pointer, i64_), builder.CreatePtrToInt(target.base, i64_));
    Value* size = builder.getInt64(target.baseBytes);
    Value* length = builder.CreateZExtOrTrunc(bytes, i64_);
    Value* outside = builder.CreateOr(builder.CreateICmpUGT(length, size),
                                      builder.CreateICmpUGT(offset, builder.CreateSub(size, length)));
    llvm::Instruction* report =
        llvm::SplitBlockAndInsertIfThen(outside, at.getIterator(), /*Unreachable=*/true,
                                        llvm::MDBuilder(context_).createBranchWeights(1, 1 << 20));
    IRBuilder<> cold(report);
    cold.SetCurrentDebugLocation(at.getDebugLoc());
    llvm::CallInst* call = cold.CreateCall(runtime("__musa_check_bounds", void_, {ptr_, ptr_, ptr_}),
                                           {pointer, target.base, site});
    call->setDoesNotReturn();
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  SiteTable sites_;
  llvm::Type* const void_;
  llvm::PointerType* const ptr_;
  llvm::Type* const i32_;
  llvm::Type* const i64_;
  const uint8_t checks_;
};

}  // namespace

llvm::PreservedAnalyses CheckInstrument::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const uint8_t checks = enabledChecks();
  if (checks == 0) return llvm::PreservedAnalyses::all();
  Instrumenter(module, checks).run();
  return llvm::PreservedAnalyses::none();
}

}  // namespace musashim::mcc
