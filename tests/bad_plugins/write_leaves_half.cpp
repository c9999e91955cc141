// Defect: a write that fails leaves the beginning of a file.
#include "working_writer.h"

struct LeavesHalf : working::Writer {
  static constexpr working::cf::SourceInfo kInfo{
      .component = {.id = "bad.write_leaves_half", .title = "Tables", .doc = "Doubles."},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};

  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const working::cf::Context& context) {
    std::ofstream(path) << "TABLE1\n";
    working::Write(working::Take(stream, context), path);
  }
};

CROSSFOLD_PLUGIN("bad.write_leaves_half", "1.0.0", "The Crossfold Authors", "MIT", LeavesHalf)
