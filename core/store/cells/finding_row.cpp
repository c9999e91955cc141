#include "store/cells/finding_row.h"

#include "encoding/fields.h"
#include "store/cells/packed_bytes.h"

namespace crossfold {

std::int64_t ChecksumOf(const FindingRow& row) {
  FieldWriter fields;
  fields.Number(row.experiment);
  for (const std::string* text : {&row.kind, &row.name, &row.body, &row.dataset}) {
    fields.Text(*text);
  }
  fields.Number(row.splits.has_value());
  const std::uint32_t sum = AddToChecksum(0, fields.bytes());
  return row.splits ? AddToChecksum(sum, *row.splits) : sum;
}

void BindFinding(Statement& statement, std::int64_t run, const FindingRow& row) {
  statement.Bind(1, run).Bind(2, row.experiment).BindText(3, row.kind).BindText(4, row.name);
  statement.BindText(5, row.body).BindText(6, row.dataset);
  row.splits ? statement.BindBlob(7, *row.splits) : statement.BindNull(7);
  statement.Bind(8, ChecksumOf(row));
}

ReadFinding ReadFindingRow(const Statement& statement) {
  ReadFinding read;
  FindingRow& row = read.row;
  row.experiment = statement.Number(0);
  row.kind = statement.Text(1);
  row.name = statement.Text(2);
  row.body = statement.Text(3);
  row.dataset = statement.Text(4);
  if (!statement.IsNull(5)) row.splits = statement.Text(5);
  read.is_whole = statement.Number(6) == ChecksumOf(row);
  return read;
}

std::string NameOf(const FindingRow& row) {
  std::string name = row.kind;
  if (!row.name.empty()) name += ' ' + row.name;
  return "what experiment " + std::to_string(row.experiment) + " noted (" + name + ")";
}

}  // namespace crossfold
