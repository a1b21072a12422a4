#include "thread_loops.h"

#include <algorithm>

#include "llvm/Transforms/Utils/LoopUtils.h"
#include "mcc/device_plugin/device_builtins.h"

namespace musashim::mcc {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kGroup = 32;  // threads whose places are compared as one vector

llvm::MDNode* loopProperties(llvm::LLVMContext& context, llvm::MDNode* group, bool unroll) {
  const auto text = [&](const char* name) { return llvm::MDString::get(context, name); };
  auto* one = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1));
  llvm::SmallVector<llvm::Metadata*, 4> properties{nullptr};
  if (group != nullptr) {
    // Rows are short. Interleaving would leave most of them to the remainder loop.
    properties.push_back(interleaveCountProperty(context, 1));
    properties.push_back(llvm::MDNode::get(context, {text("llvm.loop.parallel_accesses"), group}));
    // The scalar remainder is cold and should be short.
    properties.push_back(
        llvm::MDNode::get(context, {text("llvm.loop.vectorize.followup_epilogue"),
                                    llvm::MDNode::get(context, {text("llvm.loop.isvectorized"), one}),
                                    llvm::MDNode::get(context, {text("llvm.loop.unroll.disable")})}));
    if (!unroll) properties.push_back(llvm::MDNode::get(context, {text("llvm.loop.unroll.disable")}));
  } else {
    auto* no = llvm::ConstantAsMetadata::get(llvm::ConstantInt::getFalse(context));
    properties.push_back(llvm::MDNode::get(context, {text("llvm.loop.vectorize.enable"), no}));
    properties.push_back(llvm::MDNode::get(context, {text("llvm.loop.unroll.disable")}));
  }
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, properties);
  loop->replaceOperandWith(0, loop);
  return loop;
}

}  // namespace

CountedLoop openLoop(IRBuilder<>& builder, llvm::Type* type, const llvm::Twine& name, Value* start) {
  BasicBlock* before = builder.GetInsertBlock();
  CountedLoop loop;
  loop.body = BasicBlock::Create(builder.getContext(), name, before->getParent());
  builder.CreateBr(loop.body);
  builder.SetInsertPoint(loop.body);
  loop.index = builder.CreatePHI(type, 2, name + ".idx");
  loop.index->addIncoming(start != nullptr ? start : llvm::ConstantInt::get(type, 0), before);
  return loop;
}

llvm::BranchInst* closeLoop(IRBuilder<>& builder, CountedLoop& loop, Value* limit) {
  BasicBlock* latch = builder.GetInsertBlock();
  BasicBlock* after = BasicBlock::Create(builder.getContext(), "after", latch->getParent());
  Value* one = llvm::ConstantInt::get(loop.index->getType(), 1);
  Value* next = builder.CreateAdd(loop.index, one, "", /*HasNUW=*/true, /*HasNSW=*/true);
  loop.index->addIncoming(next, latch);
  llvm::BranchInst* back = builder.CreateCondBr(builder.CreateICmpULT(next, limit), loop.body, after);
  builder.SetInsertPoint(after);
  return back;
}

llvm::MDNode* interleaveCountProperty(llvm::LLVMContext& context, unsigned vectors) {
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), vectors);
  return llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.interleave.count"),
                                     llvm::ConstantAsMetadata::get(number)});
}

bool isOverThreads(const llvm::Loop& loop) {
  llvm::MDNode* properties = loop.getLoopID();
  return properties != nullptr && findOptionMDForLoopID(properties, "llvm.loop.parallel_accesses") != nullptr;
}

uint64_t knownTripCount(const llvm::Loop* loop, llvm::ScalarEvolution& evolution) {
  uint64_t tripCount = 1;
  for (; loop != nullptr; loop = loop->getParentLoop())
    tripCount *= std::max(1u, evolution.getSmallConstantTripCount(loop));
  return tripCount;
}

BasicBlock* getOrInsertPreheader(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  if (BasicBlock* before = loop.getLoopPreheader()) return before;
  return llvm::InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, false);
}

void disableLoopTransforms(llvm::BranchInst& back) {
  back.setMetadata(llvm::LLVMContext::MD_loop, loopProperties(back.getContext(), nullptr, false));
}

ThreadLoops::ThreadLoops(const UnitFunction& unit, IRBuilder<>& builder, const ThreadRange& range)
    : unit_(unit) {
  unit.kind == UnitKind::kWarp ? openWarp(builder) : openBlock(builder, range);
}

ThreadLoops::ThreadLoops(const UnitFunction& unit, IRBuilder<>& builder, uint16_t place) : unit_(unit) {
  openActive(builder, place);
}

