#include "crossfold/store_findings.h"

#include <utility>

#include "encoding/fields.h"
#include "encoding/split_fields.h"
#include "store/cells/cell_keys.h"
#include "store/cells/finding_row.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/store_impl.h"

namespace crossfold {
namespace {

FindingRow ToRow(std::int64_t experiment, const Finding& finding, Definitions& definitions) {
  FindingRow row;
  row.experiment = experiment;
  row.kind = finding.kind;
  row.name = finding.name;
  row.body = finding.body;
  if (finding.splits == nullptr) return row;
  const Dataset& data = *finding.splits->view().data;
  definitions.DatasetOf(data);
  row.dataset = data.hash_with_positive();
  FieldWriter fields;
  WriteSplits(*finding.splits, fields);
  row.splits = PackBytes(fields.bytes());
  return row;
}

std::int64_t NextExperiment(Database& db, std::int64_t run) {
  return 1 + db.Number("SELECT max(experiment) FROM findings WHERE run = " + std::to_string(run));
}

}  // namespace

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

std::string InsertFinding(const char* verb) {
  return std::string(verb) + " INTO findings(run, " + kFindingColumns + ") VALUES(?,?,?,?,?,?,?,?)";
}

void BindFinding(Statement& statement, std::int64_t run, const FindingRow& row) {
  statement.BindAll(run, row.experiment, row.kind, row.name, row.body, row.dataset,
                    BlobOf(row.splits), ChecksumOf(row));
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

std::string StoredLearnerKey(const Pipeline& learner) { return ToHex(LearnerKey(learner)); }

std::string StoredMetricKey(const Spec& metric) { return ToHex(SpecKey(metric)); }

std::int64_t RecordFindings(CellStore& store, std::int64_t experiment,
                            std::span<const Finding> findings) {
  CellStore::Impl& impl = store.impl();
  std::int64_t number = experiment;
  const auto write = [&](Database& db, Definitions& definitions, std::int64_t run) {
    if (number == 0) number = NextExperiment(db, run);
    Statement insert(db, InsertFinding("INSERT OR REPLACE"));
    for (const Finding& finding : findings) {
      BindFinding(insert, run, ToRow(number, finding, definitions));
      insert.Run();
    }
  };
  if (experiment != kNotNoted && impl.Change(write)) return number;
  impl.CountLostNote();
  return experiment == 0 ? kNotNoted : experiment;
}

}  // namespace crossfold
