// The numeric test vectors of the reference (tests/data/vectors.json; made with SciPy, R, Weka and
// statsmodels): {"id": ..., "in": {...}, "out": {...}, "tol": absolute tolerance}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "crossfold/json_value.h"

namespace crossfold {

// A vector or a part of it.
class VectorValue {
 public:
  explicit VectorValue(JsonValue json) : json_(std::move(json)) {}

  bool contains(const std::string& name) const { return Find(name) != nullptr; }
  // Throws std::runtime_error if there is no member of that name.
  VectorValue at(const std::string& name) const {
    const JsonValue* found = Find(name);
    if (found == nullptr) throw std::runtime_error("there is no '" + name + "' in the vector");
    return VectorValue(*found);
  }
  VectorValue operator[](const std::string& name) const { return at(name); }
  VectorValue operator[](const char* name) const { return at(name); }
  VectorValue operator[](int i) const {
    return VectorValue(std::get<JsonList>(json_.value).at(static_cast<std::size_t>(i)));
  }

  operator double() const { return get<double>(); }
  // A number, or a list (of lists) of numbers.
  template <class T>
  T get() const {
    if constexpr (std::is_arithmetic_v<T>) {
      if (const auto* n = std::get_if<std::int64_t>(&json_.value)) return static_cast<T>(*n);
      return static_cast<T>(std::get<double>(json_.value));
    } else {
      T all;
      for (const JsonValue& entry : std::get<JsonList>(json_.value)) {
        all.push_back(VectorValue(entry).get<typename T::value_type>());
      }
      return all;
    }
  }
  std::string text() const { return std::get<std::string>(json_.value); }

 private:
  const JsonValue* Find(const std::string& name) const {
    for (const JsonMember& member : std::get<JsonObject>(json_.value)) {
      if (member.name == name) return &member.value;
    }
    return nullptr;
  }

  JsonValue json_;
};

// Throws std::runtime_error if there is no vector of that id.
inline VectorValue TestVector(const std::string& id) {
  std::ifstream file(CROSSFOLD_TEST_VECTORS);
  const std::string json{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const JsonValue all = ReadJson(json);
  for (const JsonValue& entry : std::get<JsonList>(all.value)) {
    const VectorValue vector(entry);
    if (vector["id"].text() == id) return vector;
  }
  throw std::runtime_error("there is no test vector '" + id + "'");
}

// An array of the vector as numbers.
inline std::vector<double> Numbers(const VectorValue& array) {
  return array.get<std::vector<double>>();
}

}  // namespace crossfold
