#include "warp_sweep.h"

#include "../entry_function.h"
#include "abi/musa_unit_abi.h"
#include "lane_loops.h"

namespace musashim::mcc {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

namespace {

// Whether the warp is to run: it yields, or it waits at a barrier that is released.
Value* isReady(IRBuilder<>& builder, Value* state, Value* released) {
  Value* waits = builder.CreateAnd(builder.CreateICmpNE(state, builder.getInt32(MUSA_UNIT_DONE)), released);
  return builder.CreateOr(builder.CreateICmpEQ(state, builder.getInt32(MUSA_UNIT_YIELDS)), waits);
}

}  // namespace

Function* createWarpFunction(Function& kernel, unsigned warpSize) {
  llvm::LLVMContext& context = kernel.getContext();
  return createEntry(kernel, ".musa_warp" + llvm::Twine(warpSize), llvm::Type::getInt32Ty(context),
                     {llvm::PointerType::getUnqual(context)});
}

void sweepWarps(UnitFunction& unit) {
  Function* warp = unit.function;
  llvm::Type* i32 = llvm::Type::getInt32Ty(warp->getContext());
  Function* sweep = createEntry(*warp, ".sweep", i32, {i32, i32});
  // The code of a warp brings its places in the source along.
  sweep->setSubprogram(warp->getSubprogram());
  warp->setSubprogram(nullptr);
  Value *units = sweep->getArg(0), *count = sweep->getArg(1);

  IRBuilder<> builder(BasicBlock::Create(sweep->getContext(), "entry", sweep));
  llvm::StructType* type = unitType(sweep->getContext());
  Value* block =
      builder.CreateLoad(builder.getPtrTy(), builder.CreateStructGEP(type, units, kUnitBlockField));
  Value* released = builder.CreateIsNotNull(sweep->getArg(2));
  BasicBlock* before = builder.GetInsertBlock();
  CountedLoop loop = openLoop(builder, i32, "warp");
  llvm::PHINode* states = builder.CreatePHI(i32, 2);
  states->addIncoming(builder.getInt32(0), before);
  Value* one = builder.CreateInBoundsGEP(type, units, builder.CreateZExt(loop.index, builder.getInt64Ty()));
  Value* stateField = builder.CreateStructGEP(type, one, kUnitStateField);
  Value* state = builder.CreateLoad(i32, stateField);
  BasicBlock* run = BasicBlock::Create(sweep->getContext(), "run", sweep);
  BasicBlock* next = BasicBlock::Create(sweep->getContext(), "next", sweep);
  BasicBlock* decided = builder.GetInsertBlock();
  builder.CreateCondBr(isReady(builder, state, released), run, next);
  builder.SetInsertPoint(run);
  llvm::CallInst* call = builder.CreateCall(warp, {one, block});
  builder.CreateStore(call, stateField);
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
  llvm::PHINode* now = builder.CreatePHI(i32, 2);
  now->addIncoming(state, decided);
  now->addIncoming(call, run);
  Value* seen = builder.CreateOr(states, builder.CreateShl(builder.getInt32(1), now));
  states->addIncoming(seen, next);
  keepPlain(*closeLoop(builder, loop, count));
  builder.CreateRet(seen);

  inlineKernel(call);
  sweep->takeName(warp);
  warp->eraseFromParent();
  unit.function = sweep;
}

}  // namespace musashim::mcc