// All threads of a warp, which are a row.
void ThreadLoops::openWarp(IRBuilder<>& builder) {
  llvm::Type* i32 = builder.getInt32Ty();
  loops_.push_back(openLoop(builder, i32, "thread"));
  limits_.push_back(builder.getInt32(unit_.warpSize));
  Value* index = loops_.back().index;
  indexInUnit_ = builder.CreateZExt(index, builder.getInt64Ty());
  threadIdx_ = unit_.origin;
  threadIdx_[0] = builder.CreateAdd(unit_.origin[0], index, "", true, true);
}

// Compares the places of a group's threads at once, and iterates over the bits of the mask: often few are
// active.
void ThreadLoops::openActive(IRBuilder<>& builder, uint16_t place) {
  llvm::Type *i16 = builder.getInt16Ty(), *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  Value* table = unit_.loadField(builder, kUnitThreadIdxField);
  Value* all = unit_.loadField(builder, kUnitPcField);
  Value* first = builder.getInt64(0);
  if (unit_.warpSize > kGroup) {
    loops_.push_back(openLoop(builder, i64, "group"));
    limits_.push_back(builder.getInt64(unit_.warpSize / kGroup));
    first = builder.CreateNUWMul(loops_.back().index, builder.getInt64(kGroup));
  }
  Value* places = builder.CreateAlignedLoad(llvm::FixedVectorType::get(i16, kGroup),
                                            builder.CreateInBoundsGEP(i16, all, first), llvm::Align(2));
  Value* here = builder.CreateICmpEQ(places, builder.CreateVectorSplat(kGroup, builder.getInt16(place)));
  here = builder.CreateBitCast(here, i32);
  BasicBlock* before = builder.GetInsertBlock();
  BasicBlock* body = BasicBlock::Create(builder.getContext(), "thread", before->getParent());
  groupEnd_ = BasicBlock::Create(builder.getContext(), "group.end", before->getParent());
  builder.CreateCondBr(builder.CreateIsNotNull(here), body, groupEnd_);
  builder.SetInsertPoint(body);
  left_ = builder.CreatePHI(i32, 2);
  left_->addIncoming(here, before);
  Value* index = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left_, builder.getTrue());
  indexInUnit_ = builder.CreateNUWAdd(first, builder.CreateZExt(index, i64));
  llvm::Type* dim3 = llvm::ArrayType::get(i32, 3);
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value* entry = builder.CreateInBoundsGEP(dim3, table, {indexInUnit_, builder.getInt32(axis)});
    threadIdx_[axis] = builder.CreateLoad(i32, entry);
  }
}

void ThreadLoops::closeActive(IRBuilder<>& builder) {
  Value* next = builder.CreateAnd(left_, builder.CreateSub(left_, builder.getInt32(1)));
  left_->addIncoming(next, builder.GetInsertBlock());
  disableLoopTransforms(*builder.CreateCondBr(builder.CreateIsNotNull(next), left_->getParent(), groupEnd_));
  builder.SetInsertPoint(groupEnd_);
}

void ThreadLoops::openBlock(IRBuilder<>& builder, const ThreadRange& range) {
  llvm::Type* i32 = builder.getInt32Ty();
  loops_.push_back(openLoop(builder, i32, "thread.z", range[2].first));
  loops_.push_back(openLoop(builder, i32, "thread.y", range[1].first));
  Value* row = builder.CreateMul(loops_[0].index, unit_.blockDim[1], "", true, true);
  row = builder.CreateAdd(row, loops_[1].index, "", true, true);
  row = builder.CreateZExt(builder.CreateMul(row, unit_.blockDim[0], "", true, true), builder.getInt64Ty());
  loops_.push_back(openLoop(builder, i32, "thread.x", range[0].first));
  for (const unsigned axis : {2u, 1u, 0u}) {
    limits_.push_back(range[axis].end != nullptr ? range[axis].end
                                                 : static_cast<llvm::Value*>(unit_.blockDim[axis]));
  }
  threadIdx_ = {loops_[2].index, loops_[1].index, loops_[0].index};
  indexInUnit_ =
      builder.CreateAdd(row, builder.CreateZExt(loops_[2].index, builder.getInt64Ty()), "", true, true);
}

Value* ThreadLoops::linearIdx(IRBuilder<>& builder) const {
  Value* index = builder.CreateTrunc(indexInUnit_, builder.getInt32Ty());
  if (unit_.kind == UnitKind::kBlock) return index;
  return builder.CreateAdd(index, unit_.loadField(builder, kUnitFirstField));
}

void ThreadLoops::close(IRBuilder<>& builder, llvm::MDNode* group) {
  if (left_ != nullptr) closeActive(builder);
  for (size_t i = loops_.size(); i-- > 0;) {
    llvm::BranchInst* back = closeLoop(builder, loops_[i], limits_[i]);
    if (i + 1 == loops_.size()) {
      back->setMetadata(llvm::LLVMContext::MD_loop,
                        loopProperties(builder.getContext(), group, !unit_.isLarge));
    }
  }
}

}  // namespace musashim::mcc
