// Defect: it writes missing entries as 0.
#include "working_writer.h"

struct LosesMissing : working::Writer {
  static constexpr working::cf::SourceInfo kInfo{
      .component = {.id = "bad.write_loses_missing", .title = "Tables", .doc = "Doubles."},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};

  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const working::cf::Context& context) {
    std::vector<working::NamedNumbers> columns = working::Take(stream, context);
    for (working::NamedNumbers& column : columns) {
      for (double& number : column.numbers) number = number == number ? number : 0;
    }
    working::Write(columns, path);
  }
};

CROSSFOLD_PLUGIN("bad.write_loses_missing", "1.0.0", "The Crossfold Authors", "MIT", LosesMissing)
