// Any bytes as an archive of a run: what it lists is checked, and its store is read.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "archive/zip_file.h"
#include "crossfold/store_ledger.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "store/upkeep/archive_check.h"
#include "temporary_folder.h"

int crossfold::fuzz::FeedArchive(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  const auto path =
      folder.Write("run.zip", std::string_view(reinterpret_cast<const char*>(bytes), size));
  Attempted([&] {
    crossfold::RequireListedFiles(crossfold::ZipReader(path));
    const crossfold::Ledger ledger(path);
    ledger.Visit(1, crossfold::LedgerPart::kAll, [](const crossfold::LedgerEntry& entry) {
      crossfold::fuzz::Demand(entry.splits_id > 0, "a cell has its split");
    });
  });
  return 0;
}
