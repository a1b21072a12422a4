#include "mtgp32.h"

#include <murand_mtgp32_host.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "libs/core/share.h"
#include "libs/murand/engine/alone.h"
#include "libs/murand/engine/processors.h"

namespace musashim::rand {
namespace {

constexpr std::size_t kWords = MTGPDC_N, kTurn = 256;

class Lane {
 public:
  Lane(const mtgp32_params_fast_t& params, std::uint32_t seed) : params_(params) {
    mtgp32_init_state(state_, &params, seed);
  }

  // The words of a turn, which is the last one that was asked for or a later one.
  const std::uint32_t* turn(std::uint64_t number) {
    for (; turns_ <= number; ++turns_) {
      step(state_, params_, words_);
      std::copy_n(state_ + kTurn, kWords, state_);
    }
    return words_;
  }

 private:
  // No step of a turn needs what another one of the turn makes: pos + 256 is below 351.
  MUSASHIM_RAND_LEVELS static void step(std::uint32_t* __restrict state, const mtgp32_params_fast_t& params,
                                        std::uint32_t* __restrict words) {
    const int pos = params.pos, sh1 = params.sh1, sh2 = params.sh2;
    for (std::size_t i = 0; i < kTurn; ++i) {
      std::uint32_t x = (state[i] & params.mask) ^ state[i + 1];
      x ^= x << sh1;
      x ^= state[i + pos] >> sh2;
      x ^= params.tbl[x & 15];
      std::uint32_t t = state[i + pos - 1];
      t ^= t >> 16;
      t ^= t >> 8;
      state[kWords + i] = x;
      words[i] = x ^ params.tmp_tbl[t & 15];
    }
  }

  mtgp32_params_fast_t params_;
  std::uint32_t state_[kWords + kTurn], words_[kTurn];
  std::uint64_t turns_ = 0;  // that are over, with the one in `words_`
};

class Mtgp : public Engine {
 public:
  Mtgp(std::uint64_t seed, std::size_t lanes) {
    for (std::size_t i = 0; i < lanes; ++i)
      lanes_.emplace_back(mtgp32dc_params_fast_11213[i], __musa_mtgp32_seed(seed, unsigned(i)));
  }

 private:
  void make(const Request& request, void* out, std::size_t count) override {
    makeAlone<std::uint32_t>(request, out, [&](auto* target, const auto& of) { fill(target, count, of); });
  }

  template <class T, class Of>
  void fill(T* out, std::size_t count, const Of& of) {
    const std::uint64_t begin = position_, end = begin + count, width = mtgp32Row(lanes_.size());
    libs::shareOut(lanes_.size(), [&](std::size_t lane) {
      for (std::uint64_t row = begin / width; row <= (end - 1) / width; ++row) {
        const std::uint64_t at = row * width + lane * kTurn;
        if (at + kTurn <= begin || at >= end) continue;
        const std::uint32_t* const words = lanes_[lane].turn(row);
        const std::uint64_t to = std::min(at + kTurn, end);
        for (std::uint64_t i = std::max(at, begin); i < to; ++i) out[i - begin] = of(words[i - at]);
      }
    });
    position_ = end;
  }

  std::vector<Lane> lanes_;
  std::uint64_t position_ = 0;
};

class Changed : public Engine {
 public:
  Changed(std::shared_ptr<Engine> old, std::uint64_t rest, std::shared_ptr<Engine> next)
      : old_(std::move(old)), rest_(rest), next_(std::move(next)) {}

 private:
  void make(const Request& request, void* out, std::size_t count) override {
    const std::size_t first = std::min<std::uint64_t>(count, rest_);
    const bool wide = request.kind == Kind::Double || request.kind == Kind::NormalDouble;
    if (first > 0) old_->generate(request, out, first);
    rest_ -= first;
    if (first < count)
      next_->generate(request, static_cast<char*>(out) + first * (wide ? 8 : 4), count - first);
  }

  std::shared_ptr<Engine> old_;
  std::uint64_t rest_;
  std::shared_ptr<Engine> next_;
};

}  // namespace

std::shared_ptr<Engine> mtgp32After(std::shared_ptr<Engine> old, std::uint64_t rest,
                                    std::shared_ptr<Engine> next) {
  return std::make_shared<Changed>(std::move(old), rest, std::move(next));
}

std::shared_ptr<Engine> mtgp32(std::uint64_t seed, std::size_t lanes) {
  return std::make_shared<Mtgp>(seed, lanes);
}

}  // namespace musashim::rand
