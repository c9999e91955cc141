#include "duckdb_column.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

using duckdb::Type;

template <class T>
T At(const void* data, std::size_t row) {
  return static_cast<const T*>(data)[row];
}

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

DuckDbColumn::DuckDbColumn(const duckdb::Library& library, std::string name,
                           duckdb::LogicalType type, bool is_unused)
    : library_(&library), name_(std::move(name)), type_(library.get_type_id(type)), stored_(type_) {
  if (is_unused) return;
  entries_ = EntriesOf(type_);
  if (type_ == Type::kDecimal) SetDecimal(type);
  if (type_ == Type::kEnum) SetLevels(type);
  if (entries_.index() == 0) {
    Refuse(
        "is of a type that is not supported; cast it in the query, or leave it out (types: "
        "ignore)");
  }
}

DuckDbColumn::Entries DuckDbColumn::EntriesOf(Type type) {
  switch (type) {
    case Type::kBoolean:
      return std::vector<bool>();
    case Type::kTinyInt:
    case Type::kSmallInt:
    case Type::kInteger:
    case Type::kUTinyInt:
    case Type::kUSmallInt:
      return std::vector<std::int32_t>();
    case Type::kBigInt:
    case Type::kUInteger:
    case Type::kUBigInt:
    case Type::kTimestamp:
    case Type::kTimestampTz:
    case Type::kTimestampS:
    case Type::kTimestampMs:
    case Type::kTimestampNs:
    case Type::kDate:
    case Type::kTime:
      return std::vector<std::int64_t>();
    case Type::kFloat:
      return std::vector<float>();
    case Type::kDouble:
    case Type::kDecimal:
    case Type::kHugeInt:
    case Type::kUHugeInt:
    case Type::kSqlNull:
      return std::vector<double>();
    case Type::kVarchar:
      return Texts();
    case Type::kEnum:
      return Codes();
    default:
      return std::monostate();
  }
}

void DuckDbColumn::Refuse(const std::string& finding) const {
  RefuseContent("column '" + Shown(name_) + "' " + finding);
}

void DuckDbColumn::SetDecimal(duckdb::LogicalType type) {
  width_ = library_->decimal_width(type);
  scale_ = library_->decimal_scale(type);
  stored_ = library_->decimal_internal_type(type);
}

void DuckDbColumn::SetLevels(duckdb::LogicalType type) {
  stored_ = library_->enum_internal_type(type);
  Codes codes;
  const std::uint32_t n = library_->enum_dictionary_size(type);
  for (std::uint32_t i = 0; i < n; ++i) {
    char* level = library_->enum_dictionary_value(type, i);
    codes.levels.emplace_back(level);
    library_->free(level);
  }
  entries_ = std::move(codes);
}

void DuckDbColumn::Append(duckdb::Vector vector, std::int64_t n_rows) {
  const std::int64_t before = n_rows_;
  n_rows_ += n_rows;
  if (entries_.index() == 0) return;
  const void* data = library_->vector_get_data(vector);
  const std::uint64_t* validity = library_->vector_get_validity(vector);
  for (std::int64_t i = 0; i < n_rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const bool is_present = type_ != Type::kSqlNull &&
                            (validity == nullptr || (validity[row / 64] >> row % 64 & 1) != 0);
    if (is_present) {
      AppendEntry(data, row);
      if (!present_.empty()) present_.push_back(true);
      continue;
    }
    if (present_.empty()) present_.assign(static_cast<std::size_t>(before + i), true);
    present_.push_back(false);
    AppendMissing();
  }
}

void DuckDbColumn::AppendEntry(const void* data, std::size_t row) {
  std::visit(
      Overloaded{
          [](std::monostate) {},
          [&](std::vector<double>& doubles) { doubles.push_back(NumberAt(data, row)); },
          [&](std::vector<float>& floats) { floats.push_back(At<float>(data, row)); },
          [&](std::vector<std::int64_t>& integers) { integers.push_back(IntegerAt(data, row)); },
          [&](std::vector<std::int32_t>& integers) {
            integers.push_back(static_cast<std::int32_t>(IntegerAt(data, row)));
          },
          [&](std::vector<bool>& bits) { bits.push_back(At<std::uint8_t>(data, row) != 0); },
          [&](Texts& texts) {
            const auto& text = static_cast<const duckdb::String*>(data)[row];
            texts.bytes.append(text.data(), text.length);
            texts.offsets.push_back(static_cast<std::int64_t>(texts.bytes.size()));
          },
          [&](Codes& codes) {
            codes.codes.push_back(static_cast<std::int32_t>(IntegerAt(data, row)));
          }},
      entries_);
}

