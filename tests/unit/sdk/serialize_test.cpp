#include "crossfold_plugin/capability/serialize.hpp"

#include <vector>

#include "crossfold_plugin/learner.hpp"
#include "crossfold_plugin/random.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/byte_stream.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/mean_learner.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

struct SavedMean : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.saved_mean"},
                                     .tasks = CF_TASK_REGRESSION};
  static constexpr std::uint32_t kFormatVersion = 2;

  static SavedMean Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<SavedMean>(p, t);
  }
  void Save(Writer& w) const {
    w.Write(sum);
    w.Write(n);
    w.Write(offset);
  }
  // Version 1 had no offset.
  static SavedMean Load(Reader& r) {
    SavedMean m;
    m.sum = r.Read<double>();
    m.n = r.Read<double>();
    if (r.version() >= 2) m.offset = r.Read<double>();
    return m;
  }
};

// What an earlier build of the same component wrote.
struct SavedMeanV1 {
  static constexpr LearnerInfo kInfo = SavedMean::kInfo;
  static constexpr std::uint32_t kFormatVersion = 1;
  double sum = 0, n = 0;
  void Save(Writer& w) const {
    w.Write(sum);
    w.Write(n);
  }
};
struct SavedMeanV3 : SavedMeanV1 {
  static constexpr std::uint32_t kFormatVersion = 3;
};
struct Stranger : SavedMeanV1 {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.saved_moan"}};
};

const cf_learner* SavedMeanTable() { return internal::LearnerAdapter<SavedMean>::Table(); }
const cf_cap_serialize* Serialize() {
  return CapabilityOf<cf_cap_serialize>(SavedMeanTable(), CF_CAP_SERIALIZE);
}

template <class T>
std::vector<unsigned char> SavedBytes(const T& model) {
  ByteSink sink;
  const cf_writer c = sink.writer();
  Writer w(c);
  internal::SaveModel(model, w);
  return sink.bytes;
}

struct SerializeTest : testing::Test {
  SerializeTest() : table({{0}, {0}}, 1) { table.WithValues({0.1, 0.2}); }
  std::vector<unsigned char> Save(const cf_model* model) {
    ByteSink sink;
    const cf_writer c = sink.writer();
    EXPECT_EQ(Serialize()->save(call.get(), model, &c), CF_OK);
    return sink.bytes;
  }
  ModelPtr Load(std::vector<unsigned char> bytes) {
    ByteSource source(std::move(bytes));
    const cf_reader c = source.reader();
    cf_model* out = nullptr;
    status = Serialize()->load(call.get(), &c, &out);
    return Own(SavedMeanTable(), out);
  }
  std::vector<double> Predict(const ModelPtr& model) {
    const std::vector<std::int64_t> one = {0};
    return PredictValues(SavedMeanTable(), call, model.get(), table.View(one));
  }
  SmallTable table;
  FakeCall call;
  cf_status status = CF_OK;
};

TEST_F(SerializeTest, TheTableNamesTheFormatVersion) { EXPECT_EQ(Serialize()->format_version, 2u); }

TEST_F(SerializeTest, ALoadedModelPredictsAndSavesTheSameBytes) {
  auto args = DefaultArgs(SavedMeanTable());
  args[0].value.u.r = 0.7;
  const ModelPtr model = Fit(SavedMeanTable(), call, table.table(), args);
  const auto bytes = Save(model.get());
  const ModelPtr loaded = Load(bytes);
  ASSERT_NE(loaded, nullptr) << call.message;
  EXPECT_EQ(Predict(loaded), Predict(model));
  EXPECT_EQ(Save(loaded.get()), bytes);
}

// magic, length and text of the id, version, three doubles, checksum.
TEST_F(SerializeTest, TheBytesAreTheFrameAndWhatSaveWrites) {
  const ModelPtr model = Fit(SavedMeanTable(), call, table.table());
  const auto bytes = Save(model.get());
  EXPECT_EQ(bytes.size(), 8u + 8 + 15 + 4 + 24 + 8);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 8), "CFXMODL1");
  EXPECT_EQ(std::string(bytes.begin() + 16, bytes.begin() + 31), "test.saved_mean");
}

TEST_F(SerializeTest, AnEarlierFormatVersionIsRead) {
  SavedMeanV1 old;
  old.sum = 9;
  old.n = 2;
  const ModelPtr loaded = Load(SavedBytes(old));
  ASSERT_NE(loaded, nullptr) << call.message;
  EXPECT_THAT(Predict(loaded), ElementsAre(4.5));
}

TEST_F(SerializeTest, ALaterFormatVersionIsRefused) {
  EXPECT_EQ(Load(SavedBytes(SavedMeanV3{})), nullptr);
  EXPECT_EQ(status, CF_E_BAD_BLOB);
  EXPECT_EQ(call.message, "the saved model has format 3, this plugin reads up to 2");
}

TEST_F(SerializeTest, AModelOfAnotherComponentIsRefused) {
  EXPECT_EQ(Load(SavedBytes(Stranger{})), nullptr);
  EXPECT_EQ(status, CF_E_BAD_BLOB);
  EXPECT_EQ(call.message, "the saved model is not one of 'test.saved_mean'");
}

TEST_F(SerializeTest, EveryDamagedByteIsFound) {
  const auto bytes = Save(Fit(SavedMeanTable(), call, table.table()).get());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] ^= 0x10;
    EXPECT_EQ(Load(damaged), nullptr) << "byte " << i;
    EXPECT_EQ(status, CF_E_BAD_BLOB) << "byte " << i;
  }
}

TEST_F(SerializeTest, EveryTruncationIsFound) {
  const auto bytes = Save(Fit(SavedMeanTable(), call, table.table()).get());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_EQ(Load({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}), nullptr);
    EXPECT_EQ(status, CF_E_BAD_BLOB) << n << " bytes";
  }
}

TEST_F(SerializeTest, RandomBytesAreRefused) {
  Random random(2024);
  for (int round = 0; round < 200; ++round) {
    std::vector<unsigned char> bytes(random.Below(100));
    for (auto& b : bytes) b = static_cast<unsigned char>(random.Below(256));
    EXPECT_EQ(Load(bytes), nullptr);
    EXPECT_EQ(status, CF_E_BAD_BLOB);
  }
  EXPECT_EQ(call.message, "these bytes are not a saved model");
}

TEST_F(SerializeTest, AHostThatTakesNoBytesGetsAFailedSave) {
  const ModelPtr model = Fit(SavedMeanTable(), call, table.table());
  ByteSink sink;
  sink.refuse_with = -1;
  const cf_writer c = sink.writer();
  EXPECT_EQ(Serialize()->save(call.get(), model.get(), &c), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "the host did not take the bytes of the model");
}

}  // namespace
}  // namespace crossfold::plugin
