#include "check/data_variants.h"

#include <cmath>
#include <limits>
#include <utility>

namespace crossfold::check {

DataPtr WithFeatures(const Dataset& data, const std::function<bool(Column&)>& change) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    Column changed = column;
    const bool has_role = column.name == data.roles().target || column.name == data.roles().weights;
    columns.push_back(!has_role && change(changed) ? std::move(changed) : column);
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

DataPtr WithLevel(const Dataset& data, double from, double to) {
  return WithFeatures(data, [&](Column& column) {
    if (column.dtype != CF_CAT32) return false;
    std::vector<double> entries = EntriesOf(column);
    for (double& entry : entries) entry = entry == from ? to : entry;
    column = WithEntries(column, entries);
    return true;
  });
}

Column ColumnOf(std::int32_t dtype, const std::string& name, const std::vector<int>& numbers) {
  switch (dtype) {
    case CF_F32:
      return Column::Floats(name, {numbers.begin(), numbers.end()});
    case CF_I32:
      return Column::Integers32(name, {numbers.begin(), numbers.end()});
    case CF_I64:
      return Column::Integers(name, {numbers.begin(), numbers.end()});
    case CF_BOOL8:
      return Column::Booleans(name, std::vector<bool>(numbers.begin(), numbers.end()));
    case CF_CAT32:
      return Column::Categories(name, {numbers.begin(), numbers.end()}, {"false", "true"});
    default:
      return Column::Doubles(name, {numbers.begin(), numbers.end()});
  }
}

Column WithEntries(const Column& column, const std::vector<double>& entries) {
  if (column.dtype != CF_CAT32) return Column::Doubles(column.name, entries);
  std::vector<std::int32_t> codes;
  for (const double entry : entries) {
    codes.push_back(std::isnan(entry) ? -1 : static_cast<std::int32_t>(entry));
  }
  return Column::Categories(column.name, std::move(codes), column.levels);
}

std::vector<double> EntriesOf(const Column& column) {
  std::vector<double> entries;
  for (std::int64_t i = 0; i < column.n_rows; ++i) {
    if (column.is_missing(i)) {
      entries.push_back(std::numeric_limits<double>::quiet_NaN());
    } else if (column.dtype == CF_CAT32) {
      entries.push_back(static_cast<const std::int32_t*>(column.data)[i]);
    } else {
      entries.push_back(static_cast<const double*>(column.data)[i]);
    }
  }
  return entries;
}

}  // namespace crossfold::check
