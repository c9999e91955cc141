#include "ipc_column.h"

#include <cstddef>
#include <set>
#include <utility>

#include "../reading/column_plan.h"
#include "../reading/refusal.h"
#include "crossfold_plugin/utf8.hpp"

namespace crossfold::reading {
namespace {

std::string NameOf(const ipc::Field& field, std::size_t position) {
  const std::string name = field.name() == nullptr ? "" : field.name()->str();
  const std::string subject = "column " + std::to_string(position + 1);
  if (name.empty()) RefuseContent(subject + " has no name");
  if (name.find('\0') != std::string::npos) RefuseContent(subject + " has a NUL in its name");
  if (plugin::FirstInvalidUtf8(name)) {
    RefuseContent("the name of " + subject + ", '" + Shown(name) + "', is not UTF-8");
  }
  return name;
}

std::string RoleOf(const ipc::Field& field) {
  if (field.metadata() == nullptr) return "";
  for (const ipc::KeyValue* pair : *field.metadata()) {
    const bool is_role = pair->key() != nullptr && pair->key()->str() == "crossfold.role";
    if (is_role && pair->value() != nullptr) return pair->value()->str();
  }
  return "";
}

[[noreturn]] void RefuseColumn(const IpcColumn& column, const std::string& finding) {
  RefuseContent("column '" + Shown(column.name) + "' " + finding +
                "; cast it, or leave it out (types: ignore)");
}

void SetTypes(const ipc::Field& field, IpcColumn& column) {
  const auto type = EntryTypeOf(field);
  const ipc::DictionaryEncoding* dictionary = field.dictionary();
  if (dictionary == nullptr) {
    if (!type) RefuseColumn(column, "is of type " + TypeNameOf(field) + ", which is not supported");
    column.type = type;
    return;
  }
  const bool has_texts =
      type && (type->layout == EntryLayout::kText || type->layout == EntryLayout::kViews);
  if (!has_texts) {
    RefuseColumn(column, "has a dictionary of type " + TypeNameOf(field) +
                             ", and only strings are read as levels");
  }
  column.level_type = type;
  column.dictionary = dictionary->id();
  column.is_ordered = dictionary->is_ordered();
  column.type =
      dictionary->indices() == nullptr ? EntryTypeOf("i") : EntryTypeOf(*dictionary->indices());
  if (!column.type) RefuseColumn(column, "has a dictionary with indices of an unknown type");
}

}  // namespace

std::vector<IpcColumn> ColumnsOf(const ipc::Schema& schema, ipc::Version version,
                                 const cf::SourceInput& input) {
  if (schema.byte_order() != ipc::ByteOrder::Little) {
    RefuseContent("its numbers are big-endian; write it on a little-endian machine");
  }
  std::vector<IpcColumn> columns;
  std::set<std::string> names;
  if (schema.fields() == nullptr) return columns;
  for (const ipc::Field* field : *schema.fields()) {
    IpcColumn column;
    column.name = NameOf(*field, columns.size());
    if (!names.insert(column.name).second) {
      RefuseContent("two columns are named '" + Shown(column.name) + "'");
    }
    column.role = RoleOf(*field);
    column.share = ShareOf(*field, version);
    column.is_unused = HasFlag(input.HintOf(column.name), CF_HINT_UNUSED);
    if (!column.is_unused) SetTypes(*field, column);
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace crossfold::reading
