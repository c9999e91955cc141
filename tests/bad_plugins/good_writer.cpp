// No defect: what must pass every check.
#include "working_writer.h"

struct GoodWriter : working::Writer {
  static constexpr working::cf::SourceInfo kInfo{
      .component = {.id = "bad.good_writer", .title = "Tables", .doc = "Doubles."},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};

  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const working::cf::Context& context) {
    working::Write(working::Take(stream, context), path);
  }
};

CROSSFOLD_PLUGIN("bad.good_writer", "1.0.0", "The Crossfold Authors", "MIT", GoodWriter)
