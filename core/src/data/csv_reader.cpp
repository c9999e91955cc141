#include "data/csv_reader.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "crossfold/error.h"
#include "data/column_assembly.h"
#include "data/column_plans.h"
#include "data/csv_chunk.h"
#include "data/file_text.h"
#include "data/part_threads.h"
#include "data/role_names.h"
#include "text/nearest_name.h"

namespace crossfold {
namespace {

constexpr std::array<std::pair<std::string_view, ColumnType>, 8> kTypeNames = {
    {{"bool", ColumnType::kBool},
     {"categorical", ColumnType::kCategorical},
     {"f32", ColumnType::kF32},
     {"f64", ColumnType::kF64},
     {"i32", ColumnType::kI32},
     {"i64", ColumnType::kI64},
     {"ignore", ColumnType::kIgnore},
     {"numeric", ColumnType::kF64}}};

void CheckSeparator(const CsvSource& source, char separator) {
  constexpr std::string_view kForbidden("\"\r\n\0", 4);
  if (kForbidden.find(separator) == std::string_view::npos) return;
  throw Error(ErrorKind::kInvalidArgument,
              source.attempt + ": the separator must not be a quote, a line end or NUL");
}

// Columns are typed by a sample, then all chunks are read at once, straight into the memory of the
// columns. Where a chunk shows that the type of a column is another one, only that column is read
// again.
class CsvReader {
 public:
  CsvReader(const CsvSource& source, const CsvOptions& options, const ChunkedReading& reading)
      : source_(source),
        options_(options),
        reading_(reading),
        format_(options.separator, options.missing) {}

  std::vector<Column> Run() {
    FindChunks();
    StartColumns();
    ReadChunks();
    CheckColumnOptions(source_, header_.names, options_.types, options_.roles);
    RefuseBadCells();
    SettleColumns();
    CheckRolesComplete();
    return std::move(columns_);
  }

 private:
  void FindChunks() {
    const RecordEnds ends(source_.text, RecordEnds::Quotes::kDouble, reading_);
    if (ends.first_nul()) RefuseNul(*ends.first_nul());
    header_ = ReadCsvHeader(source_, options_.separator);
    const auto first = static_cast<std::size_t>(header_.end - source_.text.data());
    chunks_ = ends.ChunksFrom(first, header_.names.size() * reading_.bytes_per_column);
    most_rows_ = static_cast<std::size_t>(ends.MaxRecordsFrom(first));
  }

  [[noreturn]] void RefuseNul(std::size_t nul) const {
    const std::size_t line_end = source_.text.substr(0, nul).rfind('\n');
    const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
    source_.Refuse("line " + std::to_string(source_.LineOf(source_.text.data() + nul)) + ", byte " +
                   std::to_string(nul - line_start + 1) +
                   ": a NUL; the file must be text in UTF-8");
  }

  void StartColumns() {
    constexpr std::size_t kSampleRows = 100;
    std::vector<ColumnPart> sample(header_.names.size());
    std::vector<ColumnPart*> pointers;
    for (ColumnPart& part : sample) {
      part.Begin(ColumnType::kInfer, true, nullptr);
      pointers.push_back(&part);
    }
    if (!chunks_.empty()) {
      ReadCsvChunk(source_, format_, header_.names, chunks_[0], pointers, kSampleRows);
    }
    for (std::size_t i = 0; i < sample.size(); ++i) {
      columns_being_read_.emplace_back(PlanColumn(header_.names[i], options_.types, options_.like),
                                       chunks_.size());
      columns_being_read_[i].Start(sample[i].kind(), most_rows_);
    }
  }

  void ReadChunks() {
    std::vector<std::size_t> n_rows(chunks_.size());
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      n_rows[i] = ReadChunk(i, [](const ColumnAssembly&) { return true; });
    });
    for (const std::size_t n : n_rows) n_rows_ += n;
    if (n_rows_ == 0) source_.Refuse("it has no rows, only a header");
  }

