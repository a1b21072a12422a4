#include "check_accesses.h"

#include "check_calls.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/Local.h"
#include "mcc/device_plugin/kernel_entry/kernel_params.h"
#include "mcc/device_plugin/passes.h"

namespace musashim::mcc {
namespace {

using llvm::Constant;
using llvm::IRBuilder;
using llvm::Value;

constexpr uint64_t kLargestAlign = 16;  // what the widest access of a GPU asks for

// A parameter that the caller made a copy of.
bool isOwnParameter(const Value& object) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(&object);
  if (argument == nullptr) return false;
  return argument->hasByValAttr() || argument->hasStructRetAttr() || isIndirectParam(*argument);
}

uint8_t orderOf(const llvm::Instruction& at) {
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

}  // namespace

void AccessChecks::visit(llvm::Instruction& instruction) {
  if (!code_.wants(MUSA_CHECK_MEMORY | MUSA_CHECK_RACE | MUSA_CHECK_INIT)) return;
  const auto bytes = [this](const Value* value) {
    return layout_.getTypeStoreSize(value->getType()).getFixedValue();
  };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const uint8_t kind = load->isAtomic() ? MUSA_SITE_ATOMIC : MUSA_SITE_READ;
    access(*load, llvm::LoadInst::getPointerOperandIndex(), bytes(load), load->getAlign(), kind);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const uint8_t kind = store->isAtomic() ? MUSA_SITE_ATOMIC : MUSA_SITE_WRITE;
    access(*store, llvm::StoreInst::getPointerOperandIndex(), bytes(store->getValueOperand()),
           store->getAlign(), kind);
  } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    access(*rmw, llvm::AtomicRMWInst::getPointerOperandIndex(), bytes(rmw), rmw->getAlign(),
           MUSA_SITE_ATOMIC);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    access(*exchange, llvm::AtomicCmpXchgInst::getPointerOperandIndex(), bytes(exchange->getCompareOperand()),
           exchange->getAlign(), MUSA_SITE_ATOMIC);
  } else if (auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic))
      range(*copy, 1, copy->getSourceAlign().valueOrOne(), MUSA_SITE_READ);
    range(*intrinsic, 0, intrinsic->getDestAlign().valueOrOne(), MUSA_SITE_WRITE);
  }
}

void AccessChecks::visitArgument(llvm::CallInst& call, unsigned argument, uint64_t bytes, uint8_t kind) {
  access(call, argument, bytes, llvm::Align(bytes), kind);
}

void AccessChecks::access(llvm::Instruction& at, unsigned operand, uint64_t bytes, llvm::Align align,
                          uint8_t kind) {
  Value* pointer = at.getOperand(operand);
  const Target target = targetOf(pointer, bytes);
  if (target.inBounds && target.isPrivate()) return;
  if (const auto* variable = llvm::dyn_cast_or_null<llvm::GlobalVariable>(target.base)) {
    if (variable->getName().starts_with("llvm.")) return;
  }
  at.setOperand(operand, check(at, pointer, target, bytes, std::min(align.value(), kLargestAlign), kind));
}

void AccessChecks::range(llvm::MemIntrinsic& at, unsigned operand, llvm::Align align, uint8_t kind) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(at.getLength());
  const uint64_t bytes = constant != nullptr ? constant->getZExtValue() : 0;
  if (constant != nullptr && bytes == 0) return;
  if (constant != nullptr && bytes <= MUSA_CHECK_LARGEST_ACCESS) {
    access(at, operand, bytes, align, kind);
    return;
  }
  Value* pointer = at.getOperand(operand);
  const Target target = targetOf(pointer, bytes);
  if (constant != nullptr && target.inBounds && target.isPrivate()) return;
  Constant* site = code_.sites.site(
      at, {target.name, target.baseBytes, bytes, std::min(align.value(), kLargestAlign), kind, target.space});
  // Nothing is done where it would be invalid.
  Value* checked = target.base != nullptr ? checkBounds(at, pointer, target, at.getLength(), site) : pointer;
  BuilderBefore builder(at);
  if (checked != pointer) {
    Value* nothing = llvm::ConstantInt::get(at.getLength()->getType(), 0);
    at.setLength(builder.CreateSelect(builder.CreateICmpEQ(checked, pointer), at.getLength(), nothing));
  }
  if (target.base != nullptr && target.space == MUSA_SPACE_LOCAL) return;
  Value* length = builder.CreateCall(
      code_.runtime("__musa_check_range", code_.i64, {code_.ptr, code_.i64, code_.ptr, code_.i32}),
      {pointer, builder.CreateZExtOrTrunc(at.getLength(), code_.i64), site, code_.thread(builder)});
  at.setLength(builder.CreateZExtOrTrunc(length, at.getLength()->getType()));
}

