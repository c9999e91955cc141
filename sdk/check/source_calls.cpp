#include "check/source_calls.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "arrow/arrow_stream.h"
#include "check/check_task.h"
#include "check/probe_call.h"
#include "crossfold/error.h"
#include "crossfold/spec_text.h"
#include "engine/data/column_entries.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold::check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 4096;

bool HasEnding(const std::string& name, const cf_source& source) {
  if (source.n_endings == 0) return true;
  const std::span<const char* const> endings(source.endings, source.n_endings);
  return std::ranges::any_of(endings, [&](const char* ending) {
    const std::string dotted = std::string(".") + ending;
    return name.ends_with(dotted) || name.find(dotted + ".") != std::string::npos;
  });
}

// A failed function of a stream as a failed call, as the host converts it.
cf_status StatusOf(const cf_call* call, const StreamFailure& failure) {
  const cf_status status = failure.status();
  const bool said_nothing = failure.reason().starts_with("its stream failed: ");
  return said_nothing ? status : call->host->fail(call, status, failure.reason().c_str());
}

std::string ColumnDifference(const Column& got, const Column& expected) {
  const std::string subject = "column '" + CleanText(expected.name.c_str()) + "' ";
  if (got.name != expected.name) {
    return subject + "is called '" + CleanText(got.name.c_str()) + "'";
  }
  if (got.dtype != expected.dtype) return subject + "has a different type";
  if (got.levels != expected.levels || got.ordered != expected.ordered) {
    return subject + "has different levels";
  }
  if (got.n_rows != expected.n_rows) {
    return subject + "has " + std::to_string(got.n_rows) + " rows instead of " +
           std::to_string(expected.n_rows);
  }
  for (std::int64_t row = 0; row < got.n_rows; ++row) {
    if (SameEntry(got, expected, row)) continue;
    return subject + "has another entry in row " + std::to_string(row + 1);
  }
  return "";
}

}  // namespace

std::vector<Sample> SamplesOf(CheckContext& context) {
  std::vector<Sample> samples;
  for (const std::string& text : context.data()) {
    const SampleText sample = SampleText::Parse(text);
    if (!HasEnding(sample.path.filename().string(), *context.component().source)) continue;
    samples.push_back({sample.path, ParseSettings(context.shared_component(), sample.settings)});
  }
  if (samples.empty()) context.Skip("there is no file that it reads; name one with --data FILE");
  return samples;
}

ShownPath::ShownPath(const fs::path& path) : location_(path.string()) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  head_.resize(kHeadBytes);
  file.read(head_.data(), static_cast<std::streamsize>(head_.size()));
  head_.resize(static_cast<std::size_t>(file.gcount()));
  n_bytes_ = static_cast<std::int64_t>(fs::file_size(path));
}

ShownPath::ShownPath(const fs::path& path, std::string head, std::int64_t n_bytes)
    : location_(path.string()), head_(std::move(head)), n_bytes_(n_bytes) {}

cf_source_input ShownPath::Input() const {
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location_.c_str();
  if (n_bytes_ >= 0) input.head = reinterpret_cast<const std::uint8_t*>(head_.data());
  input.n_head = static_cast<std::int64_t>(head_.size());
  input.n_bytes = n_bytes_;
  input.max_bytes = std::numeric_limits<std::int64_t>::max();
  return input;
}

std::string SourceRead::Describe() const {
  if (!reply.ok()) return reply.Describe();
  return problem.empty() ? "ok" : "columns that no host accepts: " + problem;
}

SourceRead ReadSource(const Spec& spec, const fs::path& path, const ProbeOptions& options,
                      std::span<const cf_column_hint* const> hints) {
  SourceRead read;
  const ShownPath shown(path);
  cf_source_input input = shown.Input();
  input.hints = hints.data();
  input.n_hints = hints.size();
  ArrowReading reading;
  for (const cf_column_hint* hint : hints) {
    if ((hint->flags & CF_HINT_UNUSED) != 0) reading.unused.insert(hint->name);
  }
  bool stream_failed = false;
  read.reply = ProbeCall(spec, options, [&](const cf_call* call) -> cf_status {
    ArrowArrayStream stream{};
    const cf_status status = spec.component().source->open(call, spec.args().data(),
                                                           spec.args().size(), &input, &stream);
    if (status != CF_OK) return status;
    try {
      read.columns = ReadArrowStream(&stream, reading).columns;
    } catch (const StreamFailure& failure) {
      stream_failed = true;
      return StatusOf(call, failure);
    } catch (const Error& error) {
      read.problem = error.what();
    } catch (const std::bad_alloc&) {
      read.problem = "they take more memory than there is";
    }
    return CF_OK;
  });
  // A stream reports errors by errno; host->fail() says more.
  if (stream_failed && read.reply.said_why) read.reply.status = read.reply.said_code;
  return read;
}

Reply OpenSource(const Spec& spec, const fs::path& path,
                 const std::function<void(ArrowArrayStream*)>& use) {
  const ShownPath shown(path);
  const cf_source_input input = shown.Input();
  return ProbeCall(spec, {}, [&](const cf_call* call) -> cf_status {
    ArrowArrayStream stream{};
    const cf_status status = spec.component().source->open(call, spec.args().data(),
                                                           spec.args().size(), &input, &stream);
    if (status != CF_OK) return status;
    use(&stream);
    if (stream.release != nullptr) stream.release(&stream);
    return CF_OK;
  });
}

std::string FindImproperReading(const SourceRead& read) {
  if (!read.problem.empty()) return "it gave " + read.Describe();
  if (read.reply.ok()) return "";
  const std::string bad = FindBadError(read.reply);
  if (!bad.empty()) return "it " + bad;
  switch (read.reply.status) {
    case CF_E_INVALID_ARGUMENT:
    case CF_E_INVALID_PARAM:
    case CF_E_UNSUPPORTED_DATA:
    case CF_E_UNSUPPORTED:
    case CF_E_IO:
      return "";
    default:
      return "it ended with " + read.reply.Describe();
  }
}

bool SameEntry(const Column& a, const Column& b, std::int64_t row) {
  if (a.is_missing(row) || b.is_missing(row)) return a.is_missing(row) == b.is_missing(row);
  const std::size_t size = EntrySize(a.dtype);
  const auto at = static_cast<std::size_t>(row) * size;
  return std::memcmp(static_cast<const char*>(a.data) + at, static_cast<const char*>(b.data) + at,
                     size) == 0;
}

std::string Difference(std::span<const Column> got, std::span<const Column> expected) {
  if (got.size() != expected.size()) {
    return "there are " + std::to_string(got.size()) + " columns instead of " +
           std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::string difference = ColumnDifference(got[i], expected[i]);
    if (!difference.empty()) return difference;
  }
  return "";
}

std::string Difference(const SourceRead& got, const SourceRead& expected) {
  if (got.ok() && expected.ok()) return Difference(got.columns, expected.columns);
  if (got.Describe() == expected.Describe()) return "";
  return "it ended with " + got.Describe() + " instead of " + expected.Describe();
}

std::vector<double> NumbersOf(const SourceRead& read) {
  constexpr double kMissing = -1e300;
  std::vector<double> numbers;
  for (const Column& column : read.columns) {
    VisitEntries(column, [&](const auto entries) {
      for (std::int64_t row = 0; row < column.n_rows; ++row) {
        const auto i = static_cast<std::size_t>(row);
        numbers.push_back(column.is_missing(row) ? kMissing : static_cast<double>(entries[i]));
      }
    });
  }
  return numbers;
}

}  // namespace crossfold::check
