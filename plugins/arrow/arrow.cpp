// A source that reads and writes Arrow IPC files.
#include <array>
#include <string>
#include <string_view>

#include "../reading/file_text.h"
#include "../reading/refusal.h"
#include "crossfold_plugin.hpp"
#include "ipc_file.h"
#include "ipc_reader.h"
#include "ipc_writer.h"

namespace crossfold::reading {

struct Arrow {
  static constexpr std::array<const char*, 4> kEndings = {"arrow", "feather", "ipc", "arrows"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.arrow",
                    .title = "Arrow IPC files (Feather 2)",
                    .doc = "Reads and writes the file format of Arrow IPC, and reads its stream "
                           "format. Columns of a file with one record batch stay in the mapped "
                           "file; several batches are put together in memory.",
                    .source = "https://arrow.apache.org/docs/format/Columnar.html"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  struct Params {
    bool memory_map = true;
  };
  static constexpr auto kSchema = cf::Schema(MemoryMapParam<Params>());

  static int Sniff(const cf::SourceInput& input) {
    if (IsArrowFile(input.head())) return CF_SNIFF_CONTENT;
    if (input.location().find("://") != std::string_view::npos) return CF_SNIFF_NO;
    for (const std::string ending : kEndings) {
      if (input.EndsWith("." + ending)) return CF_SNIFF_NAME;
    }
    return MayBeArrowStream(input.head()) ? CF_SNIFF_NAME : CF_SNIFF_NO;
  }

  static IpcReader Open(const Params& params, const cf::SourceInput& input, const cf::Context&) {
    // Only a copy is safe from a program that shortens the file while it is in use.
    const bool may_map = params.memory_map && input.is_trusted();
    return ReportingShortage("choose columns (types),",
                             [&] { return IpcReader::Open(input, may_map); });
  }

  static void Write(const Params&, const std::string& path, ArrowArrayStream& columns,
                    const cf::Context& context) {
    WriteIpcFile(path, columns, context);
  }
};

}  // namespace crossfold::reading

CROSSFOLD_PLUGIN("crossfold.arrow", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::reading::Arrow)
