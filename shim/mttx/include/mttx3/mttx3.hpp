// Ranges as C++ objects, as NVTX's C++ interface has them.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "mttx3/mtToolsExt.h"

namespace mttx3 {

class rgb {
 public:
  using component_type = uint8_t;
  constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
      : red(red_), green(green_), blue(blue_) {}
  component_type red, green, blue;
};

class argb {
 public:
  using component_type = uint8_t;
  constexpr argb(component_type alpha_, component_type red_, component_type green_,
                 component_type blue_) noexcept
      : alpha(alpha_), red(red_), green(green_), blue(blue_) {}
  component_type alpha, red, green, blue;
};

class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(value_type hex) noexcept : value_(hex) {}
  constexpr color(argb one) noexcept
      : value_(uint32_t{one.alpha} << 24 | uint32_t{one.red} << 16 | uint32_t{one.green} << 8 | one.blue) {}
  constexpr color(rgb one) noexcept : color(argb{0xff, one.red, one.green, one.blue}) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr mttxColorType_t get_type() const noexcept { return MTTX_COLOR_ARGB; }

 private:
  value_type value_;
};

class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};

// The domain of a tag: a type with `static constexpr char const* name`. It is made on first use and stays.
class domain {
 public:
  struct global {};
  domain(const domain&) = delete;
  domain& operator=(const domain&) = delete;

  template <class D = global>
  static const domain& get() noexcept {
    if constexpr (std::is_same_v<D, global>) {
      static const domain kGlobal;
      return kGlobal;
    } else {
      static const domain kDomain(D::name);
      return kDomain;
    }
  }
  operator mttxDomainHandle_t() const noexcept { return handle_; }

 private:
  domain() noexcept = default;
  explicit domain(const char* name) noexcept : handle_(mttxDomainCreateA(name)) {}
  explicit domain(const wchar_t* name) noexcept : handle_(mttxDomainCreateW(name)) {}

  mttxDomainHandle_t handle_ = nullptr;
};

template <class D = domain::global>
class named_category_in final : public category {
 public:
  named_category_in(id_type id, const char* name) noexcept : category(id) {
    mttxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  named_category_in(id_type id, const wchar_t* name) noexcept : category(id) {
    mttxDomainNameCategoryW(domain::get<D>(), id, name);
  }
  // The category of a tag with `id` and `name`.
  template <class C>
  static const named_category_in& get() noexcept {
    static const named_category_in kCategory(C::id, C::name);
    return kCategory;
  }
};
using named_category = named_category_in<domain::global>;

template <class D = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char* text) noexcept
      : handle_(mttxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string& text) noexcept : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t* text) noexcept
      : handle_(mttxDomainRegisterStringW(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::wstring& text) noexcept : registered_string_in(text.c_str()) {}
  // The string of a tag with `message`.
  template <class M>
  static const registered_string_in& get() noexcept {
    static const registered_string_in kString(M::message);
    return kString;
  }
  mttxStringHandle_t get_handle() const noexcept { return handle_; }

 private:
  mttxStringHandle_t handle_;
};
using registered_string = registered_string_in<domain::global>;

