#include "musa/graph/user_object.h"

#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/graph/graph.h"

namespace musashim::musa {

void UserObject::release(unsigned count) {
  count_ -= count;
  if (count_ != 0) return;
  MUhostFn destroy = destroy_;
  void* data = data_;
  driver().userObjects.destroy(this);
  bool outer = insideHostFunction;
  insideHostFunction = true;  // such functions may not call the API
  destroy(data);
  insideHostFunction = outer;
}

UserObjectReference::~UserObjectReference() {
  GraphLock lock;
  object_.release(1);
}

Result findUserObject(MUuserObject handle, UserObject*& object) {
  object = driver().userObjects.get(handle);
  MUSA_REQUIRE(object, MUSA_ERROR_INVALID_VALUE, fmt::format("no user object {}", fmt::ptr(handle)));
  return {};
}

}  // namespace musashim::musa
