// Saving models and loading them: what comes back, and what is refused.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/run.h"
#include "crossfold/version.h"
#include "engine/data/sha256.h"
#include "temporary_folder.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Centred;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Fit;
using fixture::Host;
using fixture::Learner;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t kDigestSize = 32;

std::shared_ptr<const FittedModel> Load(std::string_view bytes) {
  return FittedModel::FromBytes(bytes, "m.cfm", Host());
}

// Two features of other types, three classes, a transform.
std::shared_ptr<const Dataset> Mixed() {
  Column size = Column::Categories("size", {0, 1, 2, -1, 1, 0}, {"small", "middle", "large"});
  size.ordered = true;
  return Dataset::Create("mixed",
                         {Column::Doubles("x", {0.1, 1, 2, 3, 4, 1e300}), std::move(size),
                          Column::Categories("class", {0, 1, 2, 0, 1, 2}, {"c", "a", "b"})},
                         fixture::WithTarget("class"));
}

std::string SavedBytes() {
  return Fit(Centred("center", "recorder", {{"rate", 0.1}}), All(Mixed()))->ToBytes();
}

// `bytes` with the checksum that fits them, so that the parser itself has to object.
std::string Sealed(std::string bytes) {
  const Digest digest = Sha256Of(std::string_view(bytes).substr(0, bytes.size() - kDigestSize));
  bytes.replace(bytes.size() - kDigestSize, kDigestSize,
                reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes;
}

void ExpectLoadRefused(const std::string& bytes, const std::string& finding) {
  ExpectError(ErrorKind::kBadData, "cannot load model 'm.cfm': " + finding, [&] { Load(bytes); });
}

TEST(ModelFileTest, ALoadedModelPredictsTheSameBitsAndSavesTheSameBytes) {
  const auto data = Mixed();
  const auto centred = Centred("center", "recorder", {{"rate", 0.1}});
  for (const auto& learner : {Learner("recorder"), centred, centred->With({{"columns", "x"}}),
                              centred->With({{"columns", "lab_*"}})}) {
    const auto model = Fit(learner, All(data));
    const auto loaded = Load(model->ToBytes());
    const Prediction expected = model->Predict(All(data), RunOptions());
    const Prediction found = loaded->Predict(All(data), RunOptions());
    EXPECT_EQ(found.labels, expected.labels);
    EXPECT_EQ(found.probabilities, expected.probabilities);
    EXPECT_EQ(found.n_classes, 3);
    EXPECT_EQ(loaded->ToBytes(), model->ToBytes());
  }
}

TEST(ModelFileTest, RegressionComesBackToo) {
  const auto data = fixture::Numbers({1, 2, 9}, {10, 20, 90});
  const auto loaded = Load(Fit(Centred("center", "recorder"), All(data))->ToBytes());
  EXPECT_THAT(loaded->Predict(All(data), RunOptions()).values, ElementsAre(-3, -2, 5));
  EXPECT_EQ(loaded->training().task, Task::kRegression);
  EXPECT_THAT(loaded->training().class_names, IsEmpty());
}

TEST(ModelFileTest, ALoadedModelKnowsWhatItWasTrainedOn) {
  const auto data = Mixed();
  const auto loaded = Load(Fit(Learner("recorder"), fixture::Some(data, {0, 1, 2}))->ToBytes());
  const TrainingFacts& training = loaded->training();
  EXPECT_EQ(training.dataset, "mixed");
  EXPECT_EQ(training.content_hash, data->content_hash());
  EXPECT_EQ(training.n_rows, 3);
  EXPECT_EQ(training.target.name, "class");
  EXPECT_EQ(training.target.dtype, CF_CAT32);
  EXPECT_THAT(training.class_names, ElementsAre("c", "a", "b"));
  EXPECT_EQ(loaded->seed(), 7u);
  ASSERT_EQ(loaded->features().size(), 2u);
  EXPECT_EQ(loaded->features()[0].name, "x");
  EXPECT_EQ(loaded->features()[0].dtype, CF_F64);
  EXPECT_THAT(loaded->features()[1].levels, ElementsAre("small", "middle", "large"));
  EXPECT_TRUE(loaded->features()[1].ordered);
  EXPECT_EQ(loaded->columns().back().name, "class");
}

TEST(ModelFileTest, ParametersOfEveryTypeComeBackExactly) {
  const ParamValues given = {{"rate", 0.1 + 0.2},
                             {"count", std::int64_t{-9007199254740993}},
                             {"flag", true},
                             {"shape", "square"},
                             {"note", "a 'b'\n\xC3\xA4"},
                             {"sizes", std::vector<std::int64_t>{}},
                             {"shares", std::vector<double>{-0.0, 5e-324}},
                             {"limit", 1e-300}};
  const auto loaded = Load(Fit(Learner("recorder", given), All(Classes(4, 2)))->ToBytes());
  EXPECT_EQ(loaded->learner().learner().given(), given);
  const auto plain = Load(Fit(Learner("recorder"), All(Classes(4, 2)))->ToBytes());
  EXPECT_EQ(plain->learner().ToString(), "fixture.recorder");
}

TEST(ModelFileTest, AStepThatCannotBeSavedIsNamed) {
  const auto model = Fit(Centred("center", "coin"), All(Classes(4, 2)));
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot save 'fixture.center{mode=center}|fixture.coin': learner 'fixture.coin' "
              "cannot be saved (it offers no crossfold.serialize/1); fit it again where it is "
              "needed",
              [&] { model->ToBytes(); });
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "coin.cfm").string();
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot save model '" + path +
                  "': learner 'fixture.coin' cannot be saved (it offers no crossfold.serialize/1); "
                  "fit it again where it is needed",
              [&] { model->Save(path); });
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ModelFileTest, AFileReplacesAnOlderOneAndLeavesNothingElse) {
  const test::TemporaryFolder folder;
  const auto path = folder.Write("m.cfm", "old");
  const auto model = Fit(Learner("recorder"), All(Mixed()));
  model->Save(path);
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), model->ToBytes());
  EXPECT_EQ(FittedModel::Load(path, Host())->learner().ToString(), "fixture.recorder");
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(ModelFileTest, APlaceThatCannotBeWrittenOrReadIsNamed) {
  const test::TemporaryFolder folder;
  const auto model = Fit(Learner("recorder"), All(Mixed()));
  const std::string nowhere = (folder.path() / "no" / "m.cfm").string();
  ExpectError(ErrorKind::kIo,
              "cannot save model '" + nowhere +
                  "': it cannot be written (No such file or "
                  "directory); choose another place",
              [&] { model->Save(nowhere); });
  const std::string here = folder.path().string();
  ExpectError(ErrorKind::kIo, "cannot save model '" + here + "': it is a folder",
              [&] { model->Save(here); });
  ExpectError(ErrorKind::kIo, "cannot load model '" + nowhere + "': there is no such file",
              [&] { FittedModel::Load(nowhere, Host()); });
}

