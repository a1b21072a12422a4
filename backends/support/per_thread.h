// An object of each thread that outlives the thread's C++ objects.
//
// A program's thread_local objects may call a library as they are destroyed: one that frees device memory,
// say. The library's own thread_local objects may be gone by then, as those that were made last go first. An
// object of PerThread goes after all of them, and comes anew if it is asked for yet later. That of the main
// thread stays.
#pragma once

#include <pthread.h>

namespace musashim::support {

// `T` stands for one use: its objects are those of a thread.
template <class T>
class PerThread {
 public:
  static T& get() {
    if (object_ == nullptr) [[unlikely]]
      make();
    return *object_;
  }

 private:
  // What the system calls when a thread has run the destructors of its C++ objects. Threads may end, or ask
  // for their object, while the process exits: the key stays valid, for which the libraries stay loaded.
  struct Key {
    Key() : isValid(pthread_key_create(&key, destroy) == 0) {}
    pthread_key_t key = 0;
    bool isValid;
  };

  static void make() {
    static const Key key;
    object_ = new T;
    if (key.isValid) pthread_setspecific(key.key, object_);  // else the object stays
  }

  static void destroy(void* object) {
    object_ = nullptr;
    delete static_cast<T*>(object);
  }

  static inline constinit thread_local T* object_ = nullptr;
};

}  // namespace musashim::support
