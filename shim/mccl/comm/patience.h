// Whether it has paid of late to wait a little for the other ranks in a call. Each time that they did not
// come, the next calls do not wait: one, then three, up to 63.
#pragma once

namespace musashim::mccl {

class Patience {
 public:
  // Asked once for each call that might wait.
  bool waits() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  void note(bool came) { left_ = pause_ = came ? 0 : pause_ < kMost ? 2 * pause_ + 1 : kMost; }

 private:
  static constexpr int kMost = 63;
  int pause_ = 0;
  int left_ = 0;
};

}  // namespace musashim::mccl
