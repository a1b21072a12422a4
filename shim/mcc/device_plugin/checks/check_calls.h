// The calls of musa_check_inline.h's functions, by their operands.
#pragma once

#include "check_code.h"
#include "llvm/IR/Instructions.h"

namespace musashim::mcc {

inline constexpr llvm::StringRef kAccessCheck = "__musa_checked_access";
inline constexpr llvm::StringRef kGenericCheck = "__musa_checked_generic";
inline constexpr llvm::StringRef kBoundsCheck = "__musa_checked_bounds";
inline constexpr llvm::StringRef kBarrierCheck = "__musa_checked_barrier";
inline constexpr llvm::StringRef kLeaveCheck = "__musa_checked_leave";
inline constexpr llvm::StringRef kRaceCheck = "__musa_check_race";
inline constexpr llvm::StringRef kWarpCheck = "__musa_check_warp";

// Operands of __musa_checked_access. Other checks that return an address have the pointer at the same place,
// except those of words.
inline constexpr unsigned kCheckedPointer = 2, kCheckedSite = 3, kCheckedSlot = 4, kCheckedBytes = 5,
                          kCheckedAlign = 6, kCheckedKind = 7, kCheckedInit = 8, kCheckedValue = 9,
                          kCheckedKnown = 10, kCheckedThread = 11;

// Of __musa_checked_bounds: where in the variable, and where at most.
inline constexpr unsigned kCheckedOffset = 0, kCheckedLast = 1, kCheckedBase = 3;

// A call of one of the functions, or of the device runtime for it.
bool isCheck(const llvm::Value& value);
// The function is one of these, whose body keeps shadow memory: nothing may come in between there.
bool isCheckBody(const llvm::Function& function);
// The operand that is checked, and that its result replaces if it has one: an address, or a warp operation's
// mask.
llvm::Value* askedAbout(const llvm::CallInst& check);

// Whether it can be made for many addresses, or threads, at once.
bool hasRow(const llvm::CallInst& check);
// The operand that says where: a pointer, an offset, or a mask.
llvm::Value* placeIn(const llvm::CallInst& check);
llvm::Value* threadIn(const llvm::CallInst& check);
llvm::Value* siteOf(const llvm::CallInst& check);
// Whether it updates shadow memory, and whether it does to find races.
bool remembers(const llvm::CallInst& check);
bool remembersRaces(const llvm::CallInst& check);

}  // namespace musashim::mcc
