#include "core/handle_arena.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace musashim::core {
namespace {

struct Object {
  explicit Object(int v) : value(v) { ++alive; }
  ~Object() { --alive; }
  int value;
  inline static int alive = 0;
};

TEST(HandleArena, KnowsItsOwn) {
  HandleArena<Object> arena(128);
  Object* object = arena.create(7);
  EXPECT_EQ(arena.get(object), object);
  EXPECT_EQ(arena.get(object)->value, 7);
  EXPECT_EQ(arena.get(nullptr), nullptr);
  EXPECT_EQ(arena.get(&arena), nullptr);
  EXPECT_EQ(arena.get(reinterpret_cast<char*>(object) + 1), nullptr);
  EXPECT_EQ(arena.get(reinterpret_cast<void*>(~uintptr_t{0})), nullptr);
  arena.destroy(object);
  EXPECT_EQ(arena.get(object), nullptr);
  EXPECT_EQ(Object::alive, 0);
}

TEST(HandleArena, RetiredObjectsLiveOn) {
  HandleArena<Object> arena(128);
  Object* object = arena.create(7);
  arena.retire(object);
  EXPECT_EQ(arena.get(object), nullptr);
  EXPECT_EQ(object->value, 7);
  arena.destroyRetired(object);
  EXPECT_EQ(Object::alive, 0);
}

TEST(HandleArena, FullAndFreeAgain) {
  HandleArena<Object> arena(100);
  std::vector<Object*> objects;
  for (int i = 0; i < 100; ++i) objects.push_back(arena.create(i));
  EXPECT_EQ(std::set<Object*>(objects.begin(), objects.end()).size(), 100u);
  EXPECT_THROW(arena.create(0), std::bad_alloc);
  arena.destroy(objects[50]);
  Object* again = arena.create(3);
  EXPECT_EQ(again, objects[50]);
  objects[50] = again;
  for (Object* object : objects) arena.destroy(object);
}

TEST(HandleArena, StaleHandlesStayInvalidForAWhile) {
  HandleArena<Object> arena(1000);
  Object* stale = arena.create(1);
  arena.destroy(stale);
  for (int i = 0; i < 50; ++i) {
    Object* object = arena.create(i);
    EXPECT_NE(object, stale);
    arena.destroy(object);
    EXPECT_EQ(arena.get(stale), nullptr);
  }
}

}  // namespace
}  // namespace musashim::core
