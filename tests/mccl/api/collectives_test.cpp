// Results of the collectives on devices: ranks 1 to 8, one thread or a thread per rank,
// every type and operation, in and out of place.
#include "../reference.h"
#include "../world.h"

namespace musashim::mccl {
namespace {

using reference::Operation;

struct Collectives : testing::TestWithParam<std::tuple<int, Drive>> {
  int ranks() const { return std::get<0>(GetParam()); }
  Drive drive() const { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Ranks, Collectives,
                         testing::Combine(testing::Values(1, 2, 3, 4, 7, 8),
                                          testing::Values(Drive::kOneThread, Drive::kThreadPerRank)),
                         [](const auto& param) {
                           return std::to_string(std::get<0>(param.param)) +
                                  (std::get<1>(param.param) == Drive::kOneThread ? "OneThread" : "Threads");
                         });

std::vector<char> randomBytes(mcclDataType_t type, size_t count, uint64_t seed) {
  const size_t bytes = reference::bytesOf(type);
  std::mt19937_64 random(seed);
  std::vector<char> result(count * bytes);
  for (size_t i = 0; i < count; ++i)
    reference::store(result.data(), i, bytes, reference::randomElement(type, random));
  return result;
}

// The ranks' inputs, and what reducing them gives.
struct Case {
  Case(mcclDataType_t type_, Operation operation_, int ranks, size_t count)
      : type(type_), operation(operation_) {
    for (int rank = 0; rank < ranks; ++rank) {
      inputs.push_back(randomBytes(type, count, 1000 * static_cast<int>(operation) + 10 * ranks + rank));
      factors.push_back(reference::factor(type, rank));
    }
  }
  uint64_t expected(size_t index) const {
    std::vector<uint64_t> elements;
    for (const auto& input : inputs)
      elements.push_back(reference::load(input.data(), index, reference::bytesOf(type)));
    return reference::reduce(type, operation, elements, factors);
  }
  // Elements [first, first + count) of the reduction against `actual`.
  void check(const std::vector<char>& actual, size_t first, size_t count) const {
    const size_t bytes = reference::bytesOf(type);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t value = reference::load(actual.data(), i, bytes);
      ASSERT_TRUE(reference::same(type, expected(first + i), value))
          << reference::nameOf(type) << " operation " << static_cast<int>(operation) << " element "
          << first + i << std::hex << " expected " << expected(first + i) << " got " << value;
    }
  }

  mcclDataType_t type;
  Operation operation;
  std::vector<std::vector<char>> inputs;
  std::vector<uint64_t> factors;
};

// The operation's handle for one rank; PreMulSum makes one, which the destructor destroys.
class Op {
 public:
  Op(const Case& c, const Rank& rank) : comm_(rank.comm) {
    constexpr mcclRedOp_t kBuiltIn[] = {mcclSum, mcclProd, mcclMax, mcclMin, mcclAvg};
    if (c.operation != Operation::kPreMulSum) {
      op_ = kBuiltIn[static_cast<int>(c.operation)];
      return;
    }
    uint64_t factor = c.factors[rank.rank];
    EXPECT_MCCL(mcclRedOpCreatePreMulSum(&op_, &factor, c.type, mcclScalarHostImmediate, comm_));
  }
  ~Op() {
    if (op_ >= mcclNumOps) EXPECT_MCCL(mcclRedOpDestroy(op_, comm_));  // legal before the work has run
  }
  mcclRedOp_t get() const { return op_; }

