#include "data/taken_entries.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {
namespace {

struct Buffers {
  std::vector<std::uint64_t> data;  // words, so that entries of any type are aligned
  std::vector<std::uint8_t> validity;
};

template <class T>
void Take(const Column& from, std::span<const std::int64_t> sources, Buffers& to) {
  to.data.resize((sources.size() * sizeof(T) + 7) / 8);
  T* out = reinterpret_cast<T*>(to.data.data());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    out[i] = sources[i] < 0 ? T{} : static_cast<const T*>(from.data)[sources[i]];
  }
}

void TakeValidity(const Column& from, std::span<const std::int64_t> sources, Buffers& to) {
  to.validity.assign((sources.size() + 7) / 8, 0);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::int64_t bit = sources[i] + from.validity_offset;
    const bool present = sources[i] < 0 || (from.validity[bit / 8] >> (bit % 8) & 1) != 0;
    if (present) to.validity[i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
  }
}

}  // namespace

Column Borrowed(const cf_column& column, std::int64_t n_rows) {
  Column made;
  made.name = column.name;
  made.dtype = column.dtype;
  made.n_rows = n_rows;
  made.data = column.data;
  made.validity = column.validity;
  made.validity_offset = column.validity_offset;
  if (column.levels != nullptr) made.levels.assign(column.levels, column.levels + column.n_levels);
  made.ordered = column.ordered != 0;
  return made;
}

Column TakeEntries(const Column& from, std::span<const std::int64_t> sources) {
  auto buffers = std::make_shared<Buffers>();
  switch (from.dtype) {
    case CF_F64:
      Take<double>(from, sources, *buffers);
      break;
    case CF_F32:
      Take<float>(from, sources, *buffers);
      break;
    case CF_I64:
      Take<std::int64_t>(from, sources, *buffers);
      break;
    case CF_I32:
    case CF_CAT32:
      Take<std::int32_t>(from, sources, *buffers);
      break;
    default:
      assert(from.dtype == CF_BOOL8);
      Take<std::uint8_t>(from, sources, *buffers);
  }
  if (from.validity != nullptr) TakeValidity(from, sources, *buffers);
  Column made = from;
  made.n_rows = static_cast<std::int64_t>(sources.size());
  made.data = buffers->data.data();
  made.validity = from.validity != nullptr ? buffers->validity.data() : nullptr;
  made.validity_offset = 0;
  made.owner = std::move(buffers);
  return made;
}

}  // namespace crossfold