TEST(ModelFileTest, ForeignBytesAreTold) {
  const std::string no_model =
      "it is not a model saved by Crossfold; save one with model:save(path)";
  ExpectLoadRefused("", no_model);
  ExpectLoadRefused("CFXMODEX and more", no_model);
  ExpectLoadRefused("CFXMODEL", "it is damaged or cut short; save it again");
}

TEST(ModelFileTest, ANewerFormatIsToldBeforeTheChecksum) {
  std::string bytes = SavedBytes();
  bytes[8] = 2;
  ExpectLoadRefused(bytes, "it has format 2, Crossfold " + std::string(Version()) +
                               " reads up to 1; use a newer Crossfold");
}

TEST(ModelFileTest, AChangedByteIsSeenByTheChecksum) {
  std::string bytes = SavedBytes();
  bytes[bytes.size() / 2] ^= 1;
  ExpectLoadRefused(bytes, "it is damaged or cut short; save it again");
}

TEST(ModelFileTest, EveryTruncationIsRefused) {
  const std::string bytes = SavedBytes();
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(Load(std::string_view(bytes).substr(0, n)), Error) << n;
  }
  EXPECT_THROW(Load(bytes + '\0'), Error);
}

TEST(ModelFileTest, EveryTruncationWithAFittingChecksumIsRefused) {
  const std::string bytes = SavedBytes();
  for (std::size_t n = 12; n + kDigestSize < bytes.size(); ++n) {
    EXPECT_THROW(Load(Sealed(bytes.substr(0, n) + std::string(kDigestSize, '\0'))), Error) << n;
  }
}