// Returns the address to access.
Value* AccessChecks::check(llvm::Instruction& at, Value* pointer, const Target& target, uint64_t bytes,
                           uint64_t align, uint8_t kind) {
  Constant* site =
      code_.sites.site(at, {target.name, target.baseBytes, bytes, align, kind, target.space, orderOf(at)});
  const uint64_t aligned = llvm::getKnownAlignment(pointer, layout_, &at).value();
  if (target.base != nullptr && !target.inBounds) {
    pointer = checkBounds(at, pointer, target, llvm::ConstantInt::get(code_.i64, bytes), site);
    if (target.space == MUSA_SPACE_LOCAL) return pointer;
  }
  BuilderBefore builder(at);
  Value* bits = kind == MUSA_SITE_WRITE ? storedBits(builder, at) : nullptr;
  const Access access{at,
                      target,
                      bytes,
                      align,
                      aligned,
                      kind,
                      site,
                      bits != nullptr ? bits : builder.getInt64(0),
                      code_.number(bits != nullptr)};
  return target.space == MUSA_SPACE_SHARED ? checkShared(builder, pointer, access)
                                           : checkOther(builder, pointer, access);
}

Value* AccessChecks::checkShared(IRBuilder<>& builder, Value* pointer, const Access& access) {
  const bool dynamic = access.target.base == nullptr;
  if (code_.wants(MUSA_CHECK_MEMORY) && (dynamic || access.aligned < access.align)) {
    Value* shared = code_.field(builder, offsetof(MusaCheckState, shared), code_.i64);
    Value* size = code_.field(builder, offsetof(MusaCheckState, shared_bytes), code_.i64);
    Value* before = builder.getInt64(0);
    if (dynamic) before = code_.field(builder, offsetof(MusaCheckState, dynamic), code_.i64);
    pointer = builder.CreateCall(
        code_.inlined("shared"),
        {builder.CreateAdd(shared, before), builder.CreateSub(size, before), pointer, access.site,
         code_.number(access.bytes), code_.number(access.align), code_.thread(builder)});
  }
  if (!code_.wants(MUSA_CHECK_RACE)) return pointer;
  const uint64_t words = CheckCode::wordsOf(access.bytes);
  if (words != 0 && access.kind != MUSA_SITE_ATOMIC) {
    llvm::SmallVector<Value*, 16> operands = code_.wordOperands(builder);
    operands.append({pointer, access.site, code_.number(access.aligned >= 4), code_.number(access.kind),
                     access.bits, access.known, code_.thread(builder)});
    builder.CreateCall(code_.inlined("race" + std::to_string(words)), operands);
  } else {
    builder.CreateCall(
        code_.runtime(kRaceCheck, code_.none, {code_.ptr, code_.ptr, code_.i32, code_.i64, code_.i32}),
        {pointer, access.site, code_.thread(builder), access.bits, access.known});
  }
  return pointer;
}

