#include "arff_reader.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "../reading/column_assembly.h"
#include "../reading/column_plan.h"
#include "../reading/part_threads.h"
#include "../reading/refusal.h"
#include "arff_records.h"
#include "crossfold_plugin/utf8.hpp"
#include "reading_memory.h"

namespace crossfold::reading {
namespace {

// Reads the values of an attribute.
struct AttributeReader {
  const ArffAttribute& attribute;
  bool is_numeric = false;
  bool is_inferred = false;  // any number will do, nothing else
  bool is_ignored = false;
  std::unordered_set<std::string_view> levels = {};  // of a list

  bool is_list() const { return attribute.type.empty(); }
  // Returns the value in a sparse line that does not name the attribute.
  std::string_view unnamed() const {
    return is_list() ? std::string_view(attribute.values[0]) : "0";
  }
};

bool IsNotNumber(CellKind kind) { return kind == CellKind::kBool || kind == CellKind::kText; }

// Drops a preferred type that differs from the declared one, unless every entry fits.
void DropWish(ColumnPlan& plan, bool is_numeric) {
  const bool fits = plan.type == ColumnType::kIgnore || plan.type == ColumnType::kCategorical ||
                    (plan.type == ColumnType::kF64 && is_numeric);
  if (!plan.firm && !fits) plan.type = ColumnType::kInfer;
}

// Of a name or value.
constexpr const char* kNotUtf8 =
    "is not UTF-8; name the encoding, as in encoding = \"windows-1252\" or \"latin1\"";

void RefuseNotUtf8(const ArffAttribute& attribute) {
  if (plugin::FirstInvalidUtf8(attribute.name)) {
    RefuseContent("the name of attribute '" + Shown(attribute.name) + "' " + kNotUtf8);
  }
  for (const std::string& value : attribute.values) {
    if (!plugin::FirstInvalidUtf8(value)) continue;
    RefuseContent("attribute '" + Shown(attribute.name) + "': its value '" + Shown(value) + "' " +
                  kNotUtf8);
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
    PlanAttributes();
    FindRows();
    StartColumns();
    ForEachPart(reading_.threads, chunks_.size(),
                [&](std::size_t i) { ReadChunk(i, [](const ColumnAssembly&) { return true; }); });
    return FinishColumns(
        assemblies_, n_rows_, chunks_.size(), reading_.threads, [&](std::size_t i) {
          ReadChunk(i, [i](const ColumnAssembly& column) { return column.NeedsRewrite(i); });
        });
  }

 private:
  void PlanAttributes() {
    for (const ArffAttribute& attribute : header_.attributes()) names_.push_back(attribute.name);
    for (const ArffAttribute& attribute : header_.attributes()) {
      RefuseNotUtf8(attribute);
      ColumnPlan plan = PlanColumn(attribute.name, input_.HintOf(attribute.name));
      AttributeReader reader{.attribute = attribute};
      reader.is_ignored = plan.type == ColumnType::kIgnore;
      const std::string& type = attribute.type;
      const bool is_number = type == "numeric" || type == "integer" || type == "real";
      DropWish(plan, is_number);
      const bool open = plan.type == ColumnType::kInfer;
      if (reader.is_list()) {
        reader.levels.insert(attribute.values.begin(), attribute.values.end());
        if (open) plan.type = ColumnType::kCategorical;
        if (plan.declared.empty()) plan.declared = attribute.values;
      } else if (is_number) {
        reader.is_numeric = true;
        if (open && type == "real") plan.type = ColumnType::kF64;
        reader.is_inferred = plan.type == ColumnType::kInfer;
      } else if (type == "string") {
        if (open) plan.type = ColumnType::kCategorical;
      } else if (!reader.is_ignored) {
        RefuseContent("attribute '" + Shown(attribute.name) + "' is of type '" + Shown(type) +
                      "', which is not supported; leave it out with the type ignore");
      }
      readers_.push_back(std::move(reader));
      plans_.push_back(std::move(plan));
    }
  }

  // Lines may be blank or comments, so rows are counted before they are read.
  void FindRows() {
    const RecordEnds ends(header_.rest(), RecordEnds::kNoQuotes, reading_);
    if (ends.first_nul()) {
      const char* nul = header_.rest().data() + *ends.first_nul();
      RefuseContent("line " + std::to_string(source_.LineOf(nul)) +
                    ": a NUL; the file must be text in UTF-8");
    }
    is_ascii_ = ends.is_ascii();
    chunks_ = ends.ChunksFrom(0, names_.size() * reading_.bytes_per_column);
    std::vector<std::int64_t> n_rows(chunks_.size());
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      if (reading_.check) reading_.check();
      ArffReader reader = LinesOf(i);
      while (reader.SkipRow()) ++n_rows[i];
    });
    for (const std::int64_t n : n_rows) {
      first_row_.push_back(static_cast<std::int64_t>(n_rows_));
      n_rows_ += static_cast<std::size_t>(n);
    }
    if (n_rows_ == 0) RefuseContent("there are no rows after @data");
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
    if (!reader.is_list() && !reader.is_numeric) {
      lines.Refuse(Place(reader) +
                   "it is left out of a sparse line, but strings have no default; "
                   "write its value");
    }
    Put(lines, reader, reader.unnamed(), row, part);
  }

  void Put(const ArffReader& lines, const AttributeReader& reader, std::string_view text,
           std::size_t row, ColumnPart& part) const {
    // Comments may have a different encoding.
    if (!is_ascii_ && !reader.is_list() && plugin::FirstInvalidUtf8(text)) {
      lines.Refuse(Place(reader) + "'" + Shown(text) + "' " + kNotUtf8);
    }
    part.Put(row, text, nullptr);
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
