#include "store/cells/cell_row.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "crossfold/failure_cause.h"
#include "store/cells/packed_bytes.h"

namespace crossfold {
namespace {

constexpr std::string_view kNegativeZero = "-0.0";

double FiniteOr0(double seconds) { return std::isfinite(seconds) && seconds > 0 ? seconds : 0; }

bool IsByMetric(const std::string& warning) { return warning.starts_with("score "); }

void WriteRow(const CellRow& row, FieldWriter& fields) {
  fields.Number(static_cast<std::uint8_t>(row.status));
  fields.Number(row.n_train);
  fields.Number(row.n_test);
  fields.Number(row.fit_s);
  fields.Number(row.predict_s);
  fields.Number(row.prediction.has_value());
  if (row.prediction) fields.Text(*row.prediction);
  fields.Text(row.notes);
}

CellRow ReadRowFields(FieldReader& fields) {
  CellRow row;
  const auto status = fields.Number<std::uint8_t>();
  if (status > 2) FieldReader::Fail();
  row.status = static_cast<StoredStatus>(status);
  row.n_train = fields.Number<std::int64_t>();
  row.n_test = fields.Number<std::int64_t>();
  row.fit_s = FiniteOr0(fields.Number<double>());
  row.predict_s = FiniteOr0(fields.Number<double>());
  if (fields.Number<bool>()) row.prediction = fields.Text();
  row.notes = fields.Text();
  return row;
}

void WriteDigest(const Digest& digest, FieldWriter& fields) {
  fields.Raw({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Digest ReadDigest(FieldReader& fields) {
  Digest digest;
  const std::string_view bytes = fields.Raw(digest.size());
  std::memcpy(digest.data(), bytes.data(), digest.size());
  return digest;
}

std::string NotesOf(const Outcome& outcome) {
  std::vector<std::string> warnings;
  std::ranges::remove_copy_if(outcome.warnings, std::back_inserter(warnings), IsByMetric);
  const Failure& failure = outcome.failure;
  const bool failed = outcome.status == OutcomeStatus::kFailed;
  if (!failed && warnings.empty()) return "";
  FieldWriter fields;
  fields.Text(failed ? failure.stage : "");
  fields.Number(static_cast<std::int32_t>(failed ? failure.code : CF_OK));
  fields.Text(failed ? failure.message : "");
  fields.Texts(warnings);
  return fields.Take();
}

// A crash, a limit, or the machine: another try may succeed.
bool MaySucceedLater(const Failure& failure) {
  return failure.by_limit || IsOfMachine(CauseOf(failure));
}

// The checksum of rows of format 1.
std::uint32_t ChecksumWithoutSeconds(std::int64_t series, std::int64_t fold, const CellRow& row) {
  FieldWriter fields;
  fields.Number(series);
  fields.Number(fold);
  fields.Number(static_cast<std::int64_t>(row.status));
  fields.Number(row.n_train);
  fields.Number(row.n_test);
  fields.Number(row.prediction.has_value());
  std::uint32_t sum = AddToChecksum(0, fields.bytes());
  if (row.prediction) sum = AddToChecksum(sum, *row.prediction);
  return AddToChecksum(sum, row.notes);
}

std::uint32_t AddSeconds(std::uint32_t sum, const CellRow& row) {
  FieldWriter fields;
  fields.Number(row.fit_s);
  fields.Number(row.predict_s);
  return AddToChecksum(sum, fields.bytes());
}

}  // namespace

std::int64_t ChecksumOf(std::int64_t series, std::int64_t fold, const CellRow& row) {
  return AddSeconds(ChecksumWithoutSeconds(series, fold, row), row);
}

CellRow ToCellRow(const Outcome& outcome) {
  CellRow row;
  if (outcome.status == OutcomeStatus::kFailed) {
    row.status = MaySucceedLater(outcome.failure) ? StoredStatus::kStopped : StoredStatus::kFailed;
  }
  row.n_train = outcome.n_train;
  row.n_test = outcome.n_test;
  row.fit_s = FiniteOr0(outcome.fit_s);
  row.predict_s = FiniteOr0(outcome.predict_s);
  row.notes = NotesOf(outcome);
  return row;
}

Outcome ToOutcome(const CellRow& row) {
  Outcome outcome;
  outcome.status = row.status == StoredStatus::kOk ? OutcomeStatus::kOk : OutcomeStatus::kFailed;
  outcome.n_train = row.n_train;
  outcome.n_test = row.n_test;
  outcome.fit_s = row.fit_s;
  outcome.predict_s = row.predict_s;
  if (row.notes.empty()) return outcome;
  FieldReader fields(row.notes);
  std::string stage = fields.Text();
  const auto code = static_cast<cf_status>(fields.Number<std::int32_t>());
  std::string message = fields.Text();
  outcome.warnings = fields.Texts();
  fields.End();
  if (outcome.status == OutcomeStatus::kFailed) {
    outcome.failure = {std::move(stage), code, std::move(message),
                       row.status == StoredStatus::kStopped};
  }
  return outcome;
}

std::string NotesWithoutTries(const CellRow& row) {
  if (row.notes.empty()) return row.notes;
  try {
    Outcome outcome = ToOutcome(row);
    if (std::erase_if(outcome.warnings, IsTryWarning) == 0) return row.notes;
    return NotesOf(outcome);
  } catch (const plugin::Error&) {  // damaged
    return row.notes;
  }
}

bool HaveSameNotes(const CellRow& a, const CellRow& b) {
  if (a.status != b.status || a.notes == b.notes) return a.status == b.status;
  return NotesWithoutTries(a) == NotesWithoutTries(b);
}

ReadRow ReadCellRow(const Statement& statement, int first, std::int64_t series, std::int64_t fold) {
  ReadRow read;
  CellRow& row = read.row;
  const std::int64_t status = statement.Number(first);
  row.status = static_cast<StoredStatus>(std::clamp<std::int64_t>(status, 0, 2));
  row.n_train = statement.Number(first + 1);
  row.n_test = statement.Number(first + 2);
  row.fit_s = statement.Real(first + 3);
  row.predict_s = statement.Real(first + 4);
  if (!statement.IsNull(first + 5)) row.prediction = statement.Text(first + 5);
  row.notes = statement.Text(first + 6);
  read.checksum = statement.Number(first + 7);
  const std::uint32_t sum = ChecksumWithoutSeconds(series, fold, row);
  read.is_whole = status == static_cast<std::int64_t>(row.status) &&
                  (read.checksum == AddSeconds(sum, row) || read.checksum == sum);
  return read;
}

std::string InsertCell(const char* verb) {
  return std::string(verb) + " INTO cells(series, fold, " + kCellColumns +
         ") VALUES(?,?,?,?,?,?,?,?,?,?)";
}

std::int64_t BindCell(Statement& statement, std::int64_t series, std::int64_t fold,
                      const CellRow& row) {
  const std::int64_t checksum = ChecksumOf(series, fold, row);
  const std::optional<Blob> notes =
      row.notes.empty() ? std::nullopt : std::optional(Blob{row.notes});
  statement.BindAll(series, fold, static_cast<std::int64_t>(row.status), row.n_train, row.n_test,
                    row.fit_s, row.predict_s, BlobOf(row.prediction), notes, checksum);
  return checksum;
}

std::string InsertScore(const char* verb) {
  return std::string(verb) + " INTO scores(" + kScoreColumns + ") VALUES(?,?,?,?,?,?)";
}

std::int64_t ChecksumOf(const ScoreRow& row) {
  FieldWriter fields;
  fields.Number(row.series);
  fields.Number(row.fold);
  fields.Number(row.metric);
  fields.Number(row.score.defined);
  fields.Number(row.score.defined ? row.score.value : 0.0);
  const std::uint32_t sum = AddToChecksum(0, fields.bytes());
  return row.score.defined ? sum : AddToChecksum(sum, row.score.undefined);
}

void BindScore(Statement& statement, const ScoreRow& row) {
  const Score& score = row.score;
  statement.Bind(1, row.series).Bind(2, row.fold).Bind(3, row.metric).Bind(6, ChecksumOf(row));
  if (!score.defined) {
    statement.BindNull(4).BindText(5, score.undefined);
    return;
  }
  if (score.value == 0 && std::signbit(score.value)) {
    statement.BindBlob(4, kNegativeZero);
  } else {
    statement.Bind(4, score.value);
  }
  statement.BindNull(5);
}

ReadScore ReadScoreRow(const Statement& statement) {
  ReadScore read;
  ScoreRow& row = read.row;
  row.series = statement.Number(0);
  row.fold = statement.Number(1);
  row.metric = statement.Number(2);
  row.score.defined = !statement.IsNull(3);
  row.score.value = statement.Real(3);
  row.score.undefined = statement.Text(4);
  read.checksum = statement.Number(5);
  read.is_whole = read.checksum == ChecksumOf(row);
  return read;
}

bool AreSame(const Score& a, const Score& b) {
  if (a.defined != b.defined) return false;
  if (!a.defined) return a.undefined == b.undefined;
  return std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

void WriteFinishedCell(const FinishedCell& cell, FieldWriter& fields) {
  WriteDigest(cell.series.key, fields);
  fields.Number(cell.fold);
  fields.Number(cell.replaces);
  fields.Number(cell.row.has_value());
  if (cell.row) WriteRow(*cell.row, fields);
  fields.Length(cell.scores.size());
  for (const StoredScore& one : cell.scores) {
    WriteDigest(one.metric.key, fields);
    fields.Number(one.score.defined);
    fields.Number(one.score.value);
    fields.Text(one.score.undefined);
  }
}

FinishedCell ReadFinishedCell(FieldReader& fields) {
  FinishedCell cell;
  cell.series.key = ReadDigest(fields);
  cell.fold = fields.Number<std::int64_t>();
  cell.replaces = fields.Number<bool>();
  if (fields.Number<bool>()) cell.row = ReadRowFields(fields);
  cell.scores = fields.List([&fields] {
    StoredScore one;
    one.metric.key = ReadDigest(fields);
    one.score.defined = fields.Number<bool>();
    one.score.value = fields.Number<double>();
    one.score.undefined = fields.Text();
    return one;
  });
  return cell;
}

}  // namespace crossfold
