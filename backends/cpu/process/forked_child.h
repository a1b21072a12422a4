// A child that has forked and not exec'd has copies of our descriptors, but no devices:
// none of our threads exist there. It must not keep alive what its parent has shared.
#pragma once

namespace musashim::backend::cpu {

// From now on, children close `fd` as they begin.
void closeInForkedChildren(int fd);
void keepInForkedChildren(int fd);  // `fd` is about to be closed here

}  // namespace musashim::backend::cpu
