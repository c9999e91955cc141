#include "arff_reader.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "../reading/column_assembly.h"
#include "../reading/column_plan.h"
#include "../reading/part_threads.h"
#include "../reading/refusal.h"
#include "arff_records.h"
#include "crossfold_plugin/utf8.hpp"
#include "date_pattern.h"
#include "decoded_text.h"
#include "reading_memory.h"

namespace crossfold::reading {
namespace {

// Reads the values of an attribute.
struct AttributeReader {
  const ArffAttribute& attribute;
  // In a sparse line that does not name the attribute; nothing if it has to.
  std::optional<std::string_view> unnamed = {};
  std::optional<DatePattern> date = {};  // whose dates become numbers
  bool is_inferred = false;              // any number will do, nothing else
  bool is_ignored = false;
  std::unordered_set<std::string_view> levels = {};  // of a list

  bool is_list() const { return attribute.type.empty(); }
};

bool IsNotNumber(CellKind kind) { return kind == CellKind::kBool || kind == CellKind::kText; }

// Drops a preferred type that differs from the declared one, unless every entry fits.
void DropWish(ColumnPlan& plan, bool is_numeric) {
  const bool fits = plan.type == ColumnType::kIgnore || plan.type == ColumnType::kCategorical ||
                    (plan.type == ColumnType::kF64 && is_numeric);
  if (!plan.firm && !fits) plan.type = ColumnType::kInfer;
}

// Of a name or value.
std::string NotUtf8(std::string_view text) {
  return "'" + Shown(text) + "' is not UTF-8; " + WayOutOfBytes(text);
}

void RefuseNotUtf8(const ArffAttribute& attribute) {
  if (plugin::FirstInvalidUtf8(attribute.name)) {
    RefuseContent("the name of attribute " + NotUtf8(attribute.name));
  }
  for (const std::string& value : attribute.values) {
    if (!plugin::FirstInvalidUtf8(value)) continue;
    RefuseContent("attribute '" + Shown(attribute.name) + "': its value " + NotUtf8(value));
  }
}

class ArffColumnsReader {
 public:
  ArffColumnsReader(const TextSource& source, const cf::SourceInput& input,
                    const ChunkedReading& reading)
      : source_(source),
        input_(input),
        reading_(reading),
        memory_(input.max_bytes()),
        header_(source.text) {}

  cf::Columns Run() {
    for (const ArffAttribute& attribute : header_.attributes()) PlanAttribute(attribute);
    FindRows();
    StartColumns();
    ForEachPart(reading_.threads, chunks_.size(),
                [&](std::size_t i) { ReadChunk(i, [](const ColumnAssembly&) { return true; }); });
    cf::Columns columns =
        FinishColumns(assemblies_, n_rows_, chunks_.size(), reading_.threads, [&](std::size_t i) {
          ReadChunk(i, [i](const ColumnAssembly& column) { return column.NeedsRewrite(i); });
        });
    const bool has_weights = columns.size() > header_.attributes().size();
    if (has_weights && columns.back().dtype != 0) columns.back().role = "weights";
    return columns;
  }

 private:
  void PlanAttribute(const ArffAttribute& attribute) {
    names_.push_back(attribute.name);
    RefuseNotUtf8(attribute);
    ColumnPlan plan = PlanColumn(attribute.name, input_.HintOf(attribute.name));
    AttributeReader reader{.attribute = attribute};
    reader.is_ignored = plan.type == ColumnType::kIgnore;
    const std::string& type = attribute.type;
    const bool is_number = type == "numeric" || type == "integer" || type == "real";
    DropWish(plan, is_number || type == "date");
    const bool open = plan.type == ColumnType::kInfer;
    if (reader.is_list()) {
      reader.levels.insert(attribute.values.begin(), attribute.values.end());
      if (!attribute.values.empty()) reader.unnamed = attribute.values[0];
      if (open) plan.type = ColumnType::kCategorical;
      if (plan.declared.empty()) plan.declared = attribute.values;
    } else if (is_number) {
      reader.unnamed = "0";
      if (open && type == "real") plan.type = ColumnType::kF64;
      reader.is_inferred = plan.type == ColumnType::kInfer;
    } else if (type == "date") {
      PlanDate(attribute, reader, plan);
    } else if (type == "string") {
      if (open) plan.type = ColumnType::kCategorical;
    } else if (!reader.is_ignored) {
      RefuseContent("attribute '" + Shown(attribute.name) + "' is of type '" + Shown(type) +
                    "', which is not supported; leave it out with the type ignore");
    }
    readers_.push_back(std::move(reader));
    plans_.push_back(std::move(plan));
  }