 private:
  mcclRedOp_t op_ = mcclSum;
  mcclComm_t comm_;
};

std::vector<Buffer> buffersOf(const World& world, size_t bytes) {
  std::vector<Buffer> buffers;
  for (int rank = 0; rank < world.ranks(); ++rank) buffers.emplace_back(rank, bytes);
  return buffers;
}

TEST_P(Collectives, AllReduceOfAllTypesAndOperations) {
  World world(ranks(), drive());
  for (mcclDataType_t type : reference::kTypes) {
    for (Operation operation : reference::kOperations) {
      for (size_t count : {1u, 129u}) {
        const Case c(type, operation, ranks(), count);
        const size_t bytes = count * reference::bytesOf(type);
        auto send = buffersOf(world, bytes), recv = buffersOf(world, bytes);
        for (int r = 0; r < ranks(); ++r) send[r].write(c.inputs[r]);
        world.each([&](Rank& r) {
          const Op op(c, r);
          return mcclAllReduce(send[r.rank].data(), recv[r.rank].data(), count, type, op.get(), r.comm,
                               r.stream);
        });
        world.each([&](Rank& r) {  // in place, behind the first on the same stream
          const Op op(c, r);
          return mcclAllReduce(send[r.rank].data(), send[r.rank].data(), count, type, op.get(), r.comm,
                               r.stream);
        });
        world.synchronize();
        ASSERT_NO_FATAL_FAILURE(c.check(recv[0].read(), 0, count));
        for (int r = 0; r < ranks(); ++r) {
          ASSERT_EQ(recv[r].read(), recv[0].read()) << "rank " << r << " has other bits";
          ASSERT_EQ(send[r].read(), recv[0].read()) << "in place differs on rank " << r;
        }
      }
    }
  }
}

TEST_P(Collectives, AllReduceOfSizesInManyChunks) {
  World world(ranks(), drive());
  for (size_t count : {2u, 16384u, 16385u, 300007u}) {
    auto buffers = buffersOf(world, count * 4);
    for (int r = 0; r < ranks(); ++r) {
      std::vector<int32_t> values(count);
      for (size_t i = 0; i < count; ++i) values[i] = static_cast<int32_t>(i * (r + 1));
      buffers[r].write(values);
    }
    world.each([&](Rank& r) {
      return mcclAllReduce(buffers[r.rank].data(), buffers[r.rank].data(), count, mcclInt32, mcclSum, r.comm,
                           r.stream);
    });
    world.synchronize();
    for (int r = 0; r < ranks(); ++r) {
      const auto values = buffers[r].read<int32_t>();
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(values[i], static_cast<int32_t>(i * (ranks() * (ranks() + 1) / 2))) << "element " << i;
      }
    }
  }
}

TEST_P(Collectives, ReduceToEveryRoot) {
  World world(ranks(), drive());
  constexpr size_t kCount = 77;
  const Case c(mcclFloat16, Operation::kSum, ranks(), kCount);
  for (int root = 0; root < ranks(); ++root) {
    auto send = buffersOf(world, kCount * 2), recv = buffersOf(world, kCount * 2);
    for (int r = 0; r < ranks(); ++r) send[r].write(c.inputs[r]);
    const auto untouched = recv[(root + 1) % ranks()].read();
    world.each([&](Rank& r) {  // only the root needs a receive buffer
      void* target = r.rank == root ? recv[root].data() : nullptr;
      return mcclReduce(send[r.rank].data(), target, kCount, mcclFloat16, mcclSum, root, r.comm, r.stream);
    });
    world.synchronize();
    ASSERT_NO_FATAL_FAILURE(c.check(recv[root].read(), 0, kCount));
    if (ranks() > 1) {
      EXPECT_EQ(recv[(root + 1) % ranks()].read(), untouched);
    }
  }
}

TEST_P(Collectives, BroadcastAndBcastFromEveryRoot) {
  World world(ranks(), drive());
  for (size_t count : {1u, 100003u}) {
    for (int root = 0; root < ranks(); ++root) {
      auto send = buffersOf(world, count), recv = buffersOf(world, count);
      for (int r = 0; r < ranks(); ++r) send[r].write(randomBytes(mcclInt8, count, r + 1));
      const auto expected = randomBytes(mcclInt8, count, root + 1);
      world.each([&](Rank& r) {  // only the root needs a send buffer
        const void* source = r.rank == root ? send[root].data() : nullptr;
        return mcclBroadcast(source, recv[r.rank].data(), count, mcclInt8, root, r.comm, r.stream);
      });
      world.each(
          [&](Rank& r) { return mcclBcast(send[r.rank].data(), count, mcclUint8, root, r.comm, r.stream); });
      world.synchronize();
      for (int r = 0; r < ranks(); ++r) {
        ASSERT_EQ(recv[r].read(), expected);
        ASSERT_EQ(send[r].read(), expected);
      }
    }
  }
}

TEST_P(Collectives, AllGatherInAndOutOfPlace) {
  World world(ranks(), drive());
  for (size_t count : {1u, 3u, 50021u}) {
    auto send = buffersOf(world, count * 2), recv = buffersOf(world, count * 2 * ranks()),
         inPlace = buffersOf(world, count * 2 * ranks());
    std::vector<char> expected;
    for (int r = 0; r < ranks(); ++r) {
      const auto part = randomBytes(mcclBfloat16, count, 50 + r);
      expected.insert(expected.end(), part.begin(), part.end());
      send[r].write(part);
      ASSERT_MUSA(
          musaMemcpy(inPlace[r].data() + r * count * 2, part.data(), part.size(), musaMemcpyHostToDevice));
    }
    world.each([&](Rank& r) {
      return mcclAllGather(send[r.rank].data(), recv[r.rank].data(), count, mcclBfloat16, r.comm, r.stream);
    });
    world.each([&](Rank& r) {
      char* buffer = inPlace[r.rank].data();
      return mcclAllGather(buffer + r.rank * count * 2, buffer, count, mcclBfloat16, r.comm, r.stream);
    });
    world.synchronize();
    for (int r = 0; r < ranks(); ++r) {
      ASSERT_EQ(recv[r].read(), expected);
      ASSERT_EQ(inPlace[r].read(), expected);
    }
  }
}

TEST_P(Collectives, ReduceScatterInAndOutOfPlace) {
  World world(ranks(), drive());
  for (size_t count : {1u, 85u, 9001u}) {
    const Case c(mcclInt64, Operation::kMax, ranks(), count * ranks());
    auto send = buffersOf(world, count * 8 * ranks()), recv = buffersOf(world, count * 8);
    for (int r = 0; r < ranks(); ++r) send[r].write(c.inputs[r]);
    world.each([&](Rank& r) {
      return mcclReduceScatter(send[r.rank].data(), recv[r.rank].data(), count, mcclInt64, mcclMax, r.comm,
                               r.stream);
    });
    world.each([&](Rank& r) {
      char* buffer = send[r.rank].data();
      return mcclReduceScatter(buffer, buffer + r.rank * count * 8, count, mcclInt64, mcclMax, r.comm,
                               r.stream);
    });
    world.synchronize();
    for (int r = 0; r < ranks(); ++r) {
      ASSERT_NO_FATAL_FAILURE(c.check(recv[r].read(), r * count, count));
      const auto whole = send[r].read();
      const std::vector<char> own(whole.begin() + r * count * 8, whole.begin() + (r + 1) * count * 8);
      ASSERT_EQ(own, recv[r].read());
    }
  }
}

TEST_P(Collectives, AlltoAllGatherScatter) {
  World world(ranks(), drive());
  constexpr size_t kCount = 1001;
  const auto cell = [](int from, int to) { return from * 100 + to; };
  auto send = buffersOf(world, kCount * 4 * ranks()), all = buffersOf(world, kCount * 4 * ranks());
  auto gathered = buffersOf(world, kCount * 4 * ranks()), scattered = buffersOf(world, kCount * 4);
  for (int r = 0; r < ranks(); ++r) {
    std::vector<int32_t> values;
    for (int to = 0; to < ranks(); ++to) values.insert(values.end(), kCount, cell(r, to));
    send[r].write(values);
  }
  const int root = ranks() - 1;
  world.each([&](Rank& r) {
    return mcclAlltoAll(send[r.rank].data(), all[r.rank].data(), kCount, mcclInt32, r.comm, r.stream);
  });
  world.each([&](Rank& r) {
    return mcclGather(send[r.rank].data(), gathered[r.rank].data(), kCount, mcclInt32, root, r.comm,
                      r.stream);
  });
  world.each([&](Rank& r) {
    return mcclScatter(send[r.rank].data(), scattered[r.rank].data(), kCount, mcclInt32, root, r.comm,
                       r.stream);
  });
  world.synchronize();
  for (int r = 0; r < ranks(); ++r) {
    const auto fromAll = all[r].read<int32_t>();
    const auto atRoot = gathered[root].read<int32_t>();
    for (int from = 0; from < ranks(); ++from) {
      ASSERT_EQ(fromAll[from * kCount], cell(from, r));
      ASSERT_EQ(fromAll[from * kCount + kCount - 1], cell(from, r));
      ASSERT_EQ(atRoot[from * kCount + kCount / 2], cell(from, 0));
    }
    ASSERT_EQ(scattered[r].read<int32_t>()[kCount - 1], cell(root, r));
  }
}

TEST_P(Collectives, RepeatedRunsGiveTheSameBits) {
  World world(ranks(), drive());
  constexpr size_t kCount = 60000;
  auto send = buffersOf(world, kCount * 4), recv = buffersOf(world, kCount * 4);
  for (int r = 0; r < ranks(); ++r) send[r].write(randomBytes(mcclFloat32, kCount, r));
  std::vector<char> first;
  for (int run = 0; run < 5; ++run) {
    world.each([&](Rank& r) {
      return mcclAllReduce(send[r.rank].data(), recv[r.rank].data(), kCount, mcclFloat32, mcclSum, r.comm,
                           r.stream);
    });
    world.synchronize();
    for (int r = 0; r < ranks(); ++r) {
      if (first.empty()) first = recv[r].read();
      ASSERT_EQ(recv[r].read(), first) << "rank " << r << " run " << run;
    }
  }
}

}  // namespace
}  // namespace musashim::mccl
