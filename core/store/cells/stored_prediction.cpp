#include "store/cells/stored_prediction.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "encoding/fields.h"
#include "engine/run/cell_runner.h"
#include "engine/run/fold_rows.h"
#include "store/cells/series_reader.h"
#include "store/cells/store_impl.h"

namespace crossfold {
namespace {

constexpr std::uint8_t kRows = 1, kLabels = 2, kValues = 4, kProbabilities = 8;

template <class T>
std::string_view BytesOf(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

std::uint8_t WidthOf(const std::vector<std::int32_t>& labels) {
  const auto [low, high] = std::ranges::minmax(labels);
  if (low < 0) return 4;
  if (high <= std::numeric_limits<std::uint8_t>::max()) return 1;
  return high <= std::numeric_limits<std::uint16_t>::max() ? 2 : 4;
}

template <class T>
void WriteLabels(const std::vector<std::int32_t>& labels, FieldWriter& fields) {
  std::vector<T> narrow(labels.size());
  std::ranges::transform(labels, narrow.begin(), [](std::int32_t l) { return static_cast<T>(l); });
  fields.Raw(BytesOf(narrow));
}

// Reads n entries of type T; the bytes must be there before memory is allocated.
template <class T>
std::vector<T> ReadMany(FieldReader& fields, std::uint64_t n) {
  if (n > fields.rest().size() / sizeof(T)) FieldReader::Fail();
  const std::string_view bytes = fields.Raw(static_cast<std::size_t>(n) * sizeof(T));
  std::vector<T> numbers(static_cast<std::size_t>(n));
  if (n > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

template <class T>
std::vector<std::int32_t> ReadLabels(FieldReader& fields, std::uint64_t n) {
  const std::vector<T> narrow = ReadMany<T>(fields, n);
  return {narrow.begin(), narrow.end()};
}

std::vector<std::int32_t> ReadLabels(FieldReader& fields, std::uint64_t n) {
  switch (fields.Number<std::uint8_t>()) {
    case 1:
      return ReadLabels<std::uint8_t>(fields, n);
    case 2:
      return ReadLabels<std::uint16_t>(fields, n);
    case 4:
      return ReadLabels<std::int32_t>(fields, n);
    default:
      FieldReader::Fail();
  }
}

void RequireLength(std::size_t length, std::size_t expected) {
  if (length != 0 && length != expected) {
    throw std::logic_error("a prediction whose arrays differ in length cannot be stored");
  }
}

// One number, or a score for each class.
std::size_t ValuesPerRow(const Prediction& prediction) {
  return prediction.n_classes > 0 ? static_cast<std::size_t>(prediction.n_classes) : 1;
}

constexpr std::size_t kMaxBytes = 64u << 20;
constexpr std::size_t kMaxEntries = 32;
// With few folds, a look at all rows for each of them costs little.
constexpr std::int32_t kFewFolds = 64;

std::size_t MemoryOf(const FoldTests& tests) {
  return sizeof(FoldTests) + 8 * (tests.ids.size() + tests.starts.size());
}

// Whether the rows of all folds of a repeat exceed what is kept, and those of one fold are made at
// little cost.
bool IsTooLarge(const SplitPlan& plan, std::int64_t split) {
  const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
  return partition.n_folds <= kFewFolds &&
         partition.fold_of_row.size() > kMaxBytes / sizeof(std::int64_t);
}

}  // namespace

std::string PackPrediction(const Prediction& prediction, std::span<const std::int64_t> tested) {
  const std::size_t n = prediction.rows.size();
  constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max();
  if (n > kMax) throw std::length_error("a prediction of that many rows cannot be stored");
  RequireLength(prediction.labels.size(), n);
  RequireLength(prediction.values.size(), n * ValuesPerRow(prediction));
  RequireLength(prediction.probabilities.size(),
                n * static_cast<std::size_t>(prediction.n_classes));
  const bool has_rows = tested.empty() || !std::ranges::equal(prediction.rows, tested);
  std::uint8_t what = has_rows ? kRows : 0;
  if (!prediction.labels.empty()) what |= kLabels;
  if (!prediction.values.empty()) what |= kValues;
  if (!prediction.probabilities.empty()) what |= kProbabilities;
  FieldWriter fields;
  fields.Number(what);
  fields.Number(static_cast<std::uint32_t>(n));
  fields.Number(static_cast<std::uint32_t>(prediction.n_classes));
  if (has_rows) fields.Raw(BytesOf(prediction.rows));
  if ((what & kLabels) != 0) {
    const std::uint8_t width = WidthOf(prediction.labels);
    fields.Number(width);
    if (width == 1) WriteLabels<std::uint8_t>(prediction.labels, fields);
    if (width == 2) WriteLabels<std::uint16_t>(prediction.labels, fields);
    if (width == 4) WriteLabels<std::int32_t>(prediction.labels, fields);
  }
  if ((what & kValues) != 0) fields.Raw(BytesOf(prediction.values));
  if ((what & kProbabilities) != 0) fields.Raw(BytesOf(prediction.probabilities));
  return fields.Take();
}

Prediction UnpackPrediction(std::string_view bytes, std::span<const std::int64_t> tested) {
  FieldReader fields(bytes);
  const auto what = fields.Number<std::uint8_t>();
  if (what > (kRows | kLabels | kValues | kProbabilities)) FieldReader::Fail();
  const std::uint64_t n = fields.Number<std::uint32_t>();
  Prediction prediction;
  prediction.n_classes = fields.Number<std::uint32_t>();
  if ((what & kRows) != 0) {
    prediction.rows = ReadMany<std::int64_t>(fields, n);
  } else if (n == tested.size()) {
    prediction.rows.assign(tested.begin(), tested.end());
  } else {
    FieldReader::Fail();
  }
  if ((what & kLabels) != 0) {
    prediction.labels = ReadLabels(fields, n);
    const auto is_class = [&](std::int32_t l) { return l >= 0 && l < prediction.n_classes; };
    if (!std::ranges::all_of(prediction.labels, is_class)) FieldReader::Fail();
  }
  if ((what & kValues) != 0)
    prediction.values = ReadMany<double>(fields, n * ValuesPerRow(prediction));
  if ((what & kProbabilities) != 0) {
    // Neither factor has more than 32 bits.
    prediction.probabilities =
        ReadMany<double>(fields, n * static_cast<std::uint64_t>(prediction.n_classes));
  }
  fields.End();
  return prediction;
}

Prediction UnpackPredictionOf(const Dataset& data, std::string_view bytes,
                              std::span<const std::int64_t> tested) {
  Prediction prediction = UnpackPrediction(bytes, tested);
  const std::size_t n = prediction.rows.size();
  const bool has_classes = data.task() == Task::kClassification;
  const bool fits = prediction.n_classes == data.num_classes() &&
                    prediction.labels.size() == (has_classes ? n : 0) &&
                    ((has_classes && prediction.values.empty()) ||
                     prediction.values.size() == n * ValuesPerRow(prediction));
  const auto is_row = [&](std::int64_t row) { return row >= 0 && row < data.num_rows(); };
  if (!fits || !std::ranges::all_of(prediction.rows, is_row)) FieldReader::Fail();
  return prediction;
}

std::shared_ptr<const FoldTests> MakeFoldTests(const SplitPlan& plan, std::int64_t first_split) {
  auto tests = std::make_shared<FoldTests>();
  if (plan.partitions().empty()) {
    tests->ids = plan.TestRows(first_split);
    tests->starts = {0, tests->ids.size()};
    return tests;
  }
  const auto repeat = static_cast<std::size_t>(plan.repeat_of(first_split));
  const FoldRows rows(plan, first_split, plan.partitions()[repeat].n_folds);
  tests->ids.reserve(rows.tested().size());
  for (const std::int64_t place : rows.tested()) {
    tests->ids.push_back(rows.id(place));
  }
  for (std::size_t f = 0; f < rows.num_folds(); ++f) tests->starts.push_back(rows.first_tested(f));
  tests->starts.push_back(tests->ids.size());
  return tests;
}

TestRows::Rows TestRows::Of(const SplitPlan& plan, std::int64_t split) {
  const bool is_list = plan.partitions().empty();
  const std::int64_t fold = is_list ? 0 : plan.fold_of(split);
  Rows rows;
  if (!is_list && IsTooLarge(plan, split)) {
    auto tests = std::make_shared<FoldTests>();
    tests->ids = plan.TestRows(split);
    rows.ids = tests->ids;
    rows.owner = std::move(tests);
    return rows;
  }
  rows.owner = is_list ? MakeFoldTests(plan, split) : Find(plan, split - fold);
  rows.ids = rows.owner->Of(fold);
  return rows;
}

std::shared_ptr<const FoldTests> TestRows::Find(const SplitPlan& plan, std::int64_t first_split) {
  const std::lock_guard lock(mutex_);  // others that need the same wait for it
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->plan != &plan || entry->first_split != first_split) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front().tests;
  }
  entries_.push_front({&plan, first_split, MakeFoldTests(plan, first_split)});
  bytes_ += MemoryOf(*entries_.front().tests);
  while ((bytes_ > kMaxBytes || entries_.size() > kMaxEntries) && entries_.size() > 1) {
    bytes_ -= MemoryOf(*entries_.back().tests);
    entries_.pop_back();
  }
  return entries_.front().tests;
}

std::optional<Prediction> FindStoredPrediction(CellStore& store, const CellBlock& block,
                                               std::int64_t split, bool share, TestRows& tests) {
  CellStore::Impl& impl = store.impl();
  std::optional<std::int64_t> series;
  {
    const CellStore::Impl::Locked locked = impl.Lock();
    series = locked.definitions.FindSeries(block, split, share);
  }
  if (!series) return std::nullopt;
  const std::int64_t fold = block.splits->fold_of(split);
  SeriesReader reader(impl);
  std::vector<FoundCell> cells;
  reader.Read(*series, fold, fold + 1, false, cells);
  if (cells.empty()) {  // it may still wait for the tables
    impl.FlushIfWaiting({*series});
    reader.Read(*series, fold, fold + 1, false, cells);
  }
  if (cells.empty()) return std::nullopt;
  const ReadRow& read = cells.front().read;
  if (!read.is_whole || read.row.status != StoredStatus::kOk || !read.row.prediction) {
    return std::nullopt;
  }
  try {
    const TestRows::Rows tested = tests.Of(*block.splits, split);
    Prediction prediction =
        UnpackPredictionOf(*block.splits->view().data, *read.row.prediction, tested.ids);
    DropUnwanted(block.keep, prediction);
    return prediction;
  } catch (const plugin::Error&) {  // it does not fit the cell
    return std::nullopt;
  }
}

}  // namespace crossfold