TEST(ModelFileTest, EveryFlippedBitIsRefused) {
  const std::string bytes = SavedBytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    EXPECT_THROW(Load(flipped), Error) << i;
  }
}

// With the right checksum a flipped byte may be another valid model; it must not crash, and what
// loads must save and predict or be refused.
TEST(ModelFileTest, EveryFlippedByteWithAFittingChecksumIsAModelOrRefused) {
  const std::string bytes = SavedBytes();
  const auto data = Mixed();
  std::size_t n_loaded = 0;
  for (std::size_t i = 12; i + kDigestSize < bytes.size(); ++i) {
    for (const int mask : {0x01, 0x80, 0xFF}) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ mask);
      try {
        const auto model = Load(Sealed(flipped));
        ++n_loaded;
        model->Predict(All(data), RunOptions());
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(n_loaded, 0u);  // such as a changed seed or class name
}

TEST(ModelFileTest, AbsurdLengthsAreRefusedWithoutTheMemory) {
  const std::string bytes = SavedBytes();
  for (std::size_t i = 12; i + 8 + kDigestSize <= bytes.size(); ++i) {
    std::string changed = bytes;
    changed.replace(i, 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8);
    try {
      Load(Sealed(changed));
    } catch (const Error&) {
    }
  }
}

TEST(ModelFileTest, APluginThatIsNotInstalledIsNamed) {
  PluginHostOptions none;
  none.use_environment = none.use_user_folder = none.use_installation = false;
  const PluginHost host(none);
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot load model 'm.cfm': learner 'fixture.recorder' is not installed; install "
              "plugin 'fixture' 1.0.0 or a newer one",
              [&] {
                FittedModel::FromBytes(Fit(Learner("recorder"), All(Mixed()))->ToBytes(), "m.cfm",
                                       host);
              });
}

// ---- another version of the plugin -------------------------------------------------------------

struct LaterPlugin {
  LaterPlugin() : host(Options()) {}

  PluginHostOptions Options() {
    PluginHostOptions options;
    options.paths = {CROSSFOLD_LATER_FIXTURE_PLUGIN};
    options.use_environment = options.use_user_folder = options.use_installation = false;
    options.log = [this](std::int32_t level, const std::string& line) {
      if (level >= CF_LOG_WARN) warnings.push_back(line);
    };
    return options;
  }

  std::vector<std::string> warnings;
  PluginHost host;
};

TEST(ModelFileTest, ALaterPluginReadsAnEarlierModelAndTheLogIsTold) {
  LaterPlugin later;
  const auto data = Mixed();
  const auto model = Fit(Learner("recorder"), All(data));
  const auto loaded = FittedModel::FromBytes(model->ToBytes(), "m.cfm", later.host);
  EXPECT_THAT(later.warnings,
              ElementsAre("learner 'fixture.recorder' of the model was saved by plugin 'fixture' "
                          "1.0.0 and is read by 'fixture' 1.1.0"));
  EXPECT_EQ(loaded->Predict(All(data), RunOptions()).labels,
            model->Predict(All(data), RunOptions()).labels);
}

TEST(ModelFileTest, AnotherDefaultOfALaterPluginDoesNotChangeTheModelsValues) {
  LaterPlugin later;
  const auto loaded = FittedModel::FromBytes(Fit(Learner("recorder"), All(Mixed()))->ToBytes(),
                                             "m.cfm", later.host);
  EXPECT_EQ(loaded->learner().ToString(), "fixture.recorder{count=3}");  // the default is now 4
}

TEST(ModelFileTest, AFormatThatThePluginCannotReadIsRefused) {
  LaterPlugin later;
  const auto learner =
      Pipeline::Make({Spec::Make(later.host.Find(Kind::kLearner, "fixture.recorder"), {})});
  const std::string bytes = Fit(learner, All(Mixed()))->ToBytes();
  ExpectError(ErrorKind::kBadPlugin,
              "cannot load model 'm.cfm': learner 'fixture.recorder' was saved in format 2 by "
              "version 1.1.0, plugin 'fixture' 1.0.0 reads up to 1; install a newer plugin",
              [&] { Load(bytes); });
}

}  // namespace
}  // namespace crossfold
