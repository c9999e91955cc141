#include "sqlite_column.h"

#include <bit>
#include <limits>
#include <utility>

#include "../number_text.h"
#include "../reading/column_assembly.h"
#include "../reading/refusal.h"

namespace crossfold::reading {

void SqliteColumn::PutReal(double value) { Put(Kind::kReal, std::bit_cast<std::int64_t>(value)); }

void SqliteColumn::PutText(std::string_view text) {
  constexpr std::int64_t kBytesOfLevel = 100;
  const std::size_t before = texts_.size();
  Put(Kind::kText, texts_.CodeOf(text));
  if (texts_.size() > before) text_bytes_ += static_cast<std::int64_t>(text.size()) + kBytesOfLevel;
}

std::int64_t SqliteColumn::size_in_bytes() const {
  return text_bytes_ + static_cast<std::int64_t>(kinds_.size()) * 9;
}

double SqliteColumn::NumberAt(std::size_t row) const {
  switch (kinds_[row]) {
    case Kind::kInteger:
      return static_cast<double>(contents_[row]);
    case Kind::kReal:
      return std::bit_cast<double>(contents_[row]);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string SqliteColumn::TextAt(std::size_t row) const {
  switch (kinds_[row]) {
    case Kind::kInteger:
      if (plan_.type == ColumnType::kBool && contents_[row] >= 0 && contents_[row] <= 1) {
        return contents_[row] == 1 ? "true" : "false";
      }
      return std::to_string(contents_[row]);
    case Kind::kReal:
      return bundled::NumberText(std::bit_cast<double>(contents_[row]));
    default:
      return texts_.level(static_cast<std::size_t>(contents_[row]));
  }
}

cf::SourceColumn SqliteColumn::Finish(std::int64_t n_rows) const {
  if (plan_.type == ColumnType::kIgnore) {
    return cf::SourceColumn::Unused(plan_.name, n_rows);
  }
  if (plan_.type == ColumnType::kInfer) return FinishAsFound();
  auto column = FinishAs(plan_.type);
  return column ? *std::move(column) : FinishAsFound();
}

cf::SourceColumn SqliteColumn::FinishAsFound() const {
  if (has(Kind::kText)) return *FinishAs(ColumnType::kCategorical);
  if (has(Kind::kInteger) && !has(Kind::kReal)) {
    std::vector<bool> present;
    if (has(Kind::kNull)) {
      for (const Kind kind : kinds_) present.push_back(kind != Kind::kNull);
    }
    return cf::SourceColumn::Integers(plan_.name, contents_, present);
  }
  std::vector<double> values(kinds_.size());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = NumberAt(row);
  return cf::SourceColumn::Doubles(plan_.name, std::move(values));
}

// From the cells as text, as readers of text files do. Returns nothing if a cell does not fit a
// preferred type.
std::optional<cf::SourceColumn> SqliteColumn::FinishAs(ColumnType type) const {
  ColumnPlan plan = plan_;
  plan.type = type;
  ColumnAssembly assembly(std::move(plan), 1);
  assembly.Start(CellKind::kNone, kinds_.size());
  ColumnPart& part = assembly.BeginPart(0, 0);
  for (std::size_t row = 0; row < kinds_.size(); ++row) {
    if (kinds_[row] == Kind::kNull) {
      part.PutMissing(row);
      continue;
    }
    part.Put(row, TextAt(row), nullptr);
    if (!part.bad()) continue;
    if (!plan_.firm && !plan_.closed) return std::nullopt;
    RefuseContent("row " + std::to_string(row + 1) + ", column '" + Shown(plan_.name) +
                  "': " + assembly.Finding(*part.bad()));
  }
  part.End(kinds_.size());
  assembly.Settle(kinds_.size());
  return assembly.Finish();
}

}  // namespace crossfold::reading
