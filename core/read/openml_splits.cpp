#include "crossfold/openml_splits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/facts/split_facts.h"
#include "crossfold/error.h"
#include "engine/text/ascii.h"
#include "engine/text/shown_text.h"
#include "files/file_bytes.h"
#include "read/arff_records.h"

namespace crossfold {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"type", "rowid", "repeat", "fold", "sample"};
enum NameIndex : std::size_t { kType, kRowid, kRepeat, kFold, kSample };
constexpr std::size_t kAbsent = std::numeric_limits<std::size_t>::max();

std::string Refusal(const std::string& name) { return "cannot read '" + name + "'"; }

// Returns the place of each of kNames among the attributes. Throws Error if the file does not
// contain splits.
std::array<std::size_t, kNames.size()> FindColumns(const ArffReader& reader,
                                                   const std::string& name) {
  const auto refuse = [&](const std::string& finding) {
    throw Error(ErrorKind::kBadData,
                Refusal(name) + ": " + finding +
                    "; OpenML splits have the attributes type, rowid, repeat, fold, and perhaps "
                    "sample");
  };
  std::array<std::size_t, kNames.size()> columns;
  columns.fill(kAbsent);
  for (std::size_t i = 0; i < reader.attributes().size(); ++i) {
    const ArffAttribute& attribute = reader.attributes()[i];
    const auto known = std::find(kNames.begin(), kNames.end(), LowerCase(attribute.name));
    const std::string quoted = "attribute '" + Shown(attribute.name) + "'";
    if (known == kNames.end()) refuse(quoted + " is not known");
    const auto index = static_cast<std::size_t>(known - kNames.begin());
    if (columns[index] != kAbsent) refuse(quoted + " is listed twice");
    columns[index] = i;
    const bool is_number =
        attribute.type == "numeric" || attribute.type == "integer" || attribute.type == "real";
    if (index != kType && !is_number) refuse(quoted + " is not numeric");
    if (index == kType && attribute.type != "" && attribute.type != "string") {
      refuse(quoted + " is not {TRAIN,TEST}");
    }
  }
  for (std::size_t i = 0; i < kSample; ++i) {
    if (columns[i] == kAbsent) refuse("there is no attribute '" + std::string(kNames[i]) + "'");
  }
  return columns;
}

// Collects the lines of one file by split.
class Collector {
 public:
  Collector(ArffReader& reader, const std::string& name)
      : reader_(reader), columns_(FindColumns(reader, name)) {}

  void Add(const std::vector<std::string>& values) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    const std::int64_t repeat = Number(values, kRepeat, kMax);
    const std::int64_t fold = Number(values, kFold, kMax);
    const std::int64_t sample = columns_[kSample] == kAbsent ? 0 : Number(values, kSample, kMax);
    const std::int64_t row = Number(values, kRowid, std::numeric_limits<std::int64_t>::max() - 1);
    const std::string& type = values[columns_[kType]];
    const bool is_test = LowerCase(type) == "test";
    if (!is_test && LowerCase(type) != "train") {
      reader_.Refuse(", type: '" + Shown(type) + "' is neither TRAIN nor TEST");
    }
    SplitRows& rows = splits_[{repeat, fold, sample}];
    (is_test ? rows.test : rows.train).push_back(row);
  }

  std::vector<OpenmlSplit> Take() {
    std::vector<OpenmlSplit> splits;
    for (auto& [place, rows] : splits_) {
      const auto [repeat, fold, sample] = place;
      splits.push_back({repeat, fold, sample, std::move(rows)});
    }
    return splits;
  }

 private:
  std::int64_t Number(const std::vector<std::string>& values, NameIndex index,
                      std::int64_t most) const {
    const std::string& text = values[columns_[index]];
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    const std::string where = ", " + std::string(kNames[index]) + ": '" + Shown(text) + "' is ";
    const bool is_out_of_range = problem == std::errc::result_out_of_range;
    if (stop != end || text.starts_with('-') || (problem != std::errc() && !is_out_of_range)) {
      reader_.Refuse(where + "not a whole number from 0 up");
    }
    if (is_out_of_range || number > most) reader_.Refuse(where + "too large");
    return number;
  }

  const ArffReader& reader_;
  std::array<std::size_t, kNames.size()> columns_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, SplitRows> splits_;
};

