// A lockbox is a file of test rows that were put aside before any work began. The rows are
// encrypted. Each opening, which evaluates one model on them, is recorded in the file before its
// score is known. The record is a hash chain, so that a change of the file is found.
// docs/lockbox.md has the threat model: it protects against accidental and silent looks, not
// against the owner of the file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// The rule by which several openings share the risk of a wrong interval.
enum class LookRule {
  kBonferroni,  // with k openings, 1/k each
  kSpending,    // 1/2^k of opening k
  kAdaptive     // 1/2^k, divided by the number of answers that earlier openings could have had
};
std::string_view LookRuleName(LookRule rule);  // "bonferroni", "spending", "adaptive"
// Returns nothing for other names.
std::optional<LookRule> FindLookRule(std::string_view name);

// What anyone can read about the sealed rows. Strings have no control characters.
struct LockboxSeal {
  std::string data;                      // name of the dataset
  std::int64_t rows = 0, rest_rows = 0;  // sealed, and not
  std::string sealed_hash, rest_hash;    // Dataset::content_hash() of both
  std::string whole_hash;                // of the rows before they were divided
  std::string chosen_by;                 // how the rows were chosen
  LookRule rule = LookRule::kSpending;
  double confidence = 0.95;   // of all intervals together
  std::string time;           // UTC, ISO 8601
  bool is_key_apart = false;  // the key is in a file of its own
};

struct LockboxAnswer {
  std::string time;
  std::string problem;  // why there is no score; "" = there is one
  double score = 0;
  std::string method;  // of the interval: "wilson", "clt", "bootstrap", or "" = there is none
  std::string reason;  // why there is no interval
  std::int64_t rows = 0, units = 0;  // units: independent ones, which are rows or groups
  double standard_error = 0;         // of the score, not for "wilson"
  double low = 0, high = 0;          // as printed then
  // The range of the metric.
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

struct LockboxOpening {
  std::string time, reason;
  std::string model, model_hash;  // its name, and the SHA-256 of its file
  std::string metric;
  std::optional<LockboxAnswer> answer;  // nothing = the opening was interrupted
};

struct LockboxKey {
  std::array<std::uint8_t, 32> bytes{};
  std::string ToHex() const;
};

class Lockbox {
 public:
  // Reads a lockbox. Any bytes are safe. Throws Error "cannot read lockbox 'x.lockbox': ..." for a
  // file that is not one, or that was changed.
  static Lockbox Read(const std::filesystem::path& path);

  const LockboxSeal& seal() const { return seal_; }
  // In the order in which they began.
  const std::vector<LockboxOpening>& openings() const { return openings_; }
  // The SHA-256 (hex) of the seal, which identifies the lockbox.
  const std::string& id() const { return id_; }

  // Returns the key, from the lockbox or from `key_file` if it is kept apart, after it has checked
  // that the record was written with it. Throws Error if there is none, or it is wrong.
  LockboxKey FindKey(const std::filesystem::path& key_file) const;
  // Decrypts the rows. Throws Error if the key or the content is wrong.
  std::shared_ptr<const Dataset> Unseal(const LockboxKey& key) const;

  // Adds an opening to the file, on the disk, and returns its number, from 1. If an opening with
  // this model and metric has no answer yet, it continues that one and adds nothing. The time is
  // set here. Other processes may do so at the same time. Throws Error.
  std::int64_t Begin(LockboxOpening opening, const LockboxKey& key);
  // Adds the answer of an opening to the file, on the disk. Throws Error, also if an older copy has
  // taken the place of the file meanwhile. REQUIRES: Begin returned the number.
  void End(std::int64_t number, LockboxAnswer answer, const LockboxKey& key);

 private:
  friend struct LockboxFile;
  Lockbox() = default;
  Lockbox ReadAgain() const;

  std::filesystem::path path_;
  LockboxSeal seal_;
  std::vector<LockboxOpening> openings_;
  std::string id_;
  std::string bytes_;  // of the whole file
};

struct SealOptions {
  std::string chosen_by;
  LookRule rule = LookRule::kSpending;
  double confidence = 0.95;
  // To be made; "" = the key is derived from the lockbox. A key file that was made for these rows
  // is used again.
  std::filesystem::path key_file;
};

struct SealedRows {
  std::shared_ptr<const Dataset> rest;  // the other rows; their origin() is the lockbox's id
  std::string id;
  bool is_new = false;  // false: the file was there already, with the same rows
};

// Seals rows of `data` in a new file; `sealed` has positions in the view, from 0. If the file
// exists and has the same rows, chosen in the same way, it stays as it is. Throws Error if it has
// others, or if the key file is the same file.
SealedRows SealRows(const DataView& data, const std::vector<std::int64_t>& sealed,
                    const std::filesystem::path& path, const SealOptions& options);

}  // namespace crossfold
