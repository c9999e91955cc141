// Metrics of scikit-learn on random cases, as tests/bench/parity/metrics_reference.py stored them.
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "unit/plugins/accumulate_law.h"

namespace crossfold {

struct ReferenceMetric {
  std::string name;
  ParamValues params;
  double value;
};

struct ReferenceCase {
  laws::MetricRows rows;
  std::vector<ReferenceMetric> metrics;
};

inline std::vector<std::string> SplitText(const std::string& text, char separator) {
  std::vector<std::string> fields;
  std::istringstream in(text);
  for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
  return fields;
}

inline double NumberOf(const std::string& text) {
  double number = std::nan("");
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "beta=2;average=macro": numbers, true and false are such, all else is text.
inline ParamValues ReferenceParams(const std::string& text) {
  ParamValues params;
  for (const std::string& field : SplitText(text, ';')) {
    const std::size_t equals = field.find('=');
    const std::string value = field.substr(equals + 1);
    Value& to = params[field.substr(0, equals)];
    if (value == "true" || value == "false") {
      to = value == "true";
    } else if (std::isnan(NumberOf(value))) {
      to = value;
    } else {
      to = NumberOf(value);
    }
  }
  return params;
}

inline void ReadReferenceLine(const std::vector<std::string>& fields,
                              std::vector<ReferenceCase>& cases) {
  if (fields[0] == "case") {
    ReferenceCase& added = cases.emplace_back();
    for (char c = 'A'; c < 'A' + std::stoi(fields[2]); ++c) {
      added.rows.class_names.emplace_back(1, c);
    }
    return;
  }
  ReferenceCase& last = cases.back();
  if (fields[0] == "metric") {
    last.metrics.push_back({fields[1], ReferenceParams(fields[2]), NumberOf(fields[3])});
    return;
  }
  const bool classifies = !last.rows.class_names.empty();
  const bool is_truth = fields[0] == "truth";
  std::vector<double> numbers;
  for (std::size_t i = 1; i < fields.size(); ++i) numbers.push_back(NumberOf(fields[i]));
  if (fields[0] == "weights") {
    last.rows.weights = numbers;
  } else if (fields[0] == "probabilities") {
    last.rows.probabilities = numbers;
  } else if (classifies) {
    (is_truth ? last.rows.truth_labels : last.rows.labels).assign(numbers.begin(), numbers.end());
  } else {
    (is_truth ? last.rows.truth_values : last.rows.values) = numbers;
  }
}

// A file of random cases: the stored one of this folder, or one that was made again (see
// metrics_live.cmake).
inline std::filesystem::path ReferenceFile(std::string_view file) {
  const char* made_anew = std::getenv("CROSSFOLD_METRIC_REFERENCES");
  if (made_anew != nullptr) return std::filesystem::path(made_anew) / file;
  return std::filesystem::path(CROSSFOLD_TEST_VECTORS).parent_path().parent_path() /
         "unit/plugins" / file;
}

inline std::vector<ReferenceCase> ReadReferenceCases(std::string_view file) {
  std::ifstream in(ReferenceFile(file));
  std::vector<ReferenceCase> cases;
  for (std::string line; std::getline(in, line);) ReadReferenceLine(SplitText(line, ','), cases);
  return cases;
}

// Within 1e-12 of the value, and 1e-15 beside 0, where the reference itself is rounded.
inline void ExpectReferenceMetrics(const ReferenceCase& reference) {
  for (const ReferenceMetric& metric : reference.metrics) {
    const auto spec = BundledSpec(Kind::kMetric, metric.name, metric.params);
    const laws::Verdict verdict = laws::ScoreWhole(*spec, reference.rows);
    EXPECT_EQ(verdict.status, CF_OK) << spec->ToString() << ": " << verdict.message;
    EXPECT_NEAR(verdict.value, metric.value, 1e-12 * std::abs(metric.value) + 1e-15)
        << spec->ToString();
  }
}

}  // namespace crossfold
