// Barriers and warp operations of converged units.
#include "emitter.h"
#include "inter_warp_loops.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Value;

void UnitEmitter::emitOperation(const Region& target, BasicBlock* at) {
  Builder builder(at);
  const MusaUnitOp op = target.completes->op;
  if (op == MUSA_OP_YIELD && unit_.kind == UnitKind::kBlock) {
    auto sleep = runtime("__musa_nanosleep", builder.getVoidTy(), {builder.getInt32Ty()});
    builder.CreateCall(sleep,
                       {operandOf(values_.code(*target.completes).argument, builder, builder.getInt64(0))});
  } else if (musaOpLeavesUnit(op)) {
    emitBarrier(target, builder);
  } else {
    emitWarpOp(target, builder);
  }
  if (builder.GetInsertBlock()->getTerminator() == nullptr)
    builder.CreateBr(values_.code(target).scalarPrologue);
}

namespace {

// The state of a converged warp that is suspended there.
MusaUnitState stateAt(MusaUnitOp op) {
  if (op == MUSA_OP_BARRIER) return MUSA_UNIT_AT_BARRIER;
  if (op == MUSA_OP_STEP) return MUSA_UNIT_AT_STEP;
  return op == MUSA_OP_YIELD ? MUSA_UNIT_YIELDS : MUSA_UNIT_AT_RELEASE;
}

// The lanes of the mask that have the value `own`. For match_all none, unless all have it.
Value* matched(llvm::IRBuilder<>& builder, MusaUnitOp op, Value* values, Value* own, Value* mask) {
  Value* same = builder.CreateICmpEQ(values, builder.CreateVectorSplat(32, own));
  Value* result = builder.CreateAnd(builder.CreateBitCast(same, builder.getInt32Ty()), mask);
  if (op != MUSA_OP_MATCH_ALL) return result;
  return builder.CreateSelect(builder.CreateICmpEQ(result, mask), mask, builder.getInt32(0));
}

}  // namespace

void UnitEmitter::emitBarrier(const Region& target, Builder& builder) {
  if (unit_.kind == UnitKind::kBlock) {
    if (target.completes->op == MUSA_OP_GRID_BARRIER) {
      auto wait = runtime("__musa_grid_barrier", builder.getVoidTy(), {builder.getPtrTy()});
      builder.CreateCall(wait, {unit_.context});
    }
    if (values_.code(*target.completes).result != nullptr) emitBarrierReduction(target, builder);
    return;
  }
  // The block's other warps come first.
  spill(builder, liveness_->before(target));
  auto* place = builder.CreateStore(builder.getInt32(target.index), unit_.field(builder, kUnitResumeField));
  place->setMetadata(kPlaceMetadata, llvm::MDNode::get(context_, {}));
  builder.CreateRet(builder.getInt32(stateAt(target.completes->op)));
}

Value* UnitEmitter::operandOf(const OperandPlace& place, Builder& builder, Value* lane) {
  if (place.constant != nullptr) return place.constant;
  auto* load = builder.CreateLoad(place.slot->bits(), slots_.elementAddress(builder, *place.slot, lane));
  slots_.aliasing().markFrameAccess(*load);
  return load;
}

void UnitEmitter::fillResult(const SuspendPointCode& code, Builder& builder, Value* value) {
  CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "fill");
  auto* store = builder.CreateStore(value, slots_.elementAddress(builder, *code.result, loop.index));
  slots_.aliasing().markFrameAccess(*store);
  closeLoop(builder, loop, threadCount(builder));
}

void UnitEmitter::emitBarrierReduction(const Region& target, Builder& builder) {
  const SuspendPointCode& code = values_.code(*target.completes);
  llvm::Type* i32 = builder.getInt32Ty();
  BasicBlock* before = builder.GetInsertBlock();
  CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "count");
  llvm::PHINode* sum = builder.CreatePHI(i32, 2);
  sum->addIncoming(builder.getInt32(0), before);
  Value* holds = builder.CreateIsNotNull(operandOf(code.value, builder, loop.index));
  Value* next = builder.CreateAdd(sum, builder.CreateZExt(holds, i32));
  sum->addIncoming(next, builder.GetInsertBlock());
  closeLoop(builder, loop, threadCount(builder));
  Value* result = next;
  if (target.completes->op == MUSA_OP_BARRIER_OR)
    result = builder.CreateZExt(builder.CreateIsNotNull(next), i32);
  if (target.completes->op == MUSA_OP_BARRIER_AND) {
    Value* all = builder.CreateTrunc(threadCount(builder), i32);
    result = builder.CreateZExt(builder.CreateICmpEQ(next, all), i32);
  }
  fillResult(code, builder, result);
}