class message {
 public:
  message(const char* text) noexcept : type_(MTTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
  message(const std::string& text) noexcept : message(text.c_str()) {}
  message(std::string&&) = delete;  // it would be gone before it is read
  message(const wchar_t* text) noexcept : type_(MTTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  message(const std::wstring& text) noexcept : message(text.c_str()) {}
  message(std::wstring&&) = delete;
  template <class D>
  message(const registered_string_in<D>& text) noexcept : type_(MTTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = text.get_handle();
  }
  mttxMessageType_t get_type() const noexcept { return type_; }
  mttxMessageValue_t get_value() const noexcept { return value_; }

 private:
  mttxMessageType_t type_;
  mttxMessageValue_t value_{};
};

class payload {
 public:
  explicit payload(int64_t value) noexcept : type_(MTTX_PAYLOAD_TYPE_INT64) { value_.llValue = value; }
  explicit payload(int32_t value) noexcept : type_(MTTX_PAYLOAD_TYPE_INT32) { value_.iValue = value; }
  explicit payload(uint64_t value) noexcept : type_(MTTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
    value_.ullValue = value;
  }
  explicit payload(uint32_t value) noexcept : type_(MTTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
    value_.uiValue = value;
  }
  explicit payload(float value) noexcept : type_(MTTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = value; }
  explicit payload(double value) noexcept : type_(MTTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = value; }
  mttxPayloadType_t get_type() const noexcept { return type_; }
  mttxEventAttributes_v2::payload_t get_value() const noexcept { return value_; }

 private:
  mttxPayloadType_t type_;
  mttxEventAttributes_v2::payload_t value_{};
};

// What is said of a range, in any order.
class event_attributes {
 public:
  event_attributes() noexcept {
    attributes_.version = MTTX_VERSION;
    attributes_.size = sizeof attributes_;
  }
  event_attributes(const event_attributes&) noexcept = default;
  template <class... Args>
  explicit event_attributes(const color& one, const Args&... rest) noexcept : event_attributes(rest...) {
    attributes_.color = one.get_value();
    attributes_.colorType = one.get_type();
  }
  template <class... Args>
  explicit event_attributes(const category& one, const Args&... rest) noexcept : event_attributes(rest...) {
    attributes_.category = one.get_id();
  }
  template <class... Args>
  explicit event_attributes(const payload& one, const Args&... rest) noexcept : event_attributes(rest...) {
    attributes_.payload = one.get_value();
    attributes_.payloadType = one.get_type();
  }
  template <class... Args>
  explicit event_attributes(const message& one, const Args&... rest) noexcept : event_attributes(rest...) {
    attributes_.message = one.get_value();
    attributes_.messageType = one.get_type();
  }
  const mttxEventAttributes_t* get() const noexcept { return &attributes_; }

 private:
  mttxEventAttributes_t attributes_{};
};

template <class D = domain::global>
class scoped_range_in {
 public:
  explicit scoped_range_in(const event_attributes& attributes) noexcept {
    mttxDomainRangePushEx(domain::get<D>(), attributes.get());
  }
  template <class First, class... Args,
            class = std::enable_if_t<!std::is_same_v<event_attributes, std::decay_t<First>>>>
  explicit scoped_range_in(const First& first, const Args&... rest) noexcept
      : scoped_range_in(event_attributes{first, rest...}) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
  ~scoped_range_in() { mttxDomainRangePop(domain::get<D>()); }
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  void* operator new(size_t) = delete;  // ranges of a thread end in the reverse order
};
using scoped_range = scoped_range_in<domain::global>;
using thread_range = scoped_range;

struct range_handle {
  using value_type = mttxRangeId_t;
  constexpr range_handle() noexcept = default;
  constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }

 private:
  value_type id_ = 0;
};

template <class D = domain::global>
range_handle start_range_in(const event_attributes& attributes) noexcept {
  return range_handle{mttxDomainRangeStartEx(domain::get<D>(), attributes.get())};
}
template <class D = domain::global, class First, class... Args,
          class = std::enable_if_t<!std::is_same_v<event_attributes, std::decay_t<First>>>>
range_handle start_range_in(const First& first, const Args&... rest) noexcept {
  return start_range_in<D>(event_attributes{first, rest...});
}
template <class... Args>
range_handle start_range(const Args&... args) noexcept {
  return start_range_in<domain::global>(args...);
}
template <class D = domain::global>
void end_range_in(range_handle range) noexcept {
  mttxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { mttxRangeEnd(range.get_value()); }

// Ends where it is destroyed, on any thread.
template <class D = domain::global>
class unique_range_in {
 public:
  template <class... Args>
  explicit unique_range_in(const Args&... args) noexcept : handle_(start_range_in<D>(args...)) {}
  unique_range_in(unique_range_in&& other) noexcept : handle_(std::exchange(other.handle_, range_handle{})) {}
  unique_range_in& operator=(unique_range_in&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~unique_range_in() {
    if (handle_) end_range_in<D>(handle_);
  }

 private:
  range_handle handle_;
};
using unique_range = unique_range_in<domain::global>;

template <class D = domain::global>
void mark_in(const event_attributes& attributes) noexcept {
  mttxDomainMarkEx(domain::get<D>(), attributes.get());
}
template <class D = domain::global, class First, class... Args,
          class = std::enable_if_t<!std::is_same_v<event_attributes, std::decay_t<First>>>>
void mark_in(const First& first, const Args&... rest) noexcept {
  mark_in<D>(event_attributes{first, rest...});
}
template <class... Args>
void mark(const Args&... args) noexcept {
  mark_in<domain::global>(args...);
}

}  // namespace mttx3

// A range that is the function that it stands in.
#define MTTX3_FUNC_RANGE_IN(D)                                                                   \
  static const ::mttx3::registered_string_in<D> mttx3_func_name__{__func__};                     \
  static const ::mttx3::event_attributes mttx3_func_attr__{::mttx3::message(mttx3_func_name__)}; \
  const ::mttx3::scoped_range_in<D> mttx3_range__ { mttx3_func_attr__ }
#define MTTX3_FUNC_RANGE() MTTX3_FUNC_RANGE_IN(::mttx3::domain::global)
