// Switching stacks.
#pragma once

#include <boost/context/detail/fcontext.hpp>

namespace musashim::devrt {

// jump_fcontext(), with the processor's prediction of returns kept right.
boost::context::detail::transfer_t jumpBalanced(boost::context::detail::fcontext_t to, void* data);

}  // namespace musashim::devrt