Value* AccessChecks::checkOther(IRBuilder<>& builder, Value* pointer, const Access& access) {
  Value* slot = code_.number(nextSlot_++ % MUSA_CHECK_ENTRIES);
  if (orderOf(access.at) != MUSA_ORDER_RELAXED && code_.wants(MUSA_CHECK_RACE)) {
    return builder.CreateCall(
        code_.runtime("__musa_check_access", code_.ptr,
                      {code_.ptr, code_.ptr, code_.i32, code_.i32, code_.i64, code_.i32}),
        {pointer, access.site, slot, code_.thread(builder), access.bits, access.known});
  }
  if (!code_.wants(MUSA_CHECK_MEMORY | MUSA_CHECK_INIT)) {
    Value* shared = code_.field(builder, offsetof(MusaCheckState, shared), code_.i64);
    Value* size = code_.field(builder, offsetof(MusaCheckState, shared_bytes), code_.i64);
    return builder.CreateCall(code_.inlined("generic"), {shared, size, pointer, access.site, slot,
                                                         access.bits, access.known, code_.thread(builder)});
  }
  Value* entries = code_.field(builder, offsetof(MusaCheckState, entries), code_.ptr);
  Value* generation = code_.field(builder, offsetof(MusaCheckState, generation), code_.ptr);
  return builder.CreateCall(
      code_.inlined("access"),
      {entries, generation, pointer, access.site, slot, code_.number(access.bytes),
       code_.number(access.align), code_.number(access.kind), code_.number(code_.wants(MUSA_CHECK_INIT)),
       access.bits, access.known, code_.thread(builder)});
}

// Checks that [pointer, pointer + bytes) is within the variable. Returns the address to access.
Value* AccessChecks::checkBounds(llvm::Instruction& at, Value* pointer, const Target& target, Value* bytes,
                                 Constant* site) {
  if (!code_.wants(MUSA_CHECK_MEMORY)) return pointer;
  BuilderBefore builder(at);
  Value* size = builder.getInt64(target.baseBytes);
  Value* length = builder.CreateZExtOrTrunc(bytes, code_.i64);
  Value* offset = builder.CreateSelect(builder.CreateICmpUGT(length, size), builder.getInt64(UINT64_MAX),
                                       offsetIn(builder, pointer, target.base));
  return builder.CreateCall(code_.inlined("bounds"), {offset, builder.CreateSub(size, length), pointer,
                                                      target.base, site, code_.thread(builder)});
}

AccessChecks::Target AccessChecks::targetOf(Value* pointer, uint64_t bytes) const {
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

bool AccessChecks::isInBounds(Value* pointer, Value* object, const Target& target, uint64_t bytes) const {
  llvm::APInt offset(64, 0);
  const Value* start = pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
  if (start != object) return false;
  if (target.base == nullptr) return target.space == MUSA_SPACE_LOCAL;
  return offset.ule(target.baseBytes) && bytes <= target.baseBytes - offset.getZExtValue();
}

// The offset of `pointer` from `base`. Without ptrtoint where `pointer` is computed by GEPs alone: then the
// variable is still seen not to escape.
Value* AccessChecks::offsetIn(IRBuilder<>& builder, Value* pointer, Value* base) const {
  Value* sum = builder.getInt64(0);
  Value* at = pointer;
  while (auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
    sum = builder.CreateAdd(sum, llvm::emitGEPOffset(&builder, layout_, step));
    at = step->getPointerOperand();
  }
  if (at == base) return sum;
  return builder.CreateSub(builder.CreatePtrToInt(pointer, code_.i64),
                           builder.CreatePtrToInt(base, code_.i64));
}

// The bits of a stored scalar of up to eight bytes, or null.
Value* AccessChecks::storedBits(IRBuilder<>& builder, llvm::Instruction& at) const {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&at);
  if (store == nullptr) return nullptr;
  Value* value = at.getOperand(0);
  llvm::Type* type = value->getType();
  const uint64_t bits = layout_.getTypeSizeInBits(type);
  if (bits > 64 || type->isAggregateType() || type->isX86_AMXTy()) return nullptr;
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, code_.i64);
  Value* integer = builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(bits)));
  return builder.CreateZExt(integer, code_.i64);
}

}  // namespace musashim::mcc