// --- Warps -----------------------------------------------------------------------------------

// All lanes are here, so the mask names no others. Masks matter only where the result depends on them.
void UnitEmitter::emitWarpOp(const Region& target, Builder& builder) {
  const SuspendPoint& suspendPoint = *target.completes;
  const SuspendPointCode& code = values_.code(suspendPoint);
  if (code.result == nullptr) return;  // ordering alone: the regions' order is enough
  if (suspendPoint.op == MUSA_OP_ACTIVEMASK) {
    fillResult(code, builder, builder.getInt32(~0u));
  } else if (suspendPoint.op >= MUSA_OP_MATCH_ANY) {
    emitMatch(suspendPoint, code, builder);
  } else if (suspendPoint.op >= MUSA_OP_BALLOT) {
    emitVote(suspendPoint, code, builder);
  } else {
    emitShuffle(suspendPoint, code, builder);
  }
}

// An operand of the 32 lanes from `group` on, as one vector.
Value* UnitEmitter::operandsOf(const OperandPlace& place, unsigned group, Builder& builder) {
  if (place.constant != nullptr) return builder.CreateVectorSplat(32, place.constant);
  auto* type = llvm::FixedVectorType::get(place.slot->bits(), 32);
  Value* address = slots_.elementAddress(builder, *place.slot, builder.getInt64(group));
  auto* values = builder.CreateAlignedLoad(type, address, llvm::Align(1));
  slots_.aliasing().markFrameAccess(*values);
  return values;
}

void UnitEmitter::emitVote(const SuspendPoint& suspendPoint, const SuspendPointCode& code, Builder& builder) {
  for (unsigned group = 0; group < unit_.warpSize; group += 32) {
    Value* holds = builder.CreateIsNotNull(operandsOf(code.value, group, builder));
    Value* masks = operandsOf(code.mask, group, builder);
    Value* bits = builder.CreateBitCast(holds, builder.getInt32Ty());
    Value* result = builder.CreateAnd(builder.CreateVectorSplat(32, bits), masks);
    if (suspendPoint.op == MUSA_OP_ALL)
      result = builder.CreateZExt(builder.CreateICmpEQ(result, masks), masks->getType());
    if (suspendPoint.op == MUSA_OP_ANY)
      result = builder.CreateZExt(builder.CreateIsNotNull(result), masks->getType());
    Value* address = slots_.elementAddress(builder, *code.result, builder.getInt64(group));
    auto* store = builder.CreateAlignedStore(result, address, llvm::Align(4));
    slots_.aliasing().markFrameAccess(*store);
  }
}

// Each lane's value is compared with those of its group at once. Many different values take no longer than
// few.
void UnitEmitter::emitMatch(const SuspendPoint& suspendPoint, const SuspendPointCode& code,
                            Builder& builder) {
  const auto store = [&](Value* result, Value* lane) {
    Value* address = slots_.elementAddress(builder, *code.result, lane);
    slots_.aliasing().markFrameAccess(*builder.CreateAlignedStore(result, address, llvm::Align(4)));
  };
  for (unsigned group = 0; group < unit_.warpSize; group += 32) {
    Value* values = operandsOf(code.value, group, builder);
    if (suspendPoint.op == MUSA_OP_MATCH_ALL && code.mask.constant != nullptr) {
      // One answer for all whom the mask names.
      const unsigned first = code.mask.constant->getValue().countr_zero() % 32;
      Value* own = builder.CreateExtractElement(values, first);
      Value* result = matched(builder, suspendPoint.op, values, own, code.mask.constant);
      store(builder.CreateVectorSplat(32, result), builder.getInt64(group));
      continue;
    }
    CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "match", builder.getInt64(group));
    Value* own = operandOf(code.value, builder, loop.index);
    Value* mask = operandOf(code.mask, builder, loop.index);
    store(matched(builder, suspendPoint.op, values, own, mask), loop.index);
    disableLoopTransforms(*closeLoop(builder, loop, builder.getInt64(group + 32)));
  }
}

