/* The classes of one 16-bit floating-point format and of its pairs. Included by
 * musa_fp16.h and musa_bf16.h, once each, with these macros defined:
 *
 *   MUSASHIM_T, MUSASHIM_T2          the classes' names
 *   MUSASHIM_OTHER                   the class of the other format of 16 bits
 *   MUSASHIM_RAW, MUSASHIM_RAW2      the plain structures of their bits
 *   MUSASHIM_BITS_TO_FLOAT(bits)     exact
 *   MUSASHIM_FLOAT_TO_BITS(x)        rounds to nearest even
 *   MUSASHIM_DOUBLE_TO_BITS(x)       rounds to nearest even
 *   MUSASHIM_NO_OPERATORS            where the program wants to do without operators
 */
struct MUSASHIM_OTHER;
struct __align__(2) MUSASHIM_RAW {
  unsigned short x;
};
struct __align__(4) MUSASHIM_RAW2 {
  unsigned short x, y;
};

struct __align__(2) MUSASHIM_T {
  unsigned short __x;

  MUSASHIM_T() = default;
  MUSASHIM_HD MUSASHIM_T(const MUSASHIM_RAW& raw) : __x(raw.x) {}
  /* From the other format, which may not be included. */
  template <class Other, typename std::enable_if<std::is_same<Other, MUSASHIM_OTHER>::value, int>::type = 0>
  explicit MUSASHIM_HD MUSASHIM_T(const Other& x) : __x(MUSASHIM_FLOAT_TO_BITS(static_cast<float>(x))) {}
  MUSASHIM_HD MUSASHIM_T(float x) : __x(MUSASHIM_FLOAT_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(double x) : __x(MUSASHIM_DOUBLE_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(short x) : __x(MUSASHIM_DOUBLE_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(unsigned short x) : __x(MUSASHIM_DOUBLE_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(int x) : __x(MUSASHIM_DOUBLE_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(unsigned int x) : __x(MUSASHIM_DOUBLE_TO_BITS(x)) {}
  MUSASHIM_HD MUSASHIM_T(long x) : __x(MUSASHIM_DOUBLE_TO_BITS(__musa_to_odd_double(x))) {}
  MUSASHIM_HD MUSASHIM_T(unsigned long x) : __x(MUSASHIM_DOUBLE_TO_BITS(__musa_to_odd_double(x))) {}
  MUSASHIM_HD MUSASHIM_T(long long x) : __x(MUSASHIM_DOUBLE_TO_BITS(__musa_to_odd_double(x))) {}
  MUSASHIM_HD MUSASHIM_T(unsigned long long x) : __x(MUSASHIM_DOUBLE_TO_BITS(__musa_to_odd_double(x))) {}

  MUSASHIM_HD operator MUSASHIM_RAW() const { return MUSASHIM_RAW{__x}; }
  /* Copies of volatile objects go by their bits, as CUDA has it. */
  MUSASHIM_HD operator MUSASHIM_RAW() const volatile { return MUSASHIM_RAW{__x}; }
  MUSASHIM_HD MUSASHIM_T& operator=(const MUSASHIM_RAW& raw) {
    __x = raw.x;
    return *this;
  }
  MUSASHIM_HD volatile MUSASHIM_T& operator=(const MUSASHIM_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }
  MUSASHIM_HD volatile MUSASHIM_T& operator=(const volatile MUSASHIM_RAW& raw) volatile {
    __x = raw.x;
    return *this;
  }
  MUSASHIM_HD operator float() const { return MUSASHIM_BITS_TO_FLOAT(__x); }
  /* Integers: towards zero, saturating. */
  MUSASHIM_HD operator bool() const { return (__x & 0x7fffu) != 0; }
  MUSASHIM_HD operator char() const { return integer<char>(); }
  MUSASHIM_HD operator signed char() const { return integer<signed char>(); }
  MUSASHIM_HD operator unsigned char() const { return integer<unsigned char>(); }
  MUSASHIM_HD operator short() const { return integer<short>(); }
  MUSASHIM_HD operator unsigned short() const { return integer<unsigned short>(); }
  MUSASHIM_HD operator int() const { return integer<int>(); }
  MUSASHIM_HD operator unsigned int() const { return integer<unsigned int>(); }
  MUSASHIM_HD operator long() const { return integer<long>(); }
  MUSASHIM_HD operator unsigned long() const { return integer<unsigned long>(); }
  MUSASHIM_HD operator long long() const { return integer<long long>(); }
  MUSASHIM_HD operator unsigned long long() const { return integer<unsigned long long>(); }

#ifndef MUSASHIM_NO_OPERATORS
  /* Friends, which only a value of this class finds: a class of a program's that becomes float as well as
   * this one (c10::Half) is compared as float, as torch_musa's kernels do with the vendor's header. */
#define MUSASHIM_COMPARISON(op)                                                   \
  friend MUSASHIM_HD bool operator op(const MUSASHIM_T& a, const MUSASHIM_T& b) { \
    return MUSASHIM_BITS_TO_FLOAT(a.__x) op MUSASHIM_BITS_TO_FLOAT(b.__x);        \
  }                                                                               \
  static_assert(true, "takes the semicolon")
  MUSASHIM_COMPARISON(==);
  MUSASHIM_COMPARISON(!=);
  MUSASHIM_COMPARISON(<);
  MUSASHIM_COMPARISON(<=);
  MUSASHIM_COMPARISON(>);
  MUSASHIM_COMPARISON(>=);
#undef MUSASHIM_COMPARISON
#endif

 private:
  template <typename Integer>
  MUSASHIM_HD Integer integer() const {
    return __musa_saturate_to<Integer>(truncf(MUSASHIM_BITS_TO_FLOAT(__x)));
  }
};

struct __align__(4) MUSASHIM_T2 {
  MUSASHIM_T x, y;

  MUSASHIM_T2() = default;
  MUSASHIM_HD MUSASHIM_T2(const MUSASHIM_T& a, const MUSASHIM_T& b) : x(a), y(b) {}
  MUSASHIM_HD MUSASHIM_T2(const MUSASHIM_RAW2& raw) : x(MUSASHIM_RAW{raw.x}), y(MUSASHIM_RAW{raw.y}) {}
  MUSASHIM_HD operator MUSASHIM_RAW2() const { return MUSASHIM_RAW2{x.__x, y.__x}; }
};
