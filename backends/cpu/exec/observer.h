// The observer of all commands of this process; null: nobody.
#pragma once

#include <atomic>

#include "interface/observer.h"

namespace musashim::backend::cpu {

inline constinit std::atomic<CommandObserver*> commandObserver{nullptr};

}  // namespace musashim::backend::cpu
