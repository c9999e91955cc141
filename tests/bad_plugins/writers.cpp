// Sources that write, with one defect each but the first.
#include "working_writer.h"

namespace {

using working::NamedNumbers;
namespace cf = working::cf;

constexpr cf::SourceInfo InfoOf(const char* id, const char* doc) {
  return {.component = {.id = id, .title = "Tables", .doc = doc},
          .endings = working::Writer::kEndings,
          .promises = CF_SOURCE_READS_ONE_FILE};
}

struct GoodWriter : working::Writer {
  static constexpr cf::SourceInfo kInfo = InfoOf("bad.good_writer", "No defect.");
  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const cf::Context& context) {
    working::Write(working::Take(stream, context), path);
  }
};

struct LeavesHalf : working::Writer {
  static constexpr cf::SourceInfo kInfo =
      InfoOf("bad.write_leaves_half", "A write that fails leaves the beginning of a file.");
  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const cf::Context& context) {
    std::ofstream(path) << "TABLE1\n";
    working::Write(working::Take(stream, context), path);
  }
};

struct LosesMissing : working::Writer {
  static constexpr cf::SourceInfo kInfo =
      InfoOf("bad.write_loses_missing", "It writes missing entries as 0.");
  static void Write(const Params&, const std::string& path, ArrowArrayStream& stream,
                    const cf::Context& context) {
    std::vector<NamedNumbers> columns = working::Take(stream, context);
    for (NamedNumbers& column : columns) {
      for (double& number : column.numbers) number = number == number ? number : 0;
    }
    working::Write(columns, path);
  }
};

}  // namespace

CROSSFOLD_PLUGIN("bad.writers", "1.0.0", "The Crossfold Authors", "MIT", GoodWriter, LeavesHalf,
                 LosesMissing)
