#include "svmlight_reader.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../number_text.h"
#include "../reading/ascii.h"
#include "../reading/category_levels.h"
#include "../reading/column_plan.h"
#include "../reading/numbers.h"
#include "../reading/part_threads.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

// Takes the next word off `line`; empty at its end.
std::string_view TakeWord(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kLineBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kLineBlanks));
  line.remove_prefix(word.size());
  return word;
}

struct IndexedValue {
  std::int64_t index = 0;  // from 1
  double value = 0;
};

// The lines of one chunk.
class SvmlightLines {
 public:
  SvmlightLines(const TextSource& source, const TextChunk& chunk)
      : source_(source), text_(chunk.begin, static_cast<std::size_t>(chunk.end - chunk.begin)) {}

  // The next line that is neither blank nor a comment.
  bool Next() {
    while (!text_.empty()) {
      line_ = text_.substr(0, text_.find('\n'));
      start_ = line_.data();
      text_.remove_prefix(std::min(line_.size() + 1, text_.size()));
      line_ = line_.substr(0, line_.find('#'));
      if (line_.find_first_not_of(kLineBlanks) != std::string_view::npos) return true;
    }
    return false;
  }

  double ReadLabel() {
    const std::string_view word = TakeWord(line_);
    const std::optional<double> label = ParseDouble(word);
    if (label && std::isfinite(*label)) return *label + 0.0;  // -0.0 and 0.0 are one class
    const bool several = word.find(',') != std::string_view::npos;
    Refuse("label '" + Shown(word) + "' is not a number" +
           (several ? "; rows with several labels are not supported" : ""));
  }

  // The query of the line, after its label; nothing if it has none.
  std::optional<std::int64_t> ReadQuery() {
    std::string_view rest = line_;
    const std::string_view word = TakeWord(rest);
    if (!word.starts_with(kQuery)) return std::nullopt;
    line_ = rest;
    const auto query = ParseInteger(word.substr(kQuery.size()));
    if (!query) Refuse("'" + Shown(word) + "' is not a query of a whole number");
    return query;
  }
  [[noreturn]] void RefuseLackOfQuery() const {
    Refuse("it has no query (qid:7), and other lines have one; give each line its query");
  }

  // The next pair of the line, after `pair`; false at its end.
  bool ReadPair(IndexedValue& pair) {
    const std::string_view word = TakeWord(line_);
    if (word.empty()) return false;
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
      Refuse("'" + Shown(word) + "' has no colon; write index:value");
    }
    if (word.starts_with(kQuery)) {
      Refuse("'" + Shown(word) + "' must come after the label, and once");
    }
    const std::optional<std::int64_t> index = ParseInteger(word.substr(0, colon));
    constexpr std::int64_t kMostFeatures = std::int64_t{1} << 40;
    if (!index || *index < 1 || *index > kMostFeatures) {
      Refuse("'" + Shown(word) + "' has no index of at least 1");
    }
    if (*index <= pair.index) {
      Refuse("index " + std::to_string(*index) + " does not come after " +
             std::to_string(pair.index) + "; indices must ascend");
    }
    const std::optional<double> value = ParseDouble(word.substr(colon + 1));
    if (!value || !std::isfinite(*value)) Refuse("'" + Shown(word) + "' has no finite value");
    pair = {*index, *value};
    return true;
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    RefuseContent("line " + std::to_string(source_.LineOf(start_)) + ": " + finding);
  }

  static constexpr std::string_view kQuery = "qid:";

  const TextSource& source_;
  std::string_view text_, line_;
  const char* start_ = nullptr;
};

// Reads twice: how many rows and features there are, then the values into dense columns.
class SvmlightReader {
 public:
  SvmlightReader(const TextSource& source, const cf::SourceInput& input,
                 const SvmlightOptions& options, const ChunkedReading& reading)
      : source_(source), input_(input), options_(options), reading_(reading) {}

