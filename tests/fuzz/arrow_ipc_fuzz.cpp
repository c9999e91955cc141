// Any bytes as a file or stream of Arrow IPC: columns or an error come out, and what the host's
// import makes of the columns is a dataset or an error.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "arrow/ipc_reader.h"
#include "crossfold/arrow.h"
#include "crossfold/error.h"
#include "crossfold_plugin/columns_to_arrow.hpp"
#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/source.hpp"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "unit/sdk/fake_call.h"

namespace {

namespace cf = crossfold::plugin;

void ImportColumns(const cf::Columns& columns) {
  ArrowSchema schema{};
  ArrowArray array{};
  cf::ToArrow(columns, schema);
  cf::ToArrow(columns, array);
  crossfold::fuzz::Attempted(
      [&] { crossfold::ImportArrow(&schema, &array, "fuzz", {})->content_hash(); });
}

void ReadIpc(std::string_view bytes) {
  constexpr std::int64_t kMostBytes = 1 << 20;
  cf::FakeCall call;
  cf_source_input raw{};
  raw.struct_size = sizeof raw;
  raw.location = "fuzz";
  raw.max_bytes = kMostBytes;
  const cf::SourceInput input(raw);
  try {
    crossfold::reading::IpcReader reader(bytes, nullptr, input);
    for (cf::Columns columns; reader.Next(columns, cf::Context(*call.get())); columns.clear()) {
      ImportColumns(columns);
    }
  } catch (const cf::Error& error) {
    crossfold::fuzz::DemandMessage(crossfold::Error(
        crossfold::ErrorKind::kBadData, std::string("cannot read 'fuzz': ") + error.what()));
  }
}

}  // namespace

int crossfold::fuzz::FeedArrowIpc(const std::uint8_t* bytes, std::size_t size) {
  // As a file is: at an address that suits its buffers.
  const auto aligned = std::make_unique<std::uint64_t[]>(size / sizeof(std::uint64_t) + 1);
  std::copy_n(bytes, size, reinterpret_cast<std::uint8_t*>(aligned.get()));
  ReadIpc({reinterpret_cast<const char*>(aligned.get()), size});
  return 0;
}