  static void PlanDate(const ArffAttribute& attribute, AttributeReader& reader, ColumnPlan& plan) {
    constexpr std::string_view kIso8601 = "yyyy-MM-dd'T'HH:mm:ss";
    if (reader.is_ignored || plan.type == ColumnType::kCategorical) return;
    const std::string_view pattern =
        attribute.pattern.empty() ? kIso8601 : std::string_view(attribute.pattern);
    try {
      reader.date.emplace(pattern);
    } catch (const cf::Error& error) {
      RefuseContent("attribute '" + Shown(attribute.name) + "' has dates of the form '" +
                    Shown(pattern) + "', of which this cannot be read: " + error.what() +
                    "; take them as they are written (type categorical), or leave them out "
                    "(ignore)");
    }
    if (plan.type != ColumnType::kInfer) return;
    plan.type = reader.date->has_fractions() ? ColumnType::kF64 : ColumnType::kI64;
  }

  // The weights of lines are a column after the others.
  void PlanWeights() {
    static const ArffAttribute kWeight{.name = "weight", .type = "numeric"};
    if (std::ranges::find(names_, kWeight.name) != names_.end()) {
      RefuseContent(
          "lines have weights in braces, which are the column 'weight', and there is an attribute "
          "of that name; rename it");
    }
    PlanAttribute(kWeight);
    readers_.back().unnamed = "1";
  }

  // Lines may be blank or comments, so rows are counted before they are read.
  void FindRows() {
    const RecordEnds ends(header_.rest(), RecordEnds::kNoQuotes, reading_);
    if (ends.first_nul()) {
      const char* nul = header_.rest().data() + *ends.first_nul();
      RefuseContent("line " + std::to_string(source_.LineOf(nul)) + ": a NUL; " +
                    WayOutOfNul(source_.text));
    }
    is_ascii_ = ends.is_ascii();
    chunks_ = ends.ChunksFrom(0, names_.size() * reading_.bytes_per_column);
    std::vector<std::int64_t> n_rows(chunks_.size());
    std::atomic<bool> has_weights = false;
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      if (reading_.check) reading_.check();
      ArffReader reader = LinesOf(i);
      bool has_weight = false;
      while (reader.SkipRow(has_weight)) ++n_rows[i];
      if (has_weight) has_weights = true;
    });
    for (const std::int64_t n : n_rows) {
      first_row_.push_back(static_cast<std::int64_t>(n_rows_));
      n_rows_ += static_cast<std::size_t>(n);
    }
    if (n_rows_ == 0) RefuseContent("there are no rows after @data");
    if (has_weights) PlanWeights();
    memory_.AddTable(names_.size(), n_rows_);
  }

  ArffReader LinesOf(std::size_t chunk) const {
    const TextChunk& c = chunks_[chunk];
    return header_.Part({c.begin, static_cast<std::size_t>(c.end - c.begin)},
                        static_cast<std::size_t>(c.first_row));
  }

  void StartColumns() {
    constexpr std::size_t kSampleRows = 100;
    std::vector<ColumnPart> sample(names_.size());
    std::vector<ColumnPart*> parts;
    for (ColumnPart& part : sample) {
      part.Begin(ColumnType::kInfer, true, nullptr);
      parts.push_back(&part);
    }
    try {
      ReadRows(0, parts, kSampleRows);
    } catch (const cf::Error&) {
      // Reported by ReadChunk, unless an earlier line has an error that the sample does not check.
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      assemblies_.emplace_back(std::move(plans_[i]), chunks_.size());
      const CellKind kind = sample[i].kind();
      const bool is_mistake = readers_[i].is_inferred && IsNotNumber(kind);
      assemblies_[i].Start(is_mistake ? CellKind::kReal : kind, n_rows_);
    }
  }