  cf::Columns Run() {
    FindShape();
    CheckSize();
    for (std::size_t j = 0; j < static_cast<std::size_t>(n_features_); ++j) {
      names_.push_back("f" + std::to_string(j + 1));
      const bool unused = HasFlag(input_.HintOf(names_.back()), CF_HINT_UNUSED);
      features_.emplace_back(unused ? 0 : n_rows_, 0.0);
    }
    labels_.resize(n_rows_);
    if (n_queries_ > 0) queries_.resize(n_rows_);
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) { ReadChunk(i); });
    cf::Columns columns;
    for (std::size_t j = 0; j < features_.size(); ++j) {
      columns.push_back(
          features_[j].empty()
              ? cf::SourceColumn::Unused(names_[j], static_cast<std::int64_t>(n_rows_))
              : cf::SourceColumn::Doubles(names_[j], std::move(features_[j])));
    }
    if (n_queries_ > 0) columns.push_back(Queries());
    columns.push_back(Target().WithRole("target"));
    return columns;
  }

 private:
  void FindShape() {
    chunks_ = RecordEnds(source_.text, RecordEnds::kNoQuotes, reading_).ChunksFrom(0);
    std::vector<std::int64_t> n_rows(chunks_.size()), largest(chunks_.size());
    std::vector<std::size_t> n_queries(chunks_.size());
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      if (reading_.check) reading_.check();
      for (SvmlightLines lines(source_, chunks_[i]); lines.Next(); ++n_rows[i]) {
        lines.ReadLabel();
        if (lines.ReadQuery()) ++n_queries[i];
        IndexedValue pair;
        while (lines.ReadPair(pair)) largest[i] = std::max(largest[i], pair.index);
      }
    });
    n_features_ = std::max<std::int64_t>(options_.n_features, 0);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      first_row_.push_back(n_rows_);
      n_rows_ += static_cast<std::size_t>(n_rows[i]);
      n_features_ = std::max(n_features_, largest[i]);
      n_queries_ += n_queries[i];
    }
    if (n_rows_ == 0) RefuseContent("it has no rows");
    if (n_features_ == 0) RefuseContent("it has labels only, no features");
  }

  void CheckSize() const {
    constexpr double kColumnBytes = 512;  // of a column without entries
    const double bytes =
        (8.0 * static_cast<double>(n_rows_) + kColumnBytes) * static_cast<double>(n_features_);
    const auto most = static_cast<double>(std::min(options_.most_bytes, input_.max_bytes()));
    if (bytes <= most) return;
    const auto gibibytes = [](double n) {
      const auto tenths = static_cast<std::int64_t>(std::floor(n / 107374182.4 + 0.5));
      return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
    };
    RefuseContent(std::to_string(n_rows_) + " rows of " + std::to_string(n_features_) +
                  " features would take " + gibibytes(bytes) +
                  " as dense columns, more than the limit of " + gibibytes(most) +
                  "; raise the limit, or choose features first");
  }

  void ReadChunk(std::size_t chunk) {
    if (reading_.check) reading_.check();
    std::size_t row = first_row_[chunk];
    for (SvmlightLines lines(source_, chunks_[chunk]); lines.Next(); ++row) {
      labels_[row] = lines.ReadLabel();
      const std::optional<std::int64_t> query = lines.ReadQuery();
      if (n_queries_ > 0 && !query) lines.RefuseLackOfQuery();
      if (query) queries_[row] = *query;
      IndexedValue pair;
      while (lines.ReadPair(pair)) {
        std::vector<double>& feature = features_[static_cast<std::size_t>(pair.index - 1)];
        if (!feature.empty()) feature[row] = pair.value;
      }
    }
  }

  cf::SourceColumn Queries() {
    if (HasFlag(input_.HintOf(kQueries), CF_HINT_UNUSED)) {
      return cf::SourceColumn::Unused(kQueries, static_cast<std::int64_t>(n_rows_));
    }
    return cf::SourceColumn::Integers(kQueries, std::move(queries_)).WithRole("groups");
  }

  cf::SourceColumn Target() {
    if (HasFlag(input_.HintOf(kTarget), CF_HINT_UNUSED)) {
      return cf::SourceColumn::Unused(kTarget, static_cast<std::int64_t>(n_rows_));
    }
    if (options_.regression) return cf::SourceColumn::Doubles(kTarget, std::move(labels_));
    LevelSet found;
    std::vector<std::int32_t> codes;
    codes.reserve(n_rows_);
    for (const double label : labels_) codes.push_back(found.CodeOf(bundled::NumberText(label)));
    OrderedLevels ordered = OrderLevels(found, {});
    for (std::int32_t& code : codes) code = ordered.code_of_found[static_cast<std::size_t>(code)];
    return cf::SourceColumn::Categories(kTarget, std::move(codes), std::move(ordered.levels));
  }

  static constexpr const char* kTarget = "target";
  static constexpr const char* kQueries = "qid";

  const TextSource& source_;
  const cf::SourceInput& input_;
  const SvmlightOptions& options_;
  const ChunkedReading& reading_;
  std::vector<TextChunk> chunks_;
  std::vector<std::size_t> first_row_;  // of each chunk
  std::size_t n_rows_ = 0, n_queries_ = 0;
  std::int64_t n_features_ = 0;
  std::vector<std::string> names_;             // of the features
  std::vector<std::vector<double>> features_;  // empty = it is not needed
  std::vector<double> labels_;
  std::vector<std::int64_t> queries_;
};

}  // namespace

cf::Columns ReadSvmlightText(const TextSource& source, const cf::SourceInput& input,
                             const SvmlightOptions& options, const ChunkedReading& reading) {
  return SvmlightReader(source, input, options, reading).Run();
}

}  // namespace crossfold::reading
