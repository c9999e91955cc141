#include "data/csv_column.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "text/format_number.h"

namespace crossfold {
namespace {

constexpr std::string_view kNotANumber = "is not a number";
constexpr std::string_view kNotAnInteger = "is not an integer";
constexpr std::string_view kOutOfRange = "is out of range";
constexpr std::string_view kNotABool = "is neither true nor false";

// The words for infinity and NaN are no numbers here.
template <class T>
std::string_view Real(std::string_view cell, std::optional<T> parsed, T* value) {
  if (!parsed || !std::isfinite(*parsed)) return IsDecimalNumber(cell) ? kOutOfRange : kNotANumber;
  *value = *parsed;
  return "";
}

// Each reads a whole cell and returns "" or what is wrong with it.
std::string_view ReadCell(std::string_view cell, double* value) {
  return Real(cell, ParseDouble(cell), value);
}

std::string_view ReadCell(std::string_view cell, float* value) {
  return Real(cell, ParseFloat(cell), value);
}

std::string_view ReadCell(std::string_view cell, std::int64_t* value) {
  const auto parsed = ParseInteger(cell);
  if (parsed) {
    *value = *parsed;
    return "";
  }
  if (!IsDecimalNumber(cell)) return kNotANumber;
  return cell.find_first_of(".eE") == std::string_view::npos ? kOutOfRange : kNotAnInteger;
}

std::string_view ReadCell(std::string_view cell, std::int32_t* value) {
  std::int64_t wide = 0;
  const std::string_view problem = ReadCell(cell, &wide);
  if (!problem.empty()) return problem;
  if (!std::in_range<std::int32_t>(wide)) return kOutOfRange;
  *value = static_cast<std::int32_t>(wide);
  return "";
}

std::string_view ReadCell(std::string_view cell, bool* value) {
  *value = cell == "true" || cell == "True" || cell == "TRUE";
  const bool is_false = cell == "false" || cell == "False" || cell == "FALSE";
  return *value || is_false ? "" : kNotABool;
}

struct BadCell {
  std::size_t row;
  std::string_view problem;
};

template <class T>
struct Parsed {
  std::vector<T> values;  // T() where missing
  std::vector<bool> present;
  std::optional<BadCell> bad;  // reading ended here
};

class ColumnMaker {
 public:
  ColumnMaker(const CsvSource& source, const CsvRecords& records, std::size_t column,
              std::span<const std::string> declared, const MissingMarkers& missing)
      : source_(source),
        records_(records),
        column_(column),
        declared_(declared),
        missing_(missing) {}

  Column Make(ColumnType type) const {
    switch (type) {
      case ColumnType::kF64:
        return FromReals(Demand<double>("f64"));
      case ColumnType::kF32:
        return FromReals(Demand<float>("f32"));
      case ColumnType::kI32: {
        auto parsed = Demand<std::int32_t>("i32");
        return Column::Integers32(name(), std::move(parsed.values), parsed.present);
      }
      case ColumnType::kI64:
        return FromIntegers(Demand<std::int64_t>("i64"));
      case ColumnType::kBool: {
        const auto parsed = Demand<bool>("bool");
        return Column::Booleans(name(), parsed.values, parsed.present);
      }
      case ColumnType::kCategorical:
        return MakeCategories();
      default:
        assert(type == ColumnType::kInfer);
        return Infer();
    }
  }

 private:
  const std::string& name() const { return records_.names[column_]; }

  Column Infer() const {
    auto integers = Parse<std::int64_t>();
    if (!integers.bad) {
      const auto& present = integers.present;
      const bool all_missing = std::find(present.begin(), present.end(), true) == present.end();
      return all_missing ? FromReals(Parse<double>()) : FromIntegers(std::move(integers));
    }
    auto reals = Parse<double>();
    if (!reals.bad) return FromReals(std::move(reals));
    const auto bools = Parse<bool>();
    if (!bools.bad) return Column::Booleans(name(), bools.values, bools.present);
    return MakeCategories();
  }

  template <class T>
  Parsed<T> Parse() const {
    Parsed<T> parsed;
    const std::size_t n_rows = records_.num_rows();
    parsed.values.reserve(n_rows);
    parsed.present.reserve(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const CsvCell& cell = records_.cell(row, column_);
      const bool present = !missing_.Matches(cell);
      T value{};
      if (present) {
        const std::string_view problem = ReadCell(cell.raw(), &value);
        if (!problem.empty()) {
          parsed.bad = BadCell{row, problem};
          break;
        }
      }
      parsed.values.push_back(value);
      parsed.present.push_back(present);
    }
    return parsed;
  }