// The source lane of `lane`, all of 32 bits, by CUDA's rules for lanes outside of their segment.
Value* UnitEmitter::shuffleSource(const SuspendPoint& suspendPoint, Builder& builder, Value* lane,
                                  Value* argument, Value* width) {
  Value* inSegment = builder.CreateSub(width, builder.getInt32(1));
  Value* place = builder.CreateAnd(lane, inSegment);
  switch (suspendPoint.op) {
    case MUSA_OP_SHFL_IDX: {
      Value* first = builder.CreateXor(lane, place);
      return builder.CreateOr(first, builder.CreateAnd(argument, inSegment));
    }
    case MUSA_OP_SHFL_UP:
      return builder.CreateSelect(builder.CreateICmpULE(argument, place), builder.CreateSub(lane, argument),
                                  lane);
    case MUSA_OP_SHFL_DOWN:
      return builder.CreateSelect(builder.CreateICmpULT(argument, builder.CreateSub(width, place)),
                                  builder.CreateAdd(lane, argument), lane);
    default: {
      // Earlier segments may be read, later ones give the caller's own value.
      Value* bits = builder.CreateAnd(argument, builder.getInt32(unit_.warpSize - 1));
      Value* source = builder.CreateXor(lane, bits);
      Value* last = builder.CreateOr(lane, inSegment);
      return builder.CreateSelect(builder.CreateICmpUGT(source, last), lane, source);
    }
  }
}

void UnitEmitter::emitShuffle(const SuspendPoint& suspendPoint, const SuspendPointCode& code,
                              Builder& builder) {
  // Widths that are no power of two, or above the warp size, are undefined: the whole warp.
  const auto validWidth = [&](Value* width) -> Value* {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(width)) {
      const uint64_t value = constant->getZExtValue();
      return builder.getInt32(llvm::isPowerOf2_64(value) && value <= unit_.warpSize
                                  ? static_cast<uint32_t>(value)
                                  : unit_.warpSize);
    }
    Value* isPower = builder.CreateICmpEQ(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, width),
                                          builder.getInt32(1));
    Value* fits = builder.CreateICmpULE(width, builder.getInt32(unit_.warpSize));
    return builder.CreateSelect(builder.CreateAnd(isPower, fits), width, builder.getInt32(unit_.warpSize));
  };
  if (code.value.constant != nullptr) {
    fillResult(code, builder, code.value.constant);
    return;
  }
  // Vectors of 128 elements would take the code generator very long.
  if (code.argument.constant != nullptr && code.width.constant != nullptr && unit_.warpSize == 32) {
    auto* type = llvm::FixedVectorType::get(code.value.slot->bits(), unit_.warpSize);
    llvm::SmallVector<int, 128> sources;
    for (unsigned lane = 0; lane < unit_.warpSize; ++lane) {
      Value* source = shuffleSource(suspendPoint, builder, builder.getInt32(lane), code.argument.constant,
                                    validWidth(code.width.constant));
      sources.push_back(static_cast<int>(llvm::cast<llvm::ConstantInt>(source)->getZExtValue()));
    }
    auto* values = builder.CreateAlignedLoad(type, code.value.slot->address, llvm::Align(1));
    auto* store = builder.CreateAlignedStore(builder.CreateShuffleVector(values, sources),
                                             code.result->address, llvm::Align(1));
    slots_.aliasing().markFrameAccess(*values);
    slots_.aliasing().markFrameAccess(*store);
    return;
  }
  CountedLoop loop = openLoop(builder, builder.getInt64Ty(), "shuffle");
  Value* lane = builder.CreateTrunc(loop.index, builder.getInt32Ty());
  Value* source = shuffleSource(suspendPoint, builder, lane, operandOf(code.argument, builder, loop.index),
                                validWidth(operandOf(code.width, builder, loop.index)));
  Value* value = operandOf(code.value, builder, builder.CreateZExt(source, builder.getInt64Ty()));
  auto* store = builder.CreateStore(value, slots_.elementAddress(builder, *code.result, loop.index));
  slots_.aliasing().markFrameAccess(*store);
  disableLoopTransforms(*closeLoop(builder, loop, threadCount(builder)));
}

}  // namespace musashim::mcc
