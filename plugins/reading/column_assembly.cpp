#include "column_assembly.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "known_names.h"
#include "part_threads.h"
#include "refusal.h"

namespace crossfold::reading {
namespace {

// The memory is not cleared, so that the thread that writes a part is the first to touch its pages.
// Large memory is in large pages if the system has them, which makes fewer faults.
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

// One bit an entry.
std::vector<std::uint8_t> Packed(std::span<const bool> entries) {
  std::vector<std::uint8_t> bits((entries.size() + 7) / 8);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    bits[i / 8] |= static_cast<std::uint8_t>((entries[i] ? 1U : 0U) << i % 8);
  }
  return bits;
}

}  // namespace

ColumnAssembly::ColumnAssembly(ColumnPlan plan, std::size_t n_parts)
    : plan_(std::move(plan)), parts_(n_parts), first_row_(n_parts) {}

void ColumnAssembly::Allocate(ColumnType type, std::size_t n_rows) {
  if (entries_ && EntrySize(type) == EntrySize(type_)) return;
  entries_ = nullptr;  // what is no longer needed is given back first
  entries_ = AllocateEntries(n_rows * EntrySize(type));
}

void ColumnAssembly::Start(CellKind sample, std::size_t n_rows) {
  n_room_ = n_rows;
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
  const std::size_t offset = static_cast<std::size_t>(first_row) * EntrySize(type_);
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

void ColumnAssembly::Infer() {
  plan_.type = ColumnType::kInfer;
  Start(CellKind::kNone, n_room_);
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

// Empty if no entry is missing.
std::vector<std::uint8_t> ColumnAssembly::Validity() const {
  const bool complete = std::all_of(parts_.begin(), parts_.end(),
                                    [](const ColumnPart& part) { return part.missing().empty(); });
  if (complete) return {};
  std::vector<std::uint8_t> bits((n_rows_ + 7) / 8, 0xFF);
  if (n_rows_ % 8 != 0) bits.back() = static_cast<std::uint8_t>((1U << n_rows_ % 8) - 1);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::uint32_t row : parts_[i].missing()) {
      const std::size_t bit = static_cast<std::size_t>(first_row_[i]) + row;
      bits[bit >> 3] &= static_cast<std::uint8_t>(~(1U << (bit & 7)));
    }
  }
  return bits;
}

void ColumnAssembly::OrderCategories(cf::SourceColumn& column) {
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

cf::SourceColumn ColumnAssembly::Finish() {
  auto column = cf::SourceColumn::Unused(plan_.name, static_cast<std::int64_t>(n_rows_));
  if (is_ignored()) return column;
  struct Buffers {
    std::shared_ptr<void> entries;
    std::vector<std::uint8_t> validity, bits;
  };
  auto buffers = std::make_shared<Buffers>();
  column.dtype = DtypeOf(type_);
  if (type_ == ColumnType::kCategorical) OrderCategories(column);
  for (const ColumnPart& part : parts_) {
    column.null_count += static_cast<std::int64_t>(part.missing().size());
    n_inexact_ += part.n_inexact();
    if (!inexact_) inexact_ = part.inexact();
  }
  buffers->validity = Validity();
  if (column.null_count > 0) column.validity = buffers->validity.data();
  if (type_ == ColumnType::kBool) {
    buffers->bits = Packed({static_cast<const bool*>(entries_.get()), n_rows_});
    column.data = buffers->bits.data();
    entries_ = nullptr;
  } else {
    column.data = entries_.get();
    buffers->entries = std::move(entries_);
  }
  column.owner = std::move(buffers);
  parts_.clear();
  return column;
}

std::string ColumnAssembly::Note(const std::function<std::size_t(const char*)>& line_of) const {
  if (!inexact_) return "";
  const bool one = n_inexact_ == 1;
  return "'" + Shown(plan_.name) + "' has " + std::to_string(n_inexact_) +
         (one ? " integer" : " integers") + " beyond 2^53 among real numbers, which f64 rounds" +
         (one ? " (" : " (the first: ") + Shown(inexact_->content) + " in line " +
         std::to_string(line_of(inexact_->position)) +
         "); if they are ids or codes, give it the type categorical or ignore";
}

std::string ColumnAssembly::Finding(const BadCell& bad) const {
  const std::string finding = "'" + Shown(bad.content) + "' " + std::string(bad.problem);
  if (plan_.closed) return finding + "; " + KnownNames(bad.content, plan_.declared);
  return finding + " (type " + std::string(NameOf(plan_.type)) + " was requested)";
}

cf::Columns FinishColumns(std::vector<ColumnAssembly>& assemblies, std::size_t n_rows,
                          std::size_t n_parts, int threads,
                          const std::function<void(std::size_t)>& rewrite) {
  for (ColumnAssembly& assembly : assemblies) assembly.Settle(n_rows);
  ForEachPart(threads, n_parts, [&](std::size_t part) {
    const bool needed =
        std::any_of(assemblies.begin(), assemblies.end(),
                    [part](const ColumnAssembly& a) { return a.NeedsRewrite(part); });
    if (needed) rewrite(part);
  });
  cf::Columns columns(assemblies.size());
  // Threads are not worth their cost for a text of one chunk.
  ForEachPart(n_parts > 1 ? threads : 1, assemblies.size(),
              [&](std::size_t i) { columns[i] = assemblies[i].Finish(); });
  return columns;
}

}  // namespace crossfold::reading
