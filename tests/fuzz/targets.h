// The fuzz targets: each file <name>_fuzz.cpp has one of these functions. It throws BrokenLaw
// (law.h) if a law does not hold for the bytes, and returns 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace crossfold::fuzz {

int FeedArchive(const std::uint8_t* bytes, std::size_t size);
int FeedArff(const std::uint8_t* bytes, std::size_t size);
int FeedArrow(const std::uint8_t* bytes, std::size_t size);
int FeedArrowIpc(const std::uint8_t* bytes, std::size_t size);
int FeedArrowStream(const std::uint8_t* bytes, std::size_t size);
int FeedCatalog(const std::uint8_t* bytes, std::size_t size);
int FeedCellLog(const std::uint8_t* bytes, std::size_t size);
int FeedCsv(const std::uint8_t* bytes, std::size_t size);
int FeedDatasetImage(const std::uint8_t* bytes, std::size_t size);
int FeedEnsemble(const std::uint8_t* bytes, std::size_t size);
int FeedFields(const std::uint8_t* bytes, std::size_t size);
int FeedJsonValue(const std::uint8_t* bytes, std::size_t size);
int FeedLockbox(const std::uint8_t* bytes, std::size_t size);
int FeedLuaOptions(const std::uint8_t* bytes, std::size_t size);
int FeedManifest(const std::uint8_t* bytes, std::size_t size);
int FeedModel(const std::uint8_t* bytes, std::size_t size);
int FeedOpenmlSplits(const std::uint8_t* bytes, std::size_t size);
int FeedOutcomeFields(const std::uint8_t* bytes, std::size_t size);
int FeedPluginLock(const std::uint8_t* bytes, std::size_t size);
int FeedPluginPackage(const std::uint8_t* bytes, std::size_t size);
int FeedPredictionBlob(const std::uint8_t* bytes, std::size_t size);
int FeedRegistryIndex(const std::uint8_t* bytes, std::size_t size);
int FeedScanCache(const std::uint8_t* bytes, std::size_t size);
int FeedSpecFields(const std::uint8_t* bytes, std::size_t size);
int FeedSplitFields(const std::uint8_t* bytes, std::size_t size);
int FeedStore(const std::uint8_t* bytes, std::size_t size);
int FeedSvmlight(const std::uint8_t* bytes, std::size_t size);
int FeedWorkerMessages(const std::uint8_t* bytes, std::size_t size);

struct Target {
  const char* name;
  int (*feed)(const std::uint8_t* bytes, std::size_t size);
};

inline constexpr Target kTargets[] = {
    {"archive", FeedArchive},
    {"arff", FeedArff},
    {"arrow", FeedArrow},
    {"arrow_ipc", FeedArrowIpc},
    {"arrow_stream", FeedArrowStream},
    {"catalog", FeedCatalog},
    {"cell_log", FeedCellLog},
    {"csv", FeedCsv},
    {"dataset_image", FeedDatasetImage},
    {"ensemble", FeedEnsemble},
    {"fields", FeedFields},
    {"json_value", FeedJsonValue},
    {"lockbox", FeedLockbox},
    {"lua_options", FeedLuaOptions},
    {"manifest", FeedManifest},
    {"model", FeedModel},
    {"openml_splits", FeedOpenmlSplits},
    {"outcome_fields", FeedOutcomeFields},
    {"plugin_lock", FeedPluginLock},
    {"plugin_package", FeedPluginPackage},
    {"prediction_blob", FeedPredictionBlob},
    {"registry_index", FeedRegistryIndex},
    {"scan_cache", FeedScanCache},
    {"spec_fields", FeedSpecFields},
    {"split_fields", FeedSplitFields},
    {"store", FeedStore},
    {"svmlight", FeedSvmlight},
    {"worker_messages", FeedWorkerMessages},
};

}  // namespace crossfold::fuzz