// Adds fold `fold` of a repeat. Returns false if it tests a row that another fold tests, does not
// train on all others, or has rows that do not ascend (as those of a partition do).
bool AddFold(const SplitRows& rows, std::int32_t fold, std::vector<std::int32_t>& fold_of_row) {
  const auto n = static_cast<std::int64_t>(fold_of_row.size());
  for (const std::vector<std::int64_t>* part : {&rows.train, &rows.test}) {
    if (std::adjacent_find(part->begin(), part->end(), std::greater_equal<>()) != part->end()) {
      return false;
    }
    if (part->empty() || part->back() >= n) return false;
  }
  if (rows.train.size() + rows.test.size() != fold_of_row.size()) return false;
  for (const std::int64_t row : rows.test) {
    std::int32_t& place = fold_of_row[static_cast<std::size_t>(row)];
    if (place >= 0) return false;
    place = fold;
  }
  return std::none_of(rows.train.begin(), rows.train.end(), [&](std::int64_t row) {
    return fold_of_row[static_cast<std::size_t>(row)] == fold;
  });
}

std::optional<std::vector<Partition>> AsPartitions(const OpenmlSplits& splits,
                                                   std::int64_t n_rows) {
  std::vector<Partition> repeats;
  const OpenmlSplit* last = nullptr;
  for (const OpenmlSplit& split : splits.splits) {
    if (last == nullptr || split.repeat != last->repeat) {
      repeats.emplace_back();
      repeats.back().fold_of_row.assign(static_cast<std::size_t>(n_rows), -1);
    } else if (split.fold == last->fold) {
      return std::nullopt;  // another sample
    }
    Partition& partition = repeats.back();
    if (!AddFold(split.rows, partition.n_folds++, partition.fold_of_row)) return std::nullopt;
    last = &split;
  }
  return repeats;
}

// Returns a name in single quotes, on one line.
std::string Quoted(std::string_view name) {
  std::string quoted = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') quoted.push_back('\\');
    quoted.push_back(static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  }
  return quoted + "'";
}

void AppendLines(std::string_view type, const std::vector<std::int64_t>& rows,
                 const std::string& place, std::string& text) {
  for (const std::int64_t row : rows) {
    text += type;
    text += std::to_string(row);
    text += place;
  }
}

}  // namespace

OpenmlSplits ParseOpenmlSplits(std::string_view text, const std::string& name) {
  ArffReader reader(text, Refusal(name));
  Collector collector(reader, name);
  std::vector<std::string> values;
  while (reader.Next(values)) collector.Add(values);
  OpenmlSplits splits{name, collector.Take()};
  if (splits.splits.empty()) {
    throw Error(ErrorKind::kBadData, Refusal(name) + ": there are no rows after @data");
  }
  return splits;
}

OpenmlSplits ReadOpenmlSplits(const std::filesystem::path& path) {
  return ParseOpenmlSplits(ReadFileBytes(path), path.string());
}

std::shared_ptr<const SplitPlan> PlanOpenmlSplits(const OpenmlSplits& splits, const DataView& view,
                                                  bool ignore_groups) {
  if (view.rows) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot use the splits of '" + splits.name + "' on some rows of dataset '" +
                    view.data->name() +
                    "': their row ids refer to the whole dataset; use a "
                    "splitter that makes splits of any rows, such as kfold");
  }
  std::optional<std::vector<Partition>> partitions = AsPartitions(splits, view.num_rows());
  std::shared_ptr<const SplitPlan> plan;
  if (partitions) {
    plan = SplitPlan::FromPartitions(view, std::move(*partitions));
  } else {
    std::vector<SplitRows> lists;
    for (const OpenmlSplit& split : splits.splits) lists.push_back(split.rows);
    plan = SplitPlan::FromLists(view, std::move(lists));
  }
  if (!ignore_groups) {
    RefuseTornGroups(*plan, splits.name,
                     "read the data without groups, or use ignore_groups = true");
  }
  return plan;
}

std::string FormatOpenmlSplits(const SplitPlan& plan, const CancelToken* cancel) {
  const Dataset& data = *plan.view().data;
  if (plan.view().rows) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot write the splits of '" + data.name() +
                    "' for OpenML: they are splits of some of its rows only; split the whole "
                    "dataset");
  }
  std::string text = "@relation " + Quoted(data.name() + "_splits") +
                     "\n\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute "
                     "repeat numeric\n@attribute fold numeric\n\n@data\n";
  for (std::int64_t split = 0; split < plan.size(); ++split) {
    StopIfCancelled(cancel);
    const std::string place = "," + std::to_string(plan.repeat_of(split)) + "," +
                              std::to_string(plan.fold_of(split)) + "\n";
    const SplitRows rows = plan.Rows(split);
    AppendLines("TRAIN,", rows.train, place, text);
    AppendLines("TEST,", rows.test, place, text);
  }
  return text;
}

void WriteOpenmlSplits(const SplitPlan& plan, const std::filesystem::path& path) {
  WriteFileBytes(path, FormatOpenmlSplits(plan), "cannot write '" + path.string() + "'");
}

}  // namespace crossfold
