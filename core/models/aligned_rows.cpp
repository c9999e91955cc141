#include "models/aligned_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "engine/data/column_entries.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

std::string RowCount(std::int64_t n) { return std::to_string(n) + (n == 1 ? " row" : " rows"); }

// -2^63 and 2^63 are doubles; a double between them without a fraction is an int64.
bool IsInteger(double x) { return x >= -0x1p63 && x < 0x1p63 && x == std::trunc(x); }

// Returns `from` as a T of the same value, if there is one.
template <class T, class F>
std::optional<T> Exact(F from) {
  if constexpr (std::is_floating_point_v<T>) {
    const T to = static_cast<T>(from);
    if constexpr (std::is_floating_point_v<F>) {
      if (static_cast<F>(to) != from) return std::nullopt;
    } else {
      // A double of 2^63 cannot be converted back to the integer that it was rounded from.
      if (!IsInteger(static_cast<double>(to))) return std::nullopt;
      if (static_cast<std::int64_t>(to) != static_cast<std::int64_t>(from)) return std::nullopt;
    }
    return to;
  } else {
    if constexpr (std::is_floating_point_v<F>) {
      if (!IsInteger(static_cast<double>(from))) return std::nullopt;
    }
    const auto wide = static_cast<std::int64_t>(from);
    if (!std::in_range<T>(wide)) return std::nullopt;
    return static_cast<T>(wide);
  }
}

template <class T>
std::string EntryText(T entry) {
  if constexpr (std::is_floating_point_v<T>) {
    return FormatShortest(static_cast<double>(entry));
  } else {
    return std::to_string(entry);
  }
}

std::vector<std::string> FeatureNames(const Dataset& data) {
  std::vector<std::string> names;
  for (const cf_column& feature : data.features()) names.emplace_back(feature.name);
  return names;
}

}  // namespace

// Converts one column after the other.
class AlignedRows::Converter {
 public:
  Converter(AlignedRows& out, const Dataset& data, UnknownLevels unknown,
            const std::string& attempt)
      : out_(out), data_(data), unknown_(unknown), attempt_(attempt) {}

  void Add(const ColumnDeclaration& wanted) {
    const cf_column& found = FindFeature(wanted.name, data_, attempt_);
    const Column& column = data_.column(wanted.name);
    if (wanted.dtype == CF_CAT32 && found.dtype == CF_CAT32) {
      AddCategories(wanted, found, column);
    } else if (wanted.dtype == found.dtype) {
      out_.columns_.push_back(found);
    } else if (wanted.dtype == CF_CAT32) {
      Refuse("feature '" + wanted.name + "' is " + std::string(TypeName(found.dtype)) +
             " instead of categorical; read it with types = { " + wanted.name +
             " = \"categorical\" }, or the file with like = the model");
    } else if (found.dtype == CF_CAT32) {
      Refuse("feature '" + wanted.name + "' is categorical instead of " +
             std::string(TypeName(wanted.dtype)) + "; give it numbers");
    } else {
      Append(Converted(wanted, column));
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kInvalidArgument, attempt_ + finding);
  }

  void Append(Column column) {
    const Column& kept = out_.made_.emplace_back(std::move(column));
    cf_column view{};
    view.data = kept.data;
    view.validity = kept.validity;
    view.name = kept.name.c_str();
    view.null_count = kept.CountMissing();
    view.dtype = kept.dtype;
    if (kept.dtype == CF_CAT32) {
      auto& pointers = out_.level_pointers_.emplace_back();
      for (const std::string& level : kept.levels) pointers.push_back(level.c_str());
      view.levels = pointers.data();
      view.n_levels = static_cast<std::int64_t>(pointers.size());
      view.flags = kept.ordered ? std::uint32_t{CF_COLUMN_ORDERED} : 0u;
    }
    out_.columns_.push_back(view);
  }