  // A type that was asked for.
  template <class T>
  Parsed<T> Demand(const std::string& type_name) const {
    Parsed<T> parsed = Parse<T>();
    if (!parsed.bad) return parsed;
    const CsvCell& cell = records_.cell(parsed.bad->row, column_);
    source_.Refuse("line " + std::to_string(source_.LineOf(cell.data)) + ", column '" +
                   Shown(name()) + "': '" + Shown(cell.Content()) + "' " +
                   std::string(parsed.bad->problem) + " (type " + type_name + " was asked for)");
  }

  template <class T>
  Column FromReals(Parsed<T> parsed) const {
    for (std::size_t row = 0; row < parsed.values.size(); ++row) {
      if (!parsed.present[row]) parsed.values[row] = std::numeric_limits<T>::quiet_NaN();
    }
    if constexpr (std::is_same_v<T, float>) {
      return Column::Floats(name(), std::move(parsed.values));
    } else {
      return Column::Doubles(name(), std::move(parsed.values));
    }
  }

  Column FromIntegers(Parsed<std::int64_t> parsed) const {
    return Column::Integers(name(), std::move(parsed.values), parsed.present);
  }

  Column MakeCategories() const {
    std::unordered_map<std::string_view, std::int32_t> code_of;
    std::vector<std::string> levels;  // in the order of their first rows
    std::vector<std::int32_t> codes;
    codes.reserve(records_.num_rows());
    for (std::size_t row = 0; row < records_.num_rows(); ++row) {
      const CsvCell& cell = records_.cell(row, column_);
      if (missing_.Matches(cell)) {
        codes.push_back(-1);
        continue;
      }
      const auto code = static_cast<std::int32_t>(levels.size());
      const auto [known, is_new] = code_of.emplace(cell.raw(), code);
      if (is_new) levels.push_back(cell.Content());
      codes.push_back(known->second);
    }
    SortLevels(&levels, &codes);
    if (!declared_.empty()) PutDeclaredFirst(&levels, &codes);
    return Column::Categories(name(), std::move(codes), std::move(levels));
  }

  void PutDeclaredFirst(std::vector<std::string>* levels, std::vector<std::int32_t>* codes) const {
    std::vector<std::string> all(declared_.begin(), declared_.end());
    std::vector<std::int32_t> new_code;
    for (std::string& level : *levels) {
      const auto known = std::find(declared_.begin(), declared_.end(), level) - declared_.begin();
      if (static_cast<std::size_t>(known) < declared_.size()) {
        new_code.push_back(static_cast<std::int32_t>(known));
      } else {
        new_code.push_back(static_cast<std::int32_t>(all.size()));
        all.push_back(std::move(level));
      }
    }
    *levels = std::move(all);
    Recode(new_code, codes);
  }

  static void Recode(const std::vector<std::int32_t>& new_code, std::vector<std::int32_t>* codes) {
    for (std::int32_t& code : *codes) {
      if (code >= 0) code = new_code[static_cast<std::size_t>(code)];
    }
  }

  // By value if all are numbers (equal values, such as 1 and 1.0, by bytes), else by bytes.
  static void SortLevels(std::vector<std::string>* levels, std::vector<std::int32_t>* codes) {
    std::vector<std::pair<double, std::size_t>> order;  // value (0 = not numbers), old code
    bool all_numbers = true;
    for (std::size_t i = 0; i < levels->size(); ++i) {
      double value = 0;
      all_numbers &= ReadCell((*levels)[i], &value).empty();
      order.emplace_back(value, i);
    }
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      if (all_numbers && a.first != b.first) return a.first < b.first;
      return (*levels)[a.second] < (*levels)[b.second];
    });
    std::vector<std::int32_t> new_code(levels->size());
    std::vector<std::string> sorted;
    for (const auto& [value, old_code] : order) {
      new_code[old_code] = static_cast<std::int32_t>(sorted.size());
      sorted.push_back(std::move((*levels)[old_code]));
    }
    *levels = std::move(sorted);
    Recode(new_code, codes);
  }

  const CsvSource& source_;
  const CsvRecords& records_;
  const std::size_t column_;
  const std::span<const std::string> declared_;
  const MissingMarkers& missing_;
};

}  // namespace

Column MakeColumn(const CsvSource& source, const CsvRecords& records, std::size_t column,
                  ColumnType type, std::span<const std::string> declared,
                  const MissingMarkers& missing) {
  return ColumnMaker(source, records, column, declared, missing).Make(type);
}

}  // namespace crossfold