  // Reads the columns that `is_wanted` names.
  template <class Wanted>
  std::size_t ReadChunk(std::size_t chunk, Wanted is_wanted) {
    if (reading_.check) reading_.check();
    ColumnPart unwanted;
    std::vector<ColumnPart*> parts;
    for (ColumnAssembly& column : columns_being_read_) {
      parts.push_back(is_wanted(column) ? &column.BeginPart(chunk, chunks_[chunk].first_row)
                                        : &unwanted);
    }
    return ReadCsvChunk(source_, format_, header_.names, chunks_[chunk], parts);
  }

  void RefuseBadCells() const {
    for (const ColumnAssembly& column : columns_being_read_) {
      const BadCell* bad = column.FirstBad();
      if (bad == nullptr) continue;
      source_.Refuse("line " + std::to_string(source_.LineOf(bad->position)) + ", column '" +
                     Shown(column.name()) + "': '" + Shown(bad->content) + "' " +
                     std::string(bad->problem) + " (type " + column.type_name() +
                     " was asked for)");
    }
  }

  void SettleColumns() {
    columns_ = FinishColumns(
        source_, columns_being_read_, n_rows_, chunks_.size(), reading_.threads,
        [&](std::size_t i) {
          ReadChunk(i, [i](const ColumnAssembly& column) { return column.NeedsRewrite(i); });
        });
  }

  // The dataset would refuse this too, but knows no lines.
  void CheckRolesComplete() const {
    for (const auto& [role, name] : NamedRoles(options_.roles)) {
      const auto column =
          std::find_if(columns_.begin(), columns_.end(),
                       [&, &named = name](const Column& c) { return c.name == named; });
      if (column->CountMissing() == 0) continue;
      std::int64_t row = 0;
      while (!column->is_missing(row)) ++row;
      source_.Refuse("line " + std::to_string(LineOfCell(row, name)) + ", column '" + Shown(name) +
                     "': the " + std::string(role) + " is missing; leave such rows out");
    }
  }

  std::size_t LineOfCell(std::int64_t row, std::string_view name) const {
    const auto column = static_cast<std::size_t>(
        std::find(header_.names.begin(), header_.names.end(), name) - header_.names.begin());
    auto chunk = chunks_.end() - 1;
    while (chunk->first_row > row) --chunk;
    return source_.LineOf(FindCsvCell(source_, format_, header_.names, *chunk,
                                      static_cast<std::size_t>(row - chunk->first_row), column));
  }

  const CsvSource& source_;
  const CsvOptions& options_;
  const ChunkedReading& reading_;
  const CsvFormat format_;
  CsvHeader header_;
  std::vector<TextChunk> chunks_;
  std::size_t most_rows_ = 0, n_rows_ = 0;
  std::vector<ColumnAssembly> columns_being_read_;
  std::vector<Column> columns_;
};

}  // namespace

ColumnType ColumnTypeFromName(std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [type_name, type] : kTypeNames) {
    if (type_name == name) return type;
    known.emplace_back(type_name);
  }
  throw Error(ErrorKind::kInvalidArgument, "cannot use column type '" + std::string(name) +
                                               "': there is none; " + KnownNames(name, known));
}

std::shared_ptr<const Dataset> ReadCsvText(const CsvSource& source, const std::string& dataset_name,
                                           const CsvOptions& options,
                                           const ChunkedReading& reading) {
  CheckSeparator(source, options.separator);
  return Dataset::Create(dataset_name, CsvReader(source, options, reading).Run(), options.roles);
}

std::shared_ptr<const Dataset> ReadCsv(const std::filesystem::path& path,
                                       const CsvOptions& options) {
  const std::string attempt = "cannot read '" + path.string() + "'";
  const FileText file(path, attempt,
                      options.memory_map ? FileText::kSmallestMap : FileText::kNeverMap);
  return ReadCsvText({file.text(), attempt}, path.stem().string(), options,
                     {.threads = options.threads, .check = [&file] { file.CheckUnchanged(); }});
}

std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options) {
  return ReadCsvText({text, "cannot read '" + name + "'"}, name, options,
                     {.threads = options.threads});
}

}  // namespace crossfold