  void AddCategories(const ColumnDeclaration& wanted, const cf_column& found,
                     const Column& column) {
    if (wanted.levels == column.levels && wanted.ordered == column.ordered) {
      out_.columns_.push_back(found);
      return;
    }
    std::map<std::string_view, std::int32_t> code_of;
    for (std::size_t i = 0; i < wanted.levels.size(); ++i) {
      code_of.emplace(wanted.levels[i], static_cast<std::int32_t>(i));
    }
    std::vector<std::int32_t> new_code;  // of each level of `column`; -1 = unknown
    for (const std::string& level : column.levels) {
      const auto known = code_of.find(level);
      new_code.push_back(known == code_of.end() ? -1 : known->second);
    }
    const auto* old = static_cast<const std::int32_t*>(column.data);
    std::vector<std::int32_t> codes(static_cast<std::size_t>(column.n_rows), -1);
    std::vector<std::int64_t> rows_of(column.levels.size(), 0);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (column.is_missing(static_cast<std::int64_t>(i))) continue;
      const auto level = static_cast<std::size_t>(old[i]);
      codes[i] = new_code[level];
      ++rows_of[level];
    }
    for (std::size_t l = 0; l < rows_of.size(); ++l) {
      if (new_code[l] < 0 && rows_of[l] > 0) NoteUnknown(wanted, column.levels[l], rows_of[l]);
    }
    Column made = Column::Categories(wanted.name, std::move(codes), wanted.levels);
    made.ordered = wanted.ordered;
    Append(std::move(made));
  }

  void NoteUnknown(const ColumnDeclaration& wanted, const std::string& level, std::int64_t n) {
    const std::string what = "feature '" + wanted.name + "' has level '" + level + "' (" +
                             RowCount(n) + "), which the training data did not declare";
    if (unknown_ == UnknownLevels::kRefused) {
      Refuse(what + "; leave such rows out, or fit the model on data that declares the level");
    }
    out_.notes_.push_back(what + "; it counts as missing");
  }

  Column Converted(const ColumnDeclaration& wanted, const Column& column) const {
    switch (wanted.dtype) {
      case CF_F64:
        return Column::Doubles(wanted.name, Entries<double>(wanted, column, nullptr));
      case CF_F32:
        return Column::Floats(wanted.name, Entries<float>(wanted, column, nullptr));
      case CF_I32: {
        std::vector<bool> present;
        auto entries = Entries<std::int32_t>(wanted, column, &present);
        return Column::Integers32(wanted.name, std::move(entries), present);
      }
      case CF_I64: {
        std::vector<bool> present;
        auto entries = Entries<std::int64_t>(wanted, column, &present);
        return Column::Integers(wanted.name, std::move(entries), present);
      }
      default: {
        std::vector<bool> present;
        const auto entries = Entries<std::uint8_t>(wanted, column, &present);
        for (std::size_t i = 0; i < entries.size(); ++i) {
          if (entries[i] > 1) RefuseEntry(wanted, column, i, std::to_string(entries[i]));
        }
        return Column::Booleans(wanted.name, {entries.begin(), entries.end()}, present);
      }
    }
  }

  // Missing entries are NaN in reals; for the other types `present` marks them.
  template <class T>
  std::vector<T> Entries(const ColumnDeclaration& wanted, const Column& column,
                         std::vector<bool>* present) const {
    return VisitEntries(column, [&](auto entries) {
      std::vector<T> converted(entries.size());
      if (present != nullptr) present->assign(entries.size(), true);
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (column.is_missing(static_cast<std::int64_t>(i))) {
          if (present != nullptr) (*present)[i] = false;
          if constexpr (std::is_floating_point_v<T>) {
            converted[i] = std::numeric_limits<T>::quiet_NaN();
          }
          continue;
        }
        const std::optional<T> exact = Exact<T>(entries[i]);
        if (!exact) RefuseEntry(wanted, column, i, EntryText(entries[i]));
        converted[i] = *exact;
      }
      return converted;
    });
  }

  [[noreturn]] void RefuseEntry(const ColumnDeclaration& wanted, const Column& column,
                                std::size_t row, const std::string& text) const {
    Refuse("feature '" + wanted.name + "' is " + std::string(TypeName(column.dtype)) +
           " instead of " + std::string(TypeName(wanted.dtype)) + ", and " + text + " in row " +
           std::to_string(row + 1) +
           " cannot be converted exactly; fit the model on data read with types = { " +
           wanted.name + " = \"f64\" }");
  }

  AlignedRows& out_;
  const Dataset& data_;
  const UnknownLevels unknown_;
  const std::string& attempt_;
};

const cf_column& FindFeature(const std::string& name, const Dataset& data,
                             const std::string& attempt) {
  for (const cf_column& feature : data.features()) {
    if (name == feature.name) return feature;
  }
  if (data.FindColumn(name) != nullptr) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "column '" + name +
                    "' has a role there (target, weights, groups, time or folds) and is not a "
                    "feature; read the data without that role");
  }
  throw Error(ErrorKind::kInvalidArgument, attempt + "it has no feature '" + name +
                                               "', which the model was trained on; " +
                                               KnownNames(name, FeatureNames(data)));
}

AlignedRows::AlignedRows(const TableSchema& schema, const Dataset& data,
                         const std::vector<std::int64_t>* rows, UnknownLevels unknown,
                         const std::string& attempt) {
  Converter converter(*this, data, unknown, attempt);
  for (const ColumnDeclaration& wanted : schema.features()) converter.Add(wanted);
  table_.struct_size = sizeof(cf_table);
  table_.n_rows_total = data.num_rows();
  table_.n_rows = rows ? static_cast<std::int64_t>(rows->size()) : data.num_rows();
  table_.rows = rows ? rows->data() : nullptr;
  table_.n_features = static_cast<std::int64_t>(columns_.size());
  table_.features = columns_.data();
}

}  // namespace crossfold
