// The tables of a catalog, format 1. docs/catalog.md promises them to queries.
#pragma once

#include <array>
#include <string>

#include "store/cells/stored_table.h"

namespace crossfold {

// PRAGMA application_id ("CFCT") and user_version of a catalog.
inline constexpr int kCatalogId = 0x43464354;
inline constexpr int kCatalogFormat = 1;

inline constexpr StoredTable kCatalogRuns{
    "runs", "store, run, started, crossfold, script, script_sha256, seed, finished", 8, 2};
inline constexpr StoredTable kCatalogDatasets{"datasets", "store, hash, n_rows, n_features", 4, 2};
inline constexpr StoredTable kCatalogPlugins{"plugins", "store, sha256, id, version", 4, 2};
inline constexpr StoredTable kCatalogSeries{
    "series",
    "store, series, key, question, dataset_hash, dataset, learner, settings, splits, repeat, seed, "
    "inner, run",
    13, 2};
inline constexpr StoredTable kCatalogSteps{
    "steps", "store, series, step, component, version, plugin_sha256", 6, 3};
inline constexpr StoredTable kCatalogCells{
    "cells", "store, series, fold, status, n_train, n_test, fit_s, predict_s, result", 9, 3};
inline constexpr StoredTable kCatalogScores{
    "scores",
    "store, run, experiment, dataset, dataset_hash, learner, settings, metric, metric_key, "
    "direction, folds, defined, failed, fallback, score, low, high, confidence, method, covers, "
    "caution, undefined, design, splits",
    24, 0};

// The tables with the rows of each store, which has one row in `stores`.
inline constexpr std::array kCatalogTables = {&kCatalogRuns,   &kCatalogDatasets, &kCatalogPlugins,
                                              &kCatalogSeries, &kCatalogSteps,    &kCatalogCells,
                                              &kCatalogScores};

// The statements that make the tables, indexes and views.
inline constexpr const char* kCatalogSchema = R"(
CREATE TABLE stores(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, who TEXT NOT NULL, added TEXT NOT NULL,
  modified INTEGER NOT NULL, bytes INTEGER NOT NULL, damaged INTEGER NOT NULL, checksum INTEGER);
CREATE TABLE runs(
  store INTEGER NOT NULL, run INTEGER NOT NULL, started TEXT NOT NULL, crossfold TEXT NOT NULL,
  script TEXT NOT NULL, script_sha256 TEXT NOT NULL, seed INTEGER NOT NULL,
  finished INTEGER NOT NULL, PRIMARY KEY(store, run)) WITHOUT ROWID;
CREATE TABLE datasets(
  store INTEGER NOT NULL, hash TEXT NOT NULL, n_rows INTEGER NOT NULL,
  n_features INTEGER NOT NULL, PRIMARY KEY(store, hash)) WITHOUT ROWID;
CREATE TABLE plugins(
  store INTEGER NOT NULL, sha256 TEXT NOT NULL, id TEXT NOT NULL, version TEXT NOT NULL,
  PRIMARY KEY(store, sha256)) WITHOUT ROWID;
CREATE TABLE series(
  store INTEGER NOT NULL, series INTEGER NOT NULL, key TEXT NOT NULL, question TEXT NOT NULL,
  dataset_hash TEXT NOT NULL, dataset TEXT, learner TEXT, settings TEXT NOT NULL,
  splits TEXT NOT NULL, repeat INTEGER NOT NULL, seed INTEGER NOT NULL, inner INTEGER NOT NULL,
  run INTEGER, PRIMARY KEY(store, series)) WITHOUT ROWID;
CREATE INDEX series_by_question ON series(question);
CREATE TABLE steps(
  store INTEGER NOT NULL, series INTEGER NOT NULL, step INTEGER NOT NULL, component TEXT NOT NULL,
  version TEXT NOT NULL, plugin_sha256 TEXT NOT NULL,
  PRIMARY KEY(store, series, step)) WITHOUT ROWID;
CREATE TABLE cells(
  store INTEGER NOT NULL, series INTEGER NOT NULL, fold INTEGER NOT NULL, status TEXT NOT NULL,
  n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, fit_s REAL NOT NULL,
  predict_s REAL NOT NULL, result TEXT NOT NULL, PRIMARY KEY(store, series, fold)) WITHOUT ROWID;
CREATE TABLE scores(
  store INTEGER NOT NULL, run INTEGER NOT NULL, experiment INTEGER NOT NULL,
  dataset TEXT NOT NULL, dataset_hash TEXT, learner TEXT NOT NULL, settings TEXT,
  metric TEXT NOT NULL, metric_key TEXT, direction INTEGER NOT NULL, folds INTEGER NOT NULL,
  defined INTEGER NOT NULL, failed INTEGER NOT NULL, fallback INTEGER NOT NULL, score REAL,
  low REAL, high REAL, confidence REAL, method TEXT, covers TEXT, caution TEXT, undefined TEXT,
  design TEXT, splits TEXT);
CREATE INDEX scores_by_store ON scores(store);
CREATE VIEW last_scores AS
  SELECT *, max(run) AS last_run FROM scores
  GROUP BY store, dataset, dataset_hash, learner, settings, metric, metric_key, splits, score;
CREATE VIEW best AS
  SELECT s.dataset, s.metric,
    CASE WHEN s.score IS NOT NULL AND s.direction <> 0 AND s.dataset_hash IS NOT NULL THEN
      rank() OVER (PARTITION BY s.dataset_hash, s.metric,
        CASE WHEN s.metric_key IS NULL THEN s.store END
        ORDER BY CASE WHEN abs(s.score) < 9e999
          THEN CAST(format('%.11e', s.score * s.direction) AS REAL)
          ELSE s.score * s.direction END DESC NULLS LAST)
    END AS rank,
    s.learner, s.settings, s.score, s.low, s.high, s.method, s.covers, s.confidence, s.caution,
    s.undefined, s.folds, s.defined, s.failed, s.fallback, s.design, s.splits, s.dataset_hash,
    s.metric_key, s.direction, t.who, t.path AS store, s.run
  FROM last_scores s JOIN stores t ON t.id = s.store;
)";

// An SQL expression: the correct checksum of a row of `stores`, which covers all rows of the store.
std::string CatalogChecksum();

}  // namespace crossfold
