#include "ipc_reader.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <utility>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

// What a column owns besides the file.
struct Owners {
  std::shared_ptr<const FileText> file;
  std::vector<std::shared_ptr<const void>> others;
};

// The type of a column that the host takes as it is; 0 = it converts it.
std::int32_t DtypeOfFormat(const std::string& format) {
  if (format == "g") return CF_F64;
  if (format == "f") return CF_F32;
  if (format == "l") return CF_I64;
  if (format == "i") return CF_I32;
  return format == "b" ? CF_BOOL8 : 0;
}

// For unsigned integers of 64 bits, which a host takes as signed ones.
void CheckRange(const IpcArray& array, const std::string& column) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto* entries = reinterpret_cast<const std::uint64_t*>(array.data);
  for (std::int64_t row = 0; row < array.n_rows; ++row) {
    if (entries[row] <= kMost || array.is_null(row)) continue;
    RefuseContent("column '" + Shown(column) + "' has the number " + std::to_string(entries[row]) +
                  ", which does not fit in 64 bits with a sign; cast it to float64, or leave it "
                  "out (types: ignore)");
  }
}

// Without a batch there are no rows.
IpcArray NoRows() {
  static constexpr std::uint64_t kNothing = 0;
  IpcArray array;
  array.data = array.text = reinterpret_cast<const char*>(&kNothing);
  return array;
}

}  // namespace

IpcReader IpcReader::Open(const cf::SourceInput& input, bool may_map) {
  auto file = std::make_shared<const FileText>(
      std::filesystem::path(input.location()),
      may_map ? FileText::kSmallestMap : FileText::kNeverMap, input.max_bytes());
  const std::string_view bytes = file->text();
  return {bytes, std::move(file), input};
}

IpcReader::IpcReader(std::string_view bytes, std::shared_ptr<const FileText> file,
                     const cf::SourceInput& input)
    : most_bytes_(input.max_bytes()),
      file_(std::move(file)),
      messages_(bytes),
      columns_(ColumnsOf(messages_.schema(), messages_.version(), input)) {}

bool IpcReader::Next(cf::Columns& portion, const cf::Context& context) {
  IpcMessage message;
  while (messages_.Next(message)) {
    context.Progress(0);
    if (file_ != nullptr) file_->CheckUnchanged();
    const ipc::Message& table = message.table();
    if (const auto* dictionary = table.header_as_DictionaryBatch()) {
      ReadDictionary(*dictionary, message.body());
      continue;
    }
    const auto* batch = table.header_as_RecordBatch();
    if (batch == nullptr) RefuseContent("it has a message that is neither rows nor a dictionary");
    portion = ReadBatch(*batch, message.body());
    has_given_ = true;
    return !portion.empty();
  }
  if (std::exchange(has_given_, true)) return false;
  for (const IpcColumn& column : columns_) {
    portion.push_back(column.is_unused ? cf::SourceColumn::Unused(column.name, 0)
                                       : ToColumn(column, NoRows()));
  }
  return !portion.empty();
}

void IpcReader::ReadDictionary(const ipc::DictionaryBatch& table, std::string_view body) {
  const auto column = std::ranges::find_if(
      columns_, [&](const IpcColumn& known) { return known.dictionary == table.id(); });
  if (column == columns_.end()) return;  // of a column that is not needed
  if (table.entries() == nullptr) RefuseContent("it has a dictionary without entries");
  const bool is_known = dictionaries_.contains(table.id());
  if (is_known && !table.is_delta() && !messages_.may_replace_dictionaries()) {
    RefuseContent("column '" + Shown(column->name) + "' has two dictionaries; write it again");
  }
  IpcDictionary& dictionary = dictionaries_[table.id()];
  if (!table.is_delta()) dictionary = {};
  IpcBatch batch(*table.entries(), body, most_bytes_);
  dictionary.Append(batch.Next(*column->level_type, column->name), *column->level_type,
                    column->name);
}

cf::Columns IpcReader::ReadBatch(const ipc::RecordBatch& table, std::string_view body) const {
  IpcBatch batch(table, body, most_bytes_);
  // There may be any number of entries that take no bytes in the file.
  if (batch.n_rows() > most_bytes_) {
    RefuseContent("a record batch has more rows than there is memory for");
  }
  cf::Columns columns;
  for (const IpcColumn& column : columns_) columns.push_back(ReadColumn(column, batch));
  return columns;
}

cf::SourceColumn IpcReader::ReadColumn(const IpcColumn& column, IpcBatch& batch) const {
  if (column.is_unused) {
    batch.Skip(column.share);
    return cf::SourceColumn::Unused(column.name, batch.n_rows());
  }
  return ToColumn(column, batch.Next(*column.type, column.name));
}

cf::SourceColumn IpcReader::ToColumn(const IpcColumn& column, IpcArray array) const {
  const std::string& format = column.type->format;
  cf::SourceColumn made = cf::SourceColumn::Unused(column.name, array.n_rows);
  made.role = column.role;
  made.dtype = DtypeOfFormat(format);
  // A column without entries becomes numbers that are all missing.
  if (made.dtype == 0 && format != "n") made.arrow_format = format;
  made.data = array.data;
  made.text = array.text;
  made.validity = array.validity;
  made.null_count = array.n_nulls;
  if (format == "L" && !column.dictionary) CheckRange(array, column.name);
  if (column.dictionary) made = ToCategories(column, array, std::move(made));
  auto& others = array.owners;
  if (made.owner != nullptr) others.push_back(made.owner);
  if (others.empty()) {
    made.owner = file_;
  } else {
    made.owner = std::make_shared<const Owners>(Owners{file_, std::move(others)});
  }
  return made;
}

cf::SourceColumn IpcReader::ToCategories(const IpcColumn& column, const IpcArray& array,
                                         cf::SourceColumn indices) const {
  const IpcDictionary& dictionary = DictionaryOf(column);
  if (column.type->format == "i" && dictionary.has_codes_as_indices()) {
    CheckCodes(array, dictionary, column.name);
    indices.dtype = CF_CAT32;
    indices.levels = dictionary.levels;
    indices.ordered = column.is_ordered;
    return indices;
  }
  std::vector<std::int32_t> codes = CodesOf(array, *column.type, dictionary, column.name);
  return cf::SourceColumn::Categories(column.name, std::move(codes), dictionary.levels,
                                      column.is_ordered)
      .WithRole(column.role);
}

const IpcDictionary& IpcReader::DictionaryOf(const IpcColumn& column) const {
  static const IpcDictionary kEmpty;
  const auto found = dictionaries_.find(*column.dictionary);
  return found == dictionaries_.end() ? kEmpty : found->second;
}

}  // namespace crossfold::reading
