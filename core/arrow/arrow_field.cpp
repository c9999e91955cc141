#include "arrow/arrow_field.h"

#include <cstring>
#include <limits>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/arrow_views.hpp"

namespace crossfold {
namespace {

constexpr std::int64_t kMaxEntries = std::numeric_limits<std::int64_t>::max() / 16;

// Returns what is wrong with the counts of an array of which `wanted` entries are needed; "" =
// nothing.
std::string FindCountProblem(const ArrowArray& array, std::int64_t wanted) {
  if (array.length < 0) return "has a negative length";
  if (array.offset < 0) return "has a negative offset";
  if (array.length > kMaxEntries || array.offset > kMaxEntries) {
    return "has an impossible length or offset";
  }
  if (array.length < wanted) {
    return "has " + std::to_string(array.length) + " entries where " + std::to_string(wanted) +
           " are needed";
  }
  if (array.null_count < -1 || array.null_count > array.length) {
    return "has the null count " + std::to_string(array.null_count) + " with " +
           std::to_string(array.length) + " entries";
  }
  return "";
}

}  // namespace

void ArrowPart::Refuse(const std::string& finding) const {
  throw Error(ErrorKind::kBadData, subject + finding);
}

const std::uint8_t* ArrowPart::validity() const {
  return array->null_count == 0 ? nullptr : static_cast<const std::uint8_t*>(buffer(0));
}

bool ArrowPart::is_null(std::int64_t row) const {
  const std::uint8_t* bitmap = validity();
  if (bitmap == nullptr) return false;
  const auto bit = static_cast<std::uint64_t>(first + row);
  return ((bitmap[bit >> 3] >> (bit & 7)) & 1) == 0;
}

ArrowPart CheckArrowPart(const ArrowSchema& schema, const ArrowArray& array, std::int64_t n_buffers,
                         const ArrowRows& rows, std::string subject) {
  ArrowPart part{&schema, &array, 0, rows.count, rows.before, std::move(subject)};
  if (array.release == nullptr) part.Refuse("has been released");
  const std::string problem = FindCountProblem(array, rows.skipped + rows.count);
  if (!problem.empty()) part.Refuse(problem);
  if (array.n_buffers != n_buffers) {
    part.Refuse("has " + std::to_string(array.n_buffers) + " buffers where " +
                std::to_string(n_buffers) + " are needed");
  }
  if (array.n_children != 0 || schema.n_children != 0) part.Refuse("has children");
  if (n_buffers > 0 && array.buffers == nullptr) part.Refuse("has no list of buffers");
  if (n_buffers > 0 && array.null_count > 0 && array.buffers[0] == nullptr) {
    part.Refuse("has " + std::to_string(array.null_count) + " nulls and no validity bitmap");
  }
  for (std::int64_t i = 1; i < n_buffers; ++i) {
    // The last buffer of strings may be NULL if every string is empty.
    const bool may_lack = rows.count == 0 || i == 2;
    if (array.buffers[i] == nullptr && !may_lack) {
      part.Refuse("lacks buffer " + std::to_string(i + 1));
    }
  }
  part.first = array.offset + rows.skipped;
  return part;
}

ArrowTexts::ArrowTexts(const ArrowPart& part)
    : part_(part), is_large_(part.format() == "U"), has_views_(part.format() == "vu") {
  if (part.n_rows == 0) return;
  if (has_views_) {
    CheckViews();
    return;
  }
  std::int64_t last = OffsetAt(0);
  if (last < 0) part.Refuse("has a negative string offset");
  for (std::int64_t row = 1; row <= part.n_rows; ++row) {
    const std::int64_t next = OffsetAt(row);
    if (next < last) {
      part.Refuse("has a string that ends before it begins, in " + part.RowName(row - 1));
    }
    last = next;
  }
  if (part.buffer(2) == nullptr && last > OffsetAt(0))
    part.Refuse("has strings and no bytes for them");
}

void ArrowTexts::CheckViews() const {
  for (std::int64_t row = 0; row < part_.n_rows; ++row) {
    if (part_.is_null(row) || ViewAt(row)) continue;
    part_.Refuse("has a string outside of its buffers, in " + part_.RowName(row));
  }
}

// After the bitmap and the views are the buffers of strings, and then their sizes.
std::optional<std::string_view> ArrowTexts::ViewAt(std::int64_t row) const {
  const auto* views = static_cast<const char*>(part_.buffer(1));
  const std::int64_t n_buffers = part_.array->n_buffers - 3;
  const auto* sizes = static_cast<const char*>(part_.buffer(n_buffers + 2));
  const auto buffer_of = [&](std::size_t i) {
    const auto* bytes =
        i < static_cast<std::size_t>(n_buffers)
            ? static_cast<const char*>(part_.buffer(static_cast<std::int64_t>(i) + 2))
            : nullptr;
    std::int64_t size = 0;
    if (bytes != nullptr) std::memcpy(&size, sizes + i * sizeof size, sizeof size);
    return bytes == nullptr || size < 0 ? std::string_view()
                                        : std::string_view(bytes, static_cast<std::size_t>(size));
  };
  const auto entry = static_cast<std::size_t>(part_.first + row);
  return plugin::ArrowViewText(views + entry * plugin::kArrowViewBytes, buffer_of);
}

std::int64_t ArrowTexts::OffsetAt(std::int64_t entry) const {
  const auto* offsets = static_cast<const char*>(part_.buffer(1));
  const std::size_t i = static_cast<std::size_t>(part_.first + entry);
  if (is_large_) {
    std::int64_t offset = 0;
    std::memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
    return offset;
  }
  std::int32_t offset = 0;
  std::memcpy(&offset, offsets + i * sizeof offset, sizeof offset);
  return offset;
}

std::string_view ArrowTexts::Text(std::int64_t row) const {
  if (has_views_) return ViewAt(row).value_or(std::string_view());
  const std::int64_t begin = OffsetAt(row), end = OffsetAt(row + 1);
  if (begin == end) return {};
  return {static_cast<const char*>(part_.buffer(2)) + begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace crossfold