  template <class Wanted>
  void ReadChunk(std::size_t chunk, Wanted is_wanted) {
    if (reading_.check) reading_.check();
    ColumnPart unwanted;
    std::vector<ColumnPart*> parts;
    for (ColumnAssembly& column : assemblies_) {
      parts.push_back(is_wanted(column) ? &column.BeginPart(chunk, first_row_[chunk]) : &unwanted);
    }
    ReadRows(chunk, parts, n_rows_);
    memory_.AddLevels(parts);
  }

  void ReadRows(std::size_t chunk, std::span<ColumnPart* const> parts,
                std::size_t most_rows) const {
    ArffReader reader = LinesOf(chunk);
    std::vector<ArffValue> row;
    bool is_sparse = false;
    constexpr std::size_t kRowsBetweenLooks = 64;
    std::size_t n = 0;
    for (; n < most_rows && reader.NextRow(row, is_sparse); ++n) {
      if (n % kRowsBetweenLooks == 0) source_.Progress(chunks_[chunk].begin);
      auto value = row.begin();
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (value != row.end() && value->attribute == j) {
          PutValue(reader, readers_[j], *value++, n, *parts[j]);
        } else {
          PutUnnamed(reader, readers_[j], n, *parts[j]);
        }
      }
    }
    for (ColumnPart* part : parts) part->End(n);
  }

  void PutValue(const ArffReader& lines, const AttributeReader& reader, const ArffValue& value,
                std::size_t row, ColumnPart& part) const {
    if (reader.is_ignored) return;
    if (value.is_missing()) return part.PutMissing(row);
    if (value.text.empty() && !value.quoted) {
      lines.Refuse(Place(reader) + "there is no value; write ? for a missing one");
    }
    if (reader.is_list() && !reader.levels.contains(value.text)) {
      lines.Refuse(Place(reader) + "'" + Shown(value.text) + "' is not one of its values");
    }
    Put(lines, reader, value.text, row, part);
  }

  void PutUnnamed(const ArffReader& lines, const AttributeReader& reader, std::size_t row,
                  ColumnPart& part) const {
    if (reader.is_ignored) return;
    if (!reader.unnamed) {
      lines.Refuse(Place(reader) +
                   "it is left out of a sparse line, but only numbers and lists have a default; "
                   "write its value");
    }
    Put(lines, reader, *reader.unnamed, row, part);
  }

  void Put(const ArffReader& lines, const AttributeReader& reader, std::string_view text,
           std::size_t row, ColumnPart& part) const {
    // Comments may have a different encoding.
    if (!is_ascii_ && !reader.is_list() && plugin::FirstInvalidUtf8(text)) {
      lines.Refuse(Place(reader) + NotUtf8(text));
    }
    if (reader.date) {
      const auto number = reader.date->NumberOf(text);
      if (!number) {
        lines.Refuse(Place(reader) + "'" + Shown(text) + "' is not a date of the declared form");
      }
      part.Put(row, *number, nullptr);
    } else {
      part.Put(row, text, nullptr);
    }
    if (part.bad()) {
      lines.Refuse(Place(reader) + "'" + Shown(text) + "' " + std::string(part.bad()->problem));
    }
    if (reader.is_inferred && IsNotNumber(part.kind())) {
      lines.Refuse(Place(reader) + "'" + Shown(text) + "' is not a number");
    }
  }

  static std::string Place(const AttributeReader& reader) {
    return ", attribute '" + Shown(reader.attribute.name) + "': ";
  }

  const TextSource& source_;
  const cf::SourceInput& input_;
  const ChunkedReading& reading_;
  ReadingMemory memory_;
  const ArffReader header_;
  std::vector<std::string> names_;
  std::vector<AttributeReader> readers_;
  std::vector<ColumnPlan> plans_;
  std::vector<TextChunk> chunks_;
  std::vector<std::int64_t> first_row_;  // of each chunk
  std::size_t n_rows_ = 0;
  bool is_ascii_ = false;
  std::vector<ColumnAssembly> assemblies_;
};

}  // namespace

cf::Columns ReadArffText(const TextSource& source, const cf::SourceInput& input,
                         const ChunkedReading& reading) {
  return ArffColumnsReader(source, input, reading).Run();
}

}  // namespace crossfold::reading
