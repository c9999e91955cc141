#include "crossfold/composed_fold.h"

#include "store/cells/sqlite.h"
#include "store/cells/stored_prediction.h"
#include "unit/store/store_fixture.h"

namespace crossfold {
namespace {

using fixture::Classes;

class ComposedFoldTest : public fixture::StoreTest {
 protected:
  // Fold 2 of repeat 1 of an ensemble: rows 5 and 2 of six.
  ComposedFold Fold() const {
    Prediction prediction;
    prediction.rows = {5, 2};
    prediction.labels = {1, 0};
    prediction.n_classes = 2;
    return {.learner = "vote",
            .dataset_name = "flowers",
            .data = Classes(6, 2),
            .repeat = 0,
            .fold = 1,
            .n_train = 4,
            .prediction = std::make_shared<const Prediction>(std::move(prediction)),
            .failure = ""};
  }

  std::string TextOf(const char* sql) {
    return Database(path(), Database::Access::kRead).Text(sql);
  }
  std::int64_t NumberOf(const char* sql) {
    return Database(path(), Database::Access::kRead).Number(sql);
  }
};

TEST_F(ComposedFoldTest, IsThereWithItsRowsUnderItsNames) {
  RecordComposed(*Open(), Fold());
  EXPECT_EQ(
      TextOf("SELECT learner || '/' || dataset_name || '/' || repeat || '/' || fold || '/' || "
             "n_train FROM composed WHERE failure IS NULL"),
      "vote/flowers/0/1/4");
  Database db(path(), Database::Access::kRead);
  Statement found(db, "SELECT prediction FROM composed");
  ASSERT_TRUE(found.Step());
  const Prediction kept = UnpackPrediction(found.Bytes(0), {});
  EXPECT_EQ(kept.rows, Fold().prediction->rows);
  EXPECT_EQ(kept.labels, Fold().prediction->labels);
}

TEST_F(ComposedFoldTest, AFailureHasNoPrediction) {
  ComposedFold fold = Fold();
  fold.prediction = nullptr;
  fold.failure = "fit vote: no luck";
  RecordComposed(*Open(), fold);
  EXPECT_EQ(TextOf("SELECT failure FROM composed WHERE prediction IS NULL"), "fit vote: no luck");
}

TEST_F(ComposedFoldTest, TheSameFoldOfARunTakesThePlaceOfTheEarlierOne) {
  {
    const auto store = Open();
    store->BeginRun({.script = "a.lua", .script_text = "", .arguments = {}, .seed = 1});
    RecordComposed(*store, Fold());
    RecordComposed(*store, Fold());
    store->BeginRun({.script = "b.lua", .script_text = "", .arguments = {}, .seed = 1});
    RecordComposed(*store, Fold());
  }
  EXPECT_EQ(NumberOf("SELECT count(*) FROM composed"), 2);
}

TEST_F(ComposedFoldTest, BeyondTheLimitOnlyThePredictionIsLeftOut) {
  StoreOptions options;
  options.prediction_bytes = 0;
  RecordComposed(*Open(options), Fold());
  EXPECT_EQ(NumberOf("SELECT count(*) FROM composed WHERE prediction IS NULL AND failure IS NULL"),
            1);
}

}  // namespace
}  // namespace crossfold
