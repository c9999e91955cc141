// Predictions of scikit-learn, from reference_linear.csv, which reference_linear.py wrote.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/fitted_model.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

struct ReferenceRow {
  std::int64_t row;
  std::vector<std::string> values;
};

// fold -> rows of one case and file.
inline std::map<std::int64_t, std::vector<ReferenceRow>> ReadReference(const std::string& name,
                                                                       const std::string& file) {
  std::ifstream in(std::filesystem::path(CROSSFOLD_TEST_DATA).parent_path().parent_path() /
                   "tests/unit/plugins/reference_linear.csv");
  std::map<std::int64_t, std::vector<ReferenceRow>> folds;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    if (fields.size() < 5 || fields[0] != name || fields[1] != file) continue;
    folds[std::stoll(fields[2])].push_back(
        {std::stoll(fields[3]), {fields.begin() + 4, fields.end()}});
  }
  return folds;
}

// Probabilities, else the value.
inline void ExpectLikeReference(const Prediction& got, std::size_t i, const ReferenceRow& expected,
                                double tolerance) {
  const std::size_t n = expected.values.size();
  const std::vector<double>& numbers = got.probabilities.empty() ? got.values : got.probabilities;
  for (std::size_t c = 0; c < n; ++c) {
    EXPECT_NEAR(numbers.at(i * n + c), std::strtod(expected.values[c].c_str(), nullptr), tolerance)
        << "row " << expected.row << ", number " << c;
  }
}

// Fits on the rows of the other folds, row i being in fold i modulo 10.
inline void ExpectReference(const std::string& name, const std::string& file,
                            const std::shared_ptr<const Pipeline>& learner, double tolerance) {
  const DataPtr data = file == "digits.csv"
                           ? ReadDigits()
                           : ReadTestData(file, file == "diabetes_regr.csv" ? "target" : "class");
  const auto reference = ReadReference(name, file);
  ASSERT_FALSE(reference.empty()) << name << " on " << file;
  for (const auto& [fold, rows] : reference) {
    RowIds test;
    for (const ReferenceRow& row : rows) test.push_back(row.row);
    const RowIds train = FoldRows(RowRange(0, data->num_rows()), 10, fold, false);
    const Prediction got =
        FittedModel::Fit(learner, RowsOf(data, train), 1, {})->Predict(RowsOf(data, test), {});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ExpectLikeReference(got, i, rows[i], tolerance);
    }
  }
}
inline void ExpectReference(const std::string& name, const std::string& file,
                            std::string_view learner, const ParamValues& params, double tolerance) {
  ExpectReference(name, file, BundledLearner(learner, params), tolerance);
}

}  // namespace crossfold
