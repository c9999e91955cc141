// The file of a store, format 3: its tables, and how it is opened.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "store/cells/sqlite.h"

namespace crossfold {

// PRAGMA application_id ("CFDB") and user_version of a store.
inline constexpr int kStoreId = 0x43464442;
inline constexpr int kStoreFormat = 3;
// The same tables with the cells of an older Crossfold, whose seeds came from the names of
// learners. No run of this one would find any of them.
inline constexpr int kFormatOfNamedSeeds = 2;

// The statements that make the tables, without comments and indentation, as they are in a file: so
// it fits on the first page, and the tables are found even if all other pages are damaged.
std::string StoreSchema();

// Opens or makes a store for writing, with WAL and synchronous = NORMAL. Throws Error for a file
// that is not a store, for a store of a newer format and, if it is `for_runs`, for one with other
// seeds; none of these is changed.
std::unique_ptr<Database> OpenStoreFile(const std::filesystem::path& path, bool for_runs = false);

// Gives a copy of cells of `from` the format that says which seeds they have.
void CopyFormat(Database& from, Database& to);

// Makes a new store completely or not at all: `write` gets a path for it next to `to`, and closes
// it. Throws what `write` throws, and Error(kIo) with `attempt` in front.
void MakeStoreFile(const std::filesystem::path& to, const std::string& attempt,
                   const std::function<void(const std::filesystem::path& file)>& write);

// There is a file, in which nothing was stored yet: its process may have been killed before that.
class EmptyStoreError : public Error {
 public:
  using Error::Error;
};

// Opens a store without writing to it, also in a read-only folder. Throws Error also if there is no
// file, and EmptyStoreError.
std::unique_ptr<Database> OpenStoreToRead(const std::filesystem::path& path);

// Whether the store has the table of findings: one of an older Crossfold lacks it until it is
// opened for writing.
bool HasFindings(Database& db);

// Whether it is a store of format 2 or later. A store of format 1 that is only read has checksums
// only in some tables.
bool HasAllChecksums(Database& db);

// The same as OpenStoreToRead without any check of the content.
std::unique_ptr<Database> OpenDamagedStore(const std::filesystem::path& path);

}  // namespace crossfold
