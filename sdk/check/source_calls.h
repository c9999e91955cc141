// Reads files with a source, directly through its C table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/probe_call.h"
#include "crossfold/dataset.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/source.h"

namespace crossfold::check {

// A valid file, and the source under the parameters that it needs to read it.
struct Sample {
  std::filesystem::path path;
  SpecPtr spec;

  std::string name() const { return "'" + path.filename().string() + "'"; }
};
// The files of --data that the source of the check reads: those whose names have one of its endings
// ("a.csv", "a.csv.gz"); for a source that declares no endings, all files. Skips the check if there
// is none.
std::vector<Sample> SamplesOf(CheckContext& context);

// A path as a host passes it, with the first bytes of the file if there is one.
class ShownPath {
 public:
  explicit ShownPath(const std::filesystem::path& path);
  // Uses the first bytes of another path.
  ShownPath(const std::filesystem::path& path, std::string head, std::int64_t n_bytes);

  // The request without hints. It is valid as long as this object.
  cf_source_input Input() const;
  const std::string& head() const { return head_; }

 private:
  std::string location_, head_;
  std::int64_t n_bytes_ = -1;
};

// The data that a source gave, as the host reads it.
struct SourceRead {
  std::vector<Column> columns;
  std::string problem;  // why the host refuses the columns; "" = it accepts them
  Reply reply;

  bool ok() const { return reply.ok() && problem.empty(); }
  std::int64_t num_rows() const { return columns.empty() ? 0 : columns.front().n_rows; }
  // "ok", "invalid parameter: '...'", "columns that no host accepts: ..."
  std::string Describe() const;
};
SourceRead ReadSource(const Spec& spec, const std::filesystem::path& path,
                      const ProbeOptions& options = {},
                      std::span<const cf_column_hint* const> hints = {});

// Opens a stream, and calls `use` with it within the same call of the plugin; what is not released
// then is released at the end. `use` is not called if open() fails.
Reply OpenSource(const Spec& spec, const std::filesystem::path& path,
                 const std::function<void(ArrowArrayStream*)>& use);

// What is wrong with the refusal of a file that is damaged or missing, or that does not fit the
// settings; "" = nothing, or the source did not fail.
std::string FindImproperReading(const SourceRead& read);

// Whether both entries of the row are missing, or have the same bits. REQUIRES: the same type.
bool SameEntry(const Column& a, const Column& b, std::int64_t row);
// The first difference, as in "column 'x' has another entry in row 3"; "" = the same columns, bit
// for bit.
std::string Difference(std::span<const Column> got, std::span<const Column> expected);
std::string Difference(const SourceRead& got, const SourceRead& expected);

// Every entry as a number; a category as its code, a missing entry as -1e300.
std::vector<double> NumbersOf(const SourceRead& read);

}  // namespace crossfold::check
