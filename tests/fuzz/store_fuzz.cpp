// Changes to the pages of a store (changed_pages.h).
#include <cstddef>
#include <cstdint>
#include <string>

#include "crossfold/store_ledger.h"
#include "crossfold/store_status.h"
#include "fuzz/changed_pages.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "temporary_folder.h"

int crossfold::fuzz::FeedStore(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  static const std::string whole = BytesOf(ExtractStore(folder.path()));
  const auto path = folder.Write("store.cfdb", ChangedPages(whole, bytes, size));
  Attempted([&] { crossfold::ReadStoreStatus(path, {}); });
  Attempted([&] {
    std::size_t n = 0;
    crossfold::Ledger(path).Visit(
        1, crossfold::LedgerPart::kAll, [&](const crossfold::LedgerEntry&) {
          crossfold::fuzz::Demand(++n < whole.size(), "a cell takes bytes");
        });
  });
  return 0;
}
