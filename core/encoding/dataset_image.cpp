#include "encoding/dataset_image.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <utility>

#include "crossfold/error.h"
#include "encoding/fields.h"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

constexpr std::string_view kMagic = "CFXDATA1";
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPrefix = 16;  // magic and length of the head

std::size_t Aligned(std::size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

std::size_t BitmapSize(std::int64_t n_rows) { return (static_cast<std::size_t>(n_rows) + 7) / 8; }

std::size_t EntriesSize(const Column& column) {
  return static_cast<std::size_t>(column.n_rows) * EntrySize(column.dtype);
}

// Copies the bitmap from bit 0 on, with zeros after the last row.
void CopyBitmap(const Column& column, char* bytes) {
  std::memset(bytes, 0, BitmapSize(column.n_rows));
  for (std::size_t row = 0; row < static_cast<std::size_t>(column.n_rows); ++row) {
    if (!IsValid(column, row)) continue;
    bytes[row >> 3] =
        static_cast<char>(static_cast<unsigned char>(bytes[row >> 3]) | (1U << (row & 7)));
  }
}

void WriteRoles(const Roles& roles, FieldWriter& head) {
  for (const std::string* role :
       {&roles.target, &roles.weights, &roles.groups, &roles.time, &roles.folds, &roles.strata}) {
    head.Text(*role);
  }
  head.Length(roles.row_costs.size());
  for (const auto& [name, column] : roles.row_costs) {
    head.Text(name);
    head.Text(column);
  }
}

Roles ReadRoles(FieldReader& head) {
  Roles roles;
  for (std::string* role :
       {&roles.target, &roles.weights, &roles.groups, &roles.time, &roles.folds, &roles.strata}) {
    *role = head.Text();
  }
  for (auto& [name, column] : head.List([&head] {
         std::string name = head.Text();
         return std::pair(std::move(name), head.Text());
       })) {
    roles.row_costs.emplace(std::move(name), std::move(column));
  }
  return roles;
}

// Returns the buffers after the head.
class ImageBuffers {
 public:
  ImageBuffers(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  const char* Next(std::size_t n) {
    at_ = Aligned(at_);
    if (at_ > bytes_.size() || n > bytes_.size() - at_) FieldReader::Fail();
    const char* place = bytes_.data() + at_;
    at_ += n;
    return place;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

Column ReadColumn(FieldReader& head, std::int64_t n_rows, ImageBuffers& buffers,
                  const std::shared_ptr<const void>& owner) {
  ColumnDeclaration declared = head.Declaration();
  Column column;
  column.name = std::move(declared.name);
  column.dtype = declared.dtype;
  column.ordered = declared.ordered;
  column.levels = std::move(declared.levels);
  column.n_rows = n_rows;
  column.owner = owner;
  column.data = buffers.Next(EntriesSize(column));
  if (head.Number<bool>()) {
    column.validity = reinterpret_cast<const std::uint8_t*>(buffers.Next(BitmapSize(n_rows)));
  }
  return column;
}

std::shared_ptr<const Dataset> Read(std::string_view bytes, std::shared_ptr<const void> owner) {
  FieldReader prefix(bytes);
  if (prefix.Raw(kMagic.size()) != kMagic) FieldReader::Fail();
  const std::string_view head_bytes = prefix.Bytes();
  FieldReader head(head_bytes);
  std::string name = head.Text();
  const auto n_rows = head.Number<std::int64_t>();
  // A column has at least one byte per row.
  if (n_rows < 0 || static_cast<std::uint64_t>(n_rows) > bytes.size()) FieldReader::Fail();
  Roles roles = ReadRoles(head);
  ImageBuffers buffers(bytes, kPrefix + head_bytes.size());
  std::vector<Column> columns = head.List([&] { return ReadColumn(head, n_rows, buffers, owner); });
  std::vector<double> costs = head.Numbers<double>();
  if (!head.rest().empty()) roles.coordinates = head.Texts();
  if (!head.rest().empty()) roles.positive = head.Text();
  head.End();
  std::shared_ptr<const Dataset> data = Dataset::Create(std::move(name), std::move(columns), roles);
  if (costs.empty()) return data;
  const std::int64_t k = data->num_classes();
  if (costs.size() != static_cast<std::size_t>(k) * static_cast<std::size_t>(k)) {
    FieldReader::Fail();
  }
  return Dataset::WithCosts(*data, {k, k, std::move(costs)});
}

}  // namespace

DatasetImage::DatasetImage(const Dataset& data) : data_(data) {
  FieldWriter head;
  head.Text(data.name());
  head.Number(data.num_rows());
  WriteRoles(data.roles(), head);
  head.Length(data.columns().size());
  for (const Column& column : data.columns()) {
    head.Declaration({column.name, column.dtype, column.ordered, column.levels});
    head.Number(column.validity != nullptr);
  }
  head.Numbers(data.costs());
  const Roles& roles = data.roles();
  if (!roles.coordinates.empty() || !roles.positive.empty()) head.Texts(roles.coordinates);
  if (!roles.positive.empty()) head.Text(roles.positive);
  head_ = head.Take();
  size_ = kPrefix + head_.size();
  const auto place = [this](std::size_t n) {
    size_ = Aligned(size_);
    places_.push_back(size_);
    size_ += n;
  };
  for (const Column& column : data.columns()) {
    place(EntriesSize(column));
    if (column.validity != nullptr) place(BitmapSize(column.n_rows));
  }
}

template <class Put>
void DatasetImage::EachPiece(const Put& put) const {
  FieldWriter prefix;
  prefix.Raw(kMagic);
  prefix.Text(head_);
  put(std::size_t{0}, prefix.bytes());
  std::size_t next = 0;
  std::string bitmap;
  for (const Column& column : data_.columns()) {
    put(places_[next++],
        std::string_view(static_cast<const char*>(column.data), EntriesSize(column)));
    if (column.validity == nullptr) continue;
    bitmap.resize(BitmapSize(column.n_rows));
    CopyBitmap(column, bitmap.data());
    put(places_[next++], bitmap);
  }
}

void DatasetImage::WriteTo(char* bytes) const {
  std::size_t end = 0;
  EachPiece([&](std::size_t at, std::string_view piece) {
    std::memset(bytes + end, 0, at - end);
    if (!piece.empty()) std::memcpy(bytes + at, piece.data(), piece.size());
    end = at + piece.size();
  });
  assert(end == size_);
}

void DatasetImage::WriteParts(std::size_t part_bytes,
                              const std::function<void(std::string_view)>& take) const {
  std::string part;
  part.reserve(std::min(part_bytes, size_));
  std::size_t end = 0;
  EachPiece([&](std::size_t at, std::string_view piece) {
    const std::string zeros(at - end, '\0');
    end = at + piece.size();
    for (std::string_view rest : {std::string_view(zeros), piece}) {
      while (!rest.empty()) {
        const std::size_t n = std::min(rest.size(), part_bytes - part.size());
        part.append(rest.substr(0, n));
        rest.remove_prefix(n);
        if (part.size() < part_bytes) continue;
        take(part);
        part.clear();
      }
    }
  });
  if (!part.empty()) take(part);
}

std::shared_ptr<const Dataset> ReadDatasetImage(std::string_view bytes,
                                                std::shared_ptr<const void> owner) {
  assert(reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0);
  try {
    return Read(bytes, std::move(owner));
  } catch (const plugin::Error&) {
  } catch (const Error&) {  // no dataset has this content
  }
  throw Error(ErrorKind::kBadData,
              "cannot read the image of a dataset: it is damaged or cut short");
}

}  // namespace crossfold
