// The numeric test vectors of the reference (tests/data/vectors.json; made with SciPy, R, Weka and
// statsmodels): {"id": ..., "in": {...}, "out": {...}, "tol": absolute tolerance}.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace crossfold {

// Throws std::runtime_error if there is no vector of that id.
inline nlohmann::json TestVector(const std::string& id) {
  std::ifstream file(CROSSFOLD_TEST_VECTORS);
  for (const nlohmann::json& vector : nlohmann::json::parse(file)) {
    if (vector.at("id") == id) return vector;
  }
  throw std::runtime_error("there is no test vector '" + id + "'");
}

// An array of the vector as numbers.
inline std::vector<double> Numbers(const nlohmann::json& array) {
  return array.get<std::vector<double>>();
}

}  // namespace crossfold
