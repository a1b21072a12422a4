// What a conformance case sees, one line per fact:
//
//   observe <group>.<case>.<key>=<value>
//
// The same source runs on real GPUs (recorded) and, ported, on an emulated
// device (compared), so values hold no name of a vendor: error codes are printed
// without their prefix ("ErrorInvalidValue", "Success"). Nothing that depends on
// time, addresses or the machine may be observed. Lines are flushed at once: what
// was seen before a crash counts.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>

// Opens a case; `name` is its place below cases/, with a dot: "memory.copy_kinds".
#define CONFORMANCE_CASE(name) static const char* const observedCase = name

// A step that must work for the case to mean anything; ends the process if not.
#define SETUP(call) setupStep((call), #call, __FILE__, __LINE__)

#define OBSERVE(key, value) observeText(observedCase, (key), observedText(value))

// Errors are named without the vendor's prefix of four letters.
inline std::string observedText(cudaError_t error) {
  const std::string name = cudaGetErrorName(error);
  return name.size() > 4 ? name.substr(4) : name;
}

inline std::string observedText(bool value) { return value ? "true" : "false"; }
inline std::string observedText(int value) { return std::to_string(value); }
inline std::string observedText(unsigned value) { return std::to_string(value); }
inline std::string observedText(long value) { return std::to_string(value); }
inline std::string observedText(unsigned long value) { return std::to_string(value); }
inline std::string observedText(long long value) { return std::to_string(value); }
inline std::string observedText(unsigned long long value) { return std::to_string(value); }

inline std::string observedText(double value) {
  char text[64];
  if (value != value) return "nan";  // the sign and payload of a NaN are not ours to compare
  snprintf(text, sizeof text, "%.17g", value);
  return text;
}

inline std::string observedText(float value) {
  char text[64];
  if (value != value) return "nan";
  snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}

inline std::string observedText(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      snprintf(code, sizeof code, "\\x%02x", static_cast<unsigned char>(c));
      text += code;
    } else {
      text += c;
    }
  }
  return text;
}

inline std::string observedText(const char* value) {
  return value == nullptr ? "(null)" : observedText(std::string(value));
}

inline void observeText(const char* caseName, const std::string& key, const std::string& value) {
  printf("observe %s.%s=%s\n", caseName, key.c_str(), value.c_str());
  fflush(stdout);
}

inline void setupStep(cudaError_t error, const char* step, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "setup failed: %s:%d: %s -> %s\n", file, line, step, observedText(error).c_str());
  fflush(stdout);
  _Exit(3);
}

// FNV-1a over bytes, as 16 hex digits: one value for a whole buffer.
inline std::string checksum(const void* data, size_t bytes) {
  uint64_t hash = 14695981039346656037ull;
  const unsigned char* byte = static_cast<const unsigned char*>(data);
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ byte[i]) * 1099511628211ull;
  char text[17];
  snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// Bits of a value in hex, where the exact result matters.
inline std::string hex(unsigned long long bits) {
  char text[19];
  snprintf(text, sizeof text, "0x%llx", bits);
  return text;
}
