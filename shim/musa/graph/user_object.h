// User objects: something of the user's that graphs keep alive by counted references.
#pragma once

#include "musa.h"
#include "musa/api/result.h"

namespace musashim::musa {

class UserObject {
 public:
  UserObject(void* data, MUhostFn destroy, unsigned count) : data_(data), destroy_(destroy), count_(count) {}

  MUuserObject handle() { return reinterpret_cast<MUuserObject>(this); }
  // Both with GraphLock. The last release calls the user's function and ends the object.
  void retain(unsigned count) { count_ += count; }
  void release(unsigned count);
  unsigned count() const { return count_; }

 private:
  void* data_;
  MUhostFn destroy_;
  unsigned count_;
};

// One reference, held from here on; made with GraphLock.
class UserObjectReference {
 public:
  explicit UserObjectReference(UserObject& object) : object_(object) { object_.retain(1); }
  ~UserObjectReference();
  UserObjectReference(const UserObjectReference&) = delete;
  UserObjectReference& operator=(const UserObjectReference&) = delete;

 private:
  UserObject& object_;
};

Result findUserObject(MUuserObject handle, UserObject*& object);

}  // namespace musashim::musa
