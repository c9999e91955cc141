#include "data/column_assembly.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "crossfold/nearest_name.h"
#include "data/column_entries.h"
#include "data/column_types.h"
#include "text/shown_text.h"

namespace crossfold {
namespace {

// Not cleared, so that the thread that writes a part is the first to touch its pages. Large memory
// lies in large pages where the system has them: fewer faults.
std::shared_ptr<void> AllocateEntries(std::size_t n_bytes) {
  constexpr std::size_t kLargePage = std::size_t{1} << 21;
  constexpr std::size_t kCacheLine = 64;
  const bool large = n_bytes >= 2 * kLargePage;
  const std::size_t alignment = large ? kLargePage : kCacheLine;
  const std::size_t rounded = (n_bytes / kCacheLine + 1) * kCacheLine;
  void* memory = ::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (large) ::madvise(memory, rounded / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return {memory, [](void* p) { std::free(p); }};
}

}  // namespace

ColumnAssembly::ColumnAssembly(ColumnPlan plan, std::size_t n_parts)
    : plan_(std::move(plan)), parts_(n_parts), first_row_(n_parts) {}

void ColumnAssembly::Allocate(ColumnType type, std::size_t n_rows) {
  if (entries_ && EntrySize(DtypeOf(type)) == EntrySize(DtypeOf(type_))) return;
  entries_ = nullptr;  // what is no longer needed is given back first
  entries_ = AllocateEntries(n_rows * EntrySize(DtypeOf(type)));
}

void ColumnAssembly::Start(CellKind sample, std::size_t n_rows) {
  if (is_ignored()) {
    type_ = ColumnType::kIgnore;
    return;
  }
  inferred_ = plan_.type == ColumnType::kInfer;
  const ColumnType narrowest = sample == CellKind::kNone ? ColumnType::kI64 : InferredType(sample);
  const ColumnType type = inferred_ ? narrowest : plan_.type;
  Allocate(type, n_rows);
  type_ = type;
}

ColumnPart& ColumnAssembly::BeginPart(std::size_t part, std::int64_t first_row) {
  first_row_[part] = first_row;
  const std::size_t offset = static_cast<std::size_t>(first_row) * EntrySize(DtypeOf(type_));
  void* entries = is_ignored() ? nullptr : static_cast<char*>(entries_.get()) + offset;
  parts_[part].Begin(type_, inferred_, entries);
  if (plan_.closed) parts_[part].AllowOnly(plan_.declared);
  return parts_[part];
}

const BadCell* ColumnAssembly::FirstBad() const {
  for (const ColumnPart& part : parts_) {
    if (part.bad()) return &*part.bad();
  }
  return nullptr;
}

void ColumnAssembly::Settle(std::size_t n_rows) {
  n_rows_ = n_rows;
  if (is_ignored() || !inferred_) return;
  CellKind kind = CellKind::kNone;
  for (const ColumnPart& part : parts_) kind = Join(kind, part.kind());
  const ColumnType type = InferredType(kind);
  Allocate(type, n_rows);
  type_ = type;
  inferred_ = false;
  if (kind != CellKind::kNone) return;
  // Nothing to read again.
  auto* entries = static_cast<double*>(entries_.get());
  std::fill(entries, entries + n_rows, std::numeric_limits<double>::quiet_NaN());
  for (ColumnPart& part : parts_) part.Begin(type, false, nullptr);
}

bool ColumnAssembly::NeedsRewrite(std::size_t part) const {
  return !is_ignored() && parts_[part].held_type() != type_;
}

// Validity and entries in one owner.
void ColumnAssembly::AddValidity(Column& column, std::shared_ptr<void>& owner) const {
  const bool complete = std::all_of(parts_.begin(), parts_.end(),
                                    [](const ColumnPart& part) { return part.missing().empty(); });
  if (complete) return;
  struct Buffers {
    std::shared_ptr<void> entries;
    std::vector<std::uint8_t> validity;
  };
  auto buffers = std::make_shared<Buffers>();
  buffers->entries = std::move(owner);
  buffers->validity.assign((n_rows_ + 7) / 8, 0xFF);
  if (n_rows_ % 8 != 0)
    buffers->validity.back() = static_cast<std::uint8_t>((1U << n_rows_ % 8) - 1);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::uint32_t row : parts_[i].missing()) {
      const std::size_t bit = static_cast<std::size_t>(first_row_[i]) + row;
      buffers->validity[bit >> 3] &= static_cast<std::uint8_t>(~(1U << (bit & 7)));
    }
  }
  column.validity = buffers->validity.data();
  owner = std::move(buffers);
}

void ColumnAssembly::OrderCategories(Column& column) {
  LevelSet all;
  std::vector<std::vector<std::int32_t>> code_in_all(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const LevelSet& levels = parts_[i].levels();
    for (std::size_t code = 0; code < levels.size(); ++code) {
      code_in_all[i].push_back(all.CodeOf(levels.level(code)));
    }
  }
  OrderedLevels ordered = OrderLevels(all, plan_.declared);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto* codes = static_cast<std::int32_t*>(parts_[i].entries());
    for (std::size_t row = 0; row < parts_[i].n_rows(); ++row) {
      if (codes[row] < 0) continue;
      const std::int32_t code = code_in_all[i][static_cast<std::size_t>(codes[row])];
      codes[row] = ordered.code_of_found[static_cast<std::size_t>(code)];
    }
  }
  column.levels = std::move(ordered.levels);
  column.ordered = plan_.ordered && column.levels.size() == plan_.declared.size();
}

Column ColumnAssembly::Finish() {
  assert(!is_ignored());
  Column column;
  column.name = plan_.name;
  column.dtype = DtypeOf(type_);
  column.n_rows = static_cast<std::int64_t>(n_rows_);
  column.data = entries_.get();
  if (type_ == ColumnType::kCategorical) OrderCategories(column);
  std::shared_ptr<void> owner = std::move(entries_);
  AddValidity(column, owner);
  column.owner = std::move(owner);
  parts_.clear();
  return column;
}

std::string ColumnAssembly::Finding(const BadCell& bad) const {
  const std::string finding = "'" + Shown(bad.content) + "' " + std::string(bad.problem);
  if (plan_.closed) return finding + "; " + KnownNames(bad.content, plan_.declared);
  return finding + " (type " + std::string(ColumnTypeName(DtypeOf(plan_.type))) + " was asked for)";
}

}  // namespace crossfold
