// The file format of lockboxes, version 1, in packed fields (encoding/fields.h):
//
//   "CFXLOCKB", format version (4)
//   entries, each a length (8) and: kind (1), digest of the entry before (32), its fields
//   SHA-256 (32) over all that
//
// The digest of an entry is the SHA-256 of its kind, the digest before and its fields; that before
// the first one is the SHA-256 of the magic and the version. The kinds, in this order:
//   1 seal      text open fields, text encrypted rows (nonce (12), tag (16), bytes). The open
//   fields,
//               which are authenticated with the rows: texts data, hashes of the sealed, the other
//               and all rows, chosen_by, time, Crossfold version; rows (8), other rows (8), rule
//               (1), confidence (8), key apart (1), salt (32), digest of the key (32). The rows are
//               a dataset's image (encoding/dataset_image.h)
//   2 opening   texts time, reason, model, hash of the model, metric
//   3 answer    number of the opening (8), texts time, problem, method, reason; rows (8), units
//   (8),
//               score, standard error, low, high, least and largest value of the metric (8 each). An
//               opening has one answer
//   4 end       number of entries before it (8), HMAC-SHA256 (32) of the digest before, by the key
//
// The file is replaced as a whole when an entry is added, so it is never half written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/lockbox.h"
#include "engine/data/sha256.h"

namespace crossfold {

// The open fields of a seal.
struct SealFields {
  LockboxSeal seal;
  Digest salt{}, key_digest{};
};

struct LockboxEntry {
  std::uint8_t kind = 0;
  std::string_view fields;  // in the bytes of the file
  Digest digest{};
};

inline constexpr std::uint8_t kSealEntry = 1, kOpeningEntry = 2, kAnswerEntry = 3, kEndEntry = 4;

std::string WriteSeal(const SealFields& fields);
SealFields ReadSeal(std::string_view bytes);
std::string WriteOpening(const LockboxOpening& opening);
LockboxOpening ReadOpening(std::string_view bytes);
std::string WriteAnswer(std::int64_t number, const LockboxAnswer& answer);
// Returns the number of the opening.
std::int64_t ReadAnswer(std::string_view bytes, LockboxAnswer& answer);

// What the bytes of a file say.
struct LockboxFile {
  std::vector<LockboxEntry> entries;  // without the end
  std::string_view open_fields, encrypted;
  SealFields fields;
  std::vector<LockboxOpening> openings;
  Digest mac{};

  // Throws Error "<attempt><finding>". `bytes` must outlive it.
  static LockboxFile Parse(std::string_view bytes, const std::string& attempt);
  // Makes a lockbox of the bytes of the file at `path`.
  static Lockbox Make(const std::filesystem::path& path, std::string bytes,
                      const std::string& attempt);
};

struct NewEntry {
  std::uint8_t kind = 0;
  std::string fields;
};

// Returns a file with these entries and its end.
std::string FormatLockbox(const std::vector<NewEntry>& entries, const LockboxKey& key);

// The digest of a key, which a seal has, and the key of a lockbox that has it itself.
Digest DigestOf(const LockboxKey& key);
LockboxKey KeyOf(const Digest& salt);

}  // namespace crossfold
