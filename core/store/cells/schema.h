// The tables of a store, format 2. Texts and blobs of "fields" are as in encoding/fields.h; keys
// are SHA-256 digests (32 bytes). Where nothing else is said, `checksum` covers the name of the
// table and the rest of the row (store/cells/stored_table.h). Format 1 had checksums in cells,
// scores and findings alone, and no totals.
//
// A series has the cells of one learner, with one seed, on the folds of one repeat of a partition,
// or on one split that is a list. Its key covers everything that its cells are computed from; a
// cell is one fold of it.
//
// The SQL is part of every store, comments and all, so its comments keep the paths that files had
// when the format was cut.
#pragma once

#include <string>

namespace crossfold {

// PRAGMA application_id ("CFDB") and user_version of a store.
inline constexpr int kStoreId = 0x43464442;
inline constexpr int kStoreFormat = 2;

inline constexpr const char* kStoreSchema = R"(
-- Files that components came from.
CREATE TABLE plugins(
  sha256 TEXT PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, build_info TEXT NOT NULL,
  path TEXT NOT NULL,               -- where it was last
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE datasets(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,        -- Dataset::content_hash()
  n_rows INTEGER NOT NULL,
  n_features INTEGER NOT NULL,
  image_bytes INTEGER NOT NULL,     -- 0 = the content is not kept
  checksum INTEGER
);
-- data/dataset_image.h, cut into parts of 16 MiB, each packed by zlib.
CREATE TABLE dataset_parts(
  dataset INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, checksum INTEGER,
  PRIMARY KEY(dataset, part)
) WITHOUT ROWID;

-- The rows of one repeat of a partition, or of one list.
CREATE TABLE splits(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of the dataset's hash and the definition
  dataset INTEGER NOT NULL,
  n_folds INTEGER NOT NULL,         -- 0 = a list
  definition BLOB NOT NULL,         -- plan/split_fields.h of a plan of this repeat or list alone; zlib
  checksum INTEGER
);

CREATE TABLE learners(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of all steps: component, plugin file, every parameter
  text TEXT NOT NULL,               -- Pipeline::ToString()
  definition BLOB NOT NULL,         -- plugin/spec_fields.h: the list of its steps
  checksum INTEGER
);
CREATE TABLE metrics(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  text TEXT NOT NULL,               -- Spec::ToString()
  definition BLOB NOT NULL,         -- fields of one spec
  checksum INTEGER
);

CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of the rest of this row, Crossfold's version and the ABI
  learner INTEGER NOT NULL,
  splits INTEGER NOT NULL,
  repeat INTEGER NOT NULL,          -- from 0
  seed INTEGER NOT NULL,            -- Cell::seed, as signed
  probabilities INTEGER NOT NULL,   -- whether predictions have them
  separate INTEGER NOT NULL,        -- 1: without sharing, where that can matter (a tolerance)
  checksum INTEGER,                 -- also not over `total`
  total INTEGER NOT NULL DEFAULT 0  -- sum of the checksums of its rows in cells and scores
);

CREATE TABLE cells(
  series INTEGER NOT NULL,
  fold INTEGER NOT NULL,            -- from 0; of a list its number in the plan
  status INTEGER NOT NULL,          -- 0 = ok, 1 = failed by itself, 2 = failed by a limit or signal
  n_train INTEGER NOT NULL, n_test INTEGER NOT NULL,
  fit_s REAL NOT NULL, predict_s REAL NOT NULL,
  prediction BLOB,                  -- store/prediction_blob.h; null = not kept
  notes BLOB,                       -- fields: stage, code (4), message of a failure; list of warnings
  checksum INTEGER NOT NULL,        -- over the rest of the row; of format 1 not over the seconds
  PRIMARY KEY(series, fold)
) WITHOUT ROWID;

CREATE TABLE scores(
  series INTEGER NOT NULL, fold INTEGER NOT NULL, metric INTEGER NOT NULL,
  value REAL,                       -- null = undefined
  undefined TEXT,                   -- why
  checksum INTEGER NOT NULL,        -- over the rest of the row
  PRIMARY KEY(series, fold, metric)
) WITHOUT ROWID;

-- Out-of-fold predictions of what is no cell: ensembles and others that are put together in Lua. Never
-- looked up instead of computing them.
CREATE TABLE composed(
  run INTEGER NOT NULL, learner TEXT NOT NULL, dataset_name TEXT NOT NULL,
  dataset INTEGER NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  n_train INTEGER NOT NULL,
  prediction BLOB,                  -- with explicit row ids
  failure TEXT,                     -- null = ok
  checksum INTEGER,
  PRIMARY KEY(run, learner, dataset_name, repeat, fold)
) WITHOUT ROWID;

CREATE TABLE runs(
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,            -- UTC, ISO 8601
  crossfold TEXT NOT NULL,          -- version
  script TEXT NOT NULL, script_text TEXT NOT NULL,
  arguments BLOB NOT NULL,          -- fields: list of texts
  seed INTEGER NOT NULL,
  finished INTEGER NOT NULL,        -- 1: it came to its end, so that it asked for all of its cells
  checksum INTEGER,                 -- also not over `total`
  total INTEGER                     -- sum of the checksums of its rows in wanted, composed and
                                    -- findings; null = it goes on, or was killed
);
-- Which cells a run asked for, whether they are there or not, and what they are in its experiment.
CREATE TABLE wanted(
  run INTEGER NOT NULL, series INTEGER NOT NULL,
  inner INTEGER NOT NULL, learner TEXT NOT NULL, dataset TEXT NOT NULL,
  first INTEGER NOT NULL, count INTEGER NOT NULL, checksum INTEGER,
  PRIMARY KEY(run, series, inner, learner, dataset, first)
) WITHOUT ROWID;
)";

// A store of an older Crossfold may lack this table, and older programs pass over it: it gets the
// table when it is opened for writing, and readers ask HasFindings first.
inline constexpr const char* kFindingsSchema = R"(
-- What experiments know beyond cells: designs, choices of searches, scores of what is no cell.
CREATE TABLE IF NOT EXISTS findings(
  run INTEGER NOT NULL,
  experiment INTEGER NOT NULL,      -- of the run, from 1, in the order in which they began
  kind TEXT NOT NULL, name TEXT NOT NULL,
  body TEXT NOT NULL,               -- JSON
  dataset TEXT NOT NULL,            -- hash of the one whose rows are split; '' = none
  splits BLOB,                      -- plan/split_fields.h; zlib
  checksum INTEGER NOT NULL,        -- over the rest of the row but for the run
  PRIMARY KEY(run, experiment, kind, name)
) WITHOUT ROWID;
)";

// The same without comments and indentation, as it is in a file: so it fits on the first page, and
// the tables are found even if all other pages are damaged.
std::string StoreSchema();

}  // namespace crossfold