void DuckDbColumn::AppendMissing() {
  std::visit(Overloaded{[](std::monostate) {},
                        [](std::vector<double>& doubles) {
                          doubles.push_back(std::numeric_limits<double>::quiet_NaN());
                        },
                        [](std::vector<float>& floats) {
                          floats.push_back(std::numeric_limits<float>::quiet_NaN());
                        },
                        [](Texts& texts) { texts.offsets.push_back(texts.offsets.back()); },
                        [](Codes& codes) { codes.codes.push_back(-1); },
                        [](auto& entries) { entries.push_back(0); }},
             entries_);
}

double DuckDbColumn::NumberAt(const void* data, std::size_t row) const {
  switch (type_) {
    case Type::kHugeInt:
      return library_->hugeint_to_double(At<duckdb::HugeInt>(data, row));
    case Type::kUHugeInt:
      return library_->uhugeint_to_double(At<duckdb::UnsignedHugeInt>(data, row));
    case Type::kDecimal: {
      duckdb::Decimal decimal{width_, scale_, {}};
      if (stored_ == Type::kHugeInt) {
        decimal.value = At<duckdb::HugeInt>(data, row);
      } else {
        const std::int64_t value = IntegerAt(data, row);
        decimal.value = {static_cast<std::uint64_t>(value), value < 0 ? -1 : 0};
      }
      return library_->decimal_to_double(decimal);
    }
    default:
      return At<double>(data, row);
  }
}

std::int64_t DuckDbColumn::IntegerAt(const void* data, std::size_t row) const {
  switch (stored_) {
    case Type::kTinyInt:
      return At<std::int8_t>(data, row);
    case Type::kSmallInt:
      return At<std::int16_t>(data, row);
    case Type::kInteger:
    case Type::kDate:
      return At<std::int32_t>(data, row);
    case Type::kUTinyInt:
      return At<std::uint8_t>(data, row);
    case Type::kUSmallInt:
      return At<std::uint16_t>(data, row);
    case Type::kUInteger:
      return At<std::uint32_t>(data, row);
    case Type::kUBigInt: {
      const auto value = At<std::uint64_t>(data, row);
      if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        Refuse("has the number " + std::to_string(value) +
               ", which does not fit in 64 bits with a sign; cast it to DOUBLE in the query");
      }
      return static_cast<std::int64_t>(value);
    }
    default:
      return At<std::int64_t>(data, row);
  }
}

std::int64_t DuckDbColumn::size_in_bytes() const {
  const std::size_t size = std::visit(
      Overloaded{[](std::monostate) -> std::size_t { return 0; },
                 [](const std::vector<bool>& bits) { return bits.capacity() / 8; },
                 [](const Texts& texts) {
                   return texts.bytes.capacity() + texts.offsets.capacity() * sizeof(std::int64_t);
                 },
                 [](const Codes& codes) { return codes.codes.capacity() * sizeof(std::int32_t); },
                 [](const auto& entries) { return entries.capacity() * sizeof(entries[0]); }},
      entries_);
  return static_cast<std::int64_t>(size + present_.capacity() / 8);
}

cf::SourceColumn DuckDbColumn::Finish() && {
  const std::int64_t n_rows = n_rows_;
  return std::visit(
      Overloaded{[&](std::monostate) { return cf::SourceColumn::Unused(name_, n_rows); },
                 [&](std::vector<double>& doubles) {
                   return cf::SourceColumn::Doubles(name_, std::move(doubles));
                 },
                 [&](std::vector<float>& floats) {
                   return cf::SourceColumn::Floats(name_, std::move(floats));
                 },
                 [&](std::vector<std::int64_t>& integers) {
                   return cf::SourceColumn::Integers(name_, std::move(integers), present_);
                 },
                 [&](std::vector<std::int32_t>& integers) {
                   return cf::SourceColumn::Integers32(name_, std::move(integers), present_);
                 },
                 [&](std::vector<bool>& bits) {
                   return cf::SourceColumn::Booleans(name_, bits, present_);
                 },
                 [&](Texts& texts) {
                   cf::SourceColumn column = cf::SourceColumn::Unused(name_, n_rows);
                   auto owner = std::make_shared<const Texts>(std::move(texts));
                   column.arrow_format = "U";
                   column.data = owner->offsets.data();
                   column.text = owner->bytes.data();
                   column.owner = std::move(owner);
                   return std::move(column).WithPresent(present_);
                 },
                 [&](Codes& codes) {
                   return cf::SourceColumn::Categories(name_, std::move(codes.codes),
                                                       std::move(codes.levels));
                 }},
      entries_);
}

}  // namespace crossfold::reading
