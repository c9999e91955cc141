// Tables that are wrong in one place each. The same defects in real files: tests/bad_plugins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/plugin/descriptor.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

// A plugin with one sound component of each kind; tests break it in one place.
class DescriptorTest : public testing::Test {
 protected:
  DescriptorTest() {
    manifest_.id = "org.example.p";
    manifest_.version = "1.0.0";
    manifest_.ids[Kind::kLearner] = {"x.learner"};
    manifest_.ids[Kind::kTransform] = {"x.transform"};
    manifest_.ids[Kind::kSplitter] = {"x.splitter"};
    manifest_.ids[Kind::kMetric] = {"x.metric"};
    FillParams();
    FillTables();
    plugin_.magic = CF_ABI_MAGIC;
    plugin_.struct_size = sizeof(cf_plugin);
    plugin_.abi_major = CF_ABI_MAJOR;
    plugin_.id = "org.example.p";
    plugin_.version = "1.0.0";
    plugin_.vendor = "Example";
    plugin_.n_learners = plugin_.n_transforms = plugin_.n_splitters = plugin_.n_metrics = 1;
    plugin_.learners = learners_;
    plugin_.transforms = transforms_;
    plugin_.splitters = splitters_;
    plugin_.metrics = metrics_;
  }

  void FillParams() {
    k_.struct_size = sizeof(cf_param);
    k_.name = "k";
    k_.type = k_.def.type = CF_P_INT;
    k_.def.u.i = 5;
    k_.ilo = 1;
    k_.ihi = 10;
    kernel_.struct_size = sizeof(cf_param);
    kernel_.name = "kernel";
    kernel_.type = kernel_.def.type = CF_P_CHOICE;
    kernel_.choices = choices_;
    kernel_.n_choices = 2;
    gamma_.struct_size = sizeof(cf_param);
    gamma_.name = "gamma";
    gamma_.type = gamma_.def.type = CF_P_REAL;
    gamma_.def.u.r = 0.5;
    gamma_.hi = 1;
    gamma_.active_if = "kernel=rbf";
    gamma_.unit = "1/cm";
  }

  static cf_info Info(const char* id) {
    cf_info info{};
    info.id = id;
    info.version = "1.0.0";
    return info;
  }

  void FillTables() {
    learner_.struct_size = sizeof(cf_learner);
    learner_.info = Info("x.learner");
    learner_.info.params = params_;
    learner_.info.n_params = 3;
    learner_.info.threading = CF_MT_PREDICT;
    learner_.fit = [](const cf_call*, const cf_arg*, std::size_t, const cf_table*,
                      cf_model**) -> cf_status { return CF_OK; };
    learner_.predict = [](const cf_call*, const cf_model*, const cf_table*,
                          cf_prediction*) -> cf_status { return CF_OK; };
    learner_.destroy = [](const cf_info*, cf_model*) {};
    transform_.struct_size = sizeof(cf_transform);
    transform_.info = Info("x.transform");
    transform_.fit = learner_.fit;
    transform_.apply = [](const cf_call*, const cf_model*, const cf_table*,
                          const cf_column_sink*) -> cf_status { return CF_OK; };
    transform_.destroy = learner_.destroy;
    splitter_.struct_size = sizeof(cf_splitter);
    splitter_.info = Info("x.splitter");
    splitter_.split = [](const cf_call*, const cf_arg*, std::size_t, const cf_split_input*,
                         const cf_split_sink*) -> cf_status { return CF_OK; };
    metric_.struct_size = sizeof(cf_metric);
    metric_.info = Info("x.metric");
    metric_.score = [](const cf_call*, const cf_arg*, std::size_t, const cf_metric_input*,
                       double*) -> cf_status { return CF_OK; };
  }

  // Of the plugin or of its first component that is refused.
  std::string Problem() const {
    const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
    if (reading.refused.empty()) return reading.problem;
    const RefusedComponent& first = reading.refused.front();
    return std::string(KindName(first.kind)) + " '" + first.id + "': " + first.reason;
  }

  // Of the learner.
  std::string LearnerProblem() const {
    const std::string problem = Problem(), subject = "learner 'x.learner': ";
    EXPECT_TRUE(problem.starts_with(subject)) << problem;
    return problem.substr(std::min(problem.size(), subject.size()));
  }

  const char* choices_[2] = {"linear", "rbf"};
  cf_param k_{}, kernel_{}, gamma_{};
  const cf_param* params_[3] = {&k_, &kernel_, &gamma_};
  cf_learner learner_{};
  cf_transform transform_{};
  cf_splitter splitter_{};
  cf_metric metric_{};
  const cf_learner* learners_[1] = {&learner_};
  const cf_transform* transforms_[1] = {&transform_};
  const cf_splitter* splitters_[1] = {&splitter_};
  const cf_metric* metrics_[1] = {&metric_};
  cf_plugin plugin_{};
  Manifest manifest_;
};

TEST_F(DescriptorTest, ASoundOneIsCopied) {
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.vendor, "Example");
  ASSERT_EQ(reading.components.size(), 4u);
  const Component& learner = reading.components[0];
  EXPECT_EQ(learner.kind, Kind::kLearner);
  EXPECT_EQ(learner.id, "x.learner");
  EXPECT_EQ(learner.learner, &learner_);
  EXPECT_EQ(learner.threading, CF_MT_PREDICT);
  ASSERT_EQ(learner.params.size(), 3u);
  EXPECT_EQ(learner.params[0].default_value, Value(std::int64_t{5}));
  EXPECT_EQ(learner.params[1].default_value, Value(std::string("linear")));
  EXPECT_EQ(learner.params[2].active_if, "kernel=rbf");
  EXPECT_EQ(learner.params[2].unit, "1/cm");
  EXPECT_EQ(reading.components[1].transform, &transform_);
  EXPECT_EQ(reading.components[2].splitter, &splitter_);
  EXPECT_EQ(reading.components[3].metric, &metric_);
}

TEST_F(DescriptorTest, ADefectRefusesItsComponentAlone) {
  metric_.score = nullptr;
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.components.size(), 3u);
  ASSERT_EQ(reading.refused.size(), 1u);
  EXPECT_EQ(reading.refused[0].kind, Kind::kMetric);
  EXPECT_EQ(reading.refused[0].id, "x.metric");
}

TEST_F(DescriptorTest, APluginOfWhichNoComponentIsLeftIsRefused) {
  plugin_.n_transforms = plugin_.n_splitters = plugin_.n_metrics = 0;
  manifest_.ids = {};
  manifest_.ids[Kind::kLearner] = {"x.learner"};
  learner_.fit = nullptr;
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  EXPECT_TRUE(reading.components.empty());
  EXPECT_EQ(reading.problem, "learner 'x.learner': its function 'fit' is null");
}

TEST_F(DescriptorTest, UnknownBitsOfRequestsNeedANewerHost) {
  metric_.needs = 64;
  EXPECT_EQ(Problem(),
            "metric 'x.metric': needs a newer Crossfold: its 'needs' has the unknown bits "
            "0x00000040");
  metric_.needs = 0;
  splitter_.uses = 0x8000;
  EXPECT_EQ(Problem(),
            "splitter 'x.splitter': needs a newer Crossfold: its 'uses' has the unknown bits "
            "0x00008000");
  splitter_.uses = 0;
  transform_.info.process_flags = 16;
  EXPECT_EQ(Problem(),
            "transform 'x.transform': needs a newer Crossfold: its 'process_flags' has the unknown "
            "bits 0x00000010");
  transform_.info.process_flags = 0;
  k_.flags = 256;
  EXPECT_EQ(LearnerProblem(),
            "needs a newer Crossfold: parameter 'k': its 'flags' has the unknown bits 0x00000100");
}

TEST_F(DescriptorTest, BitsThatMayBeIgnoredAndBitsThatGrantAreNoObstacle) {
  metric_.needs = 0x10000;
  k_.flags = 0x80000000;
  learner_.tasks |= 1024;
  learner_.accepts |= 1024;
  learner_.info.determinism |= 1024;
  EXPECT_EQ(Problem(), "");
}

TEST_F(DescriptorTest, ReservedFieldsAreZero) {
  learner_.reserved = 1;
  EXPECT_EQ(LearnerProblem(), "needs a newer Crossfold: its 'reserved' is not 0");
  learner_.reserved = 0;
  transform_.info.reserved = -1;
  EXPECT_EQ(Problem(), "transform 'x.transform': needs a newer Crossfold: its 'reserved' is not 0");
  transform_.info.reserved = 0;
  gamma_.reserved = 1;
  EXPECT_EQ(LearnerProblem(),
            "needs a newer Crossfold: parameter 'gamma': its 'reserved' is not 0");
}

TEST_F(DescriptorTest, ADescriptorMayOfferFewerComponentsThanItsManifest) {
  plugin_.n_metrics = 0;
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.components.size(), 3u);
  EXPECT_EQ(Problem(), "metric 'x.metric': its plugin does not offer it to this host");
}

TEST_F(DescriptorTest, ADefaultOfAWildLengthIsRefused) {
  k_.type = k_.def.type = CF_P_STRING;
  k_.def.u.s.p = "short";
  k_.def.u.s.n = static_cast<std::size_t>(-1);
  EXPECT_EQ(LearnerProblem(), "parameter 'k': its default is not a string");
}

TEST_F(DescriptorTest, ListsOfStringsAreRead) {
  static const char* const words[] = {"", "NA"};
  k_.type = k_.def.type = CF_P_STRING_LIST;
  k_.def.u.sl.p = words;
  k_.def.u.sl.n = 2;
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  ASSERT_EQ(reading.components.size(), 4u);
  EXPECT_EQ(reading.components[0].params[0].default_value,
            Value(std::vector<std::string>{"", "NA"}));
}

TEST_F(DescriptorTest, StructsOfLaterVersionsAreRead) {
  plugin_.struct_size += 8;
  learner_.struct_size += 64;
  plugin_.abi_minor = 9;
  EXPECT_EQ(Problem(), "");
}

TEST_F(DescriptorTest, TheHeadIsChecked) {
  plugin_.magic = 0x0000BEEF;
  EXPECT_EQ(Problem(), "its descriptor starts with 0x0000BEEF, not with 0x444C4658");
  plugin_.magic = CF_ABI_MAGIC;
  plugin_.abi_major = 2;
  EXPECT_EQ(Problem(), "built for plugin ABI 2; this host supports ABI 1");
  plugin_.abi_major = 1;
  plugin_.struct_size = 40;
  EXPECT_EQ(Problem(), "truncated descriptor: 40 bytes, plugin ABI 1.0 has 144");
}

TEST_F(DescriptorTest, ItMustAgreeWithTheManifest) {
  plugin_.id = "org.example.q";
  EXPECT_EQ(Problem(), "its manifest has the id 'org.example.p', its descriptor 'org.example.q'");
  plugin_.id = "org.example.p";
  plugin_.version = nullptr;
  EXPECT_EQ(Problem(), "its manifest has the version '1.0.0', its descriptor ''");
  plugin_.version = "1.0.0";
  splitter_.info.id = "x.other";
  EXPECT_EQ(Problem(), "its descriptor has the splitter 'x.other', which its manifest lacks");
}

TEST_F(DescriptorTest, NullTablesAreNamed) {
  plugin_.splitters = nullptr;
  EXPECT_EQ(Problem(), "its list of splitters is null");
  plugin_.splitters = splitters_;
  learners_[0] = nullptr;
  EXPECT_EQ(Problem(), "learner 1: it is null");
}

TEST_F(DescriptorTest, TruncatedTablesAreNamed) {
  transform_.struct_size = 88;
  EXPECT_EQ(Problem(), "transform 1: truncated descriptor: 88 bytes, plugin ABI 1.0 has 128");
  transform_.struct_size = sizeof(cf_transform);
  splitter_.struct_size = 8;
  EXPECT_EQ(Problem(), "splitter 1: truncated descriptor: 8 bytes, plugin ABI 1.0 has 104");
}

TEST_F(DescriptorTest, MissingFunctionsAreNamed) {
  learner_.predict = nullptr;
  EXPECT_EQ(LearnerProblem(), "its function 'predict' is null");
  learner_.predict = [](const cf_call*, const cf_model*, const cf_table*,
                        cf_prediction*) -> cf_status { return CF_OK; };
  transform_.destroy = nullptr;
  EXPECT_EQ(Problem(), "transform 'x.transform': its function 'destroy' is null");
  transform_.destroy = learner_.destroy;
  metric_.score = nullptr;
  EXPECT_EQ(Problem(), "metric 'x.metric': its function 'score' is null");
}

TEST_F(DescriptorTest, AnUnknownThreadingIsNamed) {
  learner_.info.threading = 3;
  EXPECT_EQ(LearnerProblem(), "needs a newer Crossfold: its threading 3 is unknown");
}

TEST_F(DescriptorTest, AComponentNeedsAVersion) {
  metric_.info.version = "";
  EXPECT_EQ(Problem(), "metric 'x.metric': it has no version");
}

TEST_F(DescriptorTest, BadParameterNamesAreNamed) {
  k_.name = "K";
  EXPECT_EQ(LearnerProblem(), "parameter 'K': names are made of a-z, 0-9 and '_'");
  k_.name = nullptr;
  EXPECT_EQ(LearnerProblem(), "parameter '': names are made of a-z, 0-9 and '_'");
  k_.name = "kernel";
  EXPECT_EQ(LearnerProblem(), "parameter 'kernel': it is declared twice");
}

TEST_F(DescriptorTest, DefaultsMustObeyTheirOwnDeclaration) {
  k_.def.u.i = 0;
  EXPECT_EQ(LearnerProblem(),
            "parameter 'k': its default is refused: k = 0 is out of range; it must be an integer "
            "in [1, 10]");
  k_.def.is_null = 1;
  EXPECT_EQ(LearnerProblem(),
            "parameter 'k': its default is refused: k = none is not allowed; it must be an integer "
            "in [1, 10]");
  k_.def.is_null = 0;
  k_.def.type = CF_P_REAL;
  EXPECT_EQ(LearnerProblem(), "parameter 'k': its default is of another type");
}

TEST_F(DescriptorTest, DefaultChoicesMustExist) {
  kernel_.def.u.i = 2;
  EXPECT_EQ(LearnerProblem(), "parameter 'kernel': its default is choice 2 of 2, counted from 0");
  kernel_.n_choices = 0;
  EXPECT_EQ(LearnerProblem(), "parameter 'kernel': it has no choices");
}

TEST_F(DescriptorTest, ChoicesMustBeDistinct) {
  choices_[1] = "linear";
  EXPECT_EQ(LearnerProblem(), "parameter 'kernel': it has the choice 'linear' twice");
}

TEST_F(DescriptorTest, AChoiceCannotBeCalledLikeTheMissingValue) {
  choices_[0] = "none";
  kernel_.flags = CF_PF_NULLABLE;
  EXPECT_EQ(LearnerProblem(), "parameter 'kernel': 'none' is both a choice and the missing value");
}

TEST_F(DescriptorTest, RangesMustHoldSomething) {
  k_.ihi = 0;
  EXPECT_EQ(LearnerProblem(), "parameter 'k': its range is empty");
  k_.ihi = 10;
  gamma_.lo = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(LearnerProblem(), "parameter 'gamma': its range is empty");
}

TEST_F(DescriptorTest, UnknownTypesAndShortStructsAreNamed) {
  k_.type = 9;
  EXPECT_EQ(LearnerProblem(), "needs a newer Crossfold: parameter 'k': its type 9 is unknown");
  k_.struct_size = 100;
  EXPECT_EQ(LearnerProblem(),
            "parameter 1 has a truncated descriptor: 100 bytes, plugin ABI 1.0 has 120");
  params_[0] = nullptr;
  EXPECT_EQ(LearnerProblem(), "parameter 1 is null");
}

TEST_F(DescriptorTest, ConditionsMustNameAnotherParameterAndItsChoice) {
  gamma_.active_if = "kernel";
  EXPECT_EQ(LearnerProblem(), "parameter 'gamma': its condition 'kernel' is not NAME=VALUE");
  gamma_.active_if = "gamma=1";
  EXPECT_EQ(LearnerProblem(),
            "parameter 'gamma': its condition 'gamma=1' does not name another parameter");
  gamma_.active_if = "kernel=rbf,poly";
  EXPECT_EQ(LearnerProblem(),
            "parameter 'gamma': its condition 'kernel=rbf,poly' does not name a choice of kernel");
}

template <class Table>
const void* CF_CALL OfferOnly(const char* wanted, const char* id, const Table& table) {
  return std::string_view(wanted) == id ? &table : nullptr;
}
cf_status CF_CALL ProbaCall(const cf_call*, const cf_model*, const cf_table*, cf_prediction*) {
  return CF_OK;
}

TEST_F(DescriptorTest, SoundCapabilitiesAreFoundWithoutAskingThePluginAgain) {
  learner_.get_capability = [](const cf_info*, const char* id) {
    static const cf_cap_proba table{sizeof(cf_cap_proba), 0, &ProbaCall};
    return OfferOnly(id, CF_CAP_PROBA, table);
  };
  const DescriptorReading reading = ReadDescriptor(plugin_, manifest_);
  ASSERT_EQ(reading.problem, "");
  learner_.get_capability = nullptr;
  const Component& learner = reading.components.at(0);
  ASSERT_NE(learner.capability<cf_cap_proba>(CF_CAP_PROBA), nullptr);
  EXPECT_EQ(learner.capability<cf_cap_proba>(CF_CAP_PROBA)->predict_proba, &ProbaCall);
  EXPECT_EQ(learner.capability<cf_cap_check>(CF_CAP_CHECK), nullptr);
}

TEST_F(DescriptorTest, ATruncatedTableOfACapabilityIsRefused) {
  learner_.get_capability = [](const cf_info*, const char* id) {
    static const cf_cap_proba table{8, 0, &ProbaCall};
    return OfferOnly(id, CF_CAP_PROBA, table);
  };
  EXPECT_EQ(LearnerProblem(),
            "capability crossfold.proba/1: truncated table: 8 bytes, plugin ABI 1.0 has 16");
}

TEST_F(DescriptorTest, ACapabilityWithoutItsFunctionIsRefused) {
  learner_.get_capability = [](const cf_info*, const char* id) {
    static const cf_cap_proba table{sizeof(cf_cap_proba), 0, nullptr};
    return OfferOnly(id, CF_CAP_PROBA, table);
  };
  EXPECT_EQ(LearnerProblem(), "capability crossfold.proba/1: its 'predict_proba' is null");
  learner_.get_capability = [](const cf_info*,
                               const char* id) {  // remove_rows may be null, add_rows may not
    static const cf_cap_incremental table{
        sizeof(cf_cap_incremental),
        1,
        0,
        [](const cf_call*, const cf_model*, cf_model**) -> cf_status { return CF_OK; },
        nullptr,
        nullptr};
    return OfferOnly(id, CF_CAP_INCREMENTAL, table);
  };
  EXPECT_EQ(LearnerProblem(), "capability crossfold.incremental/1: its 'add_rows' is null");
}

TEST_F(DescriptorTest, SynthesizeNeedsResample) {
  transform_.get_capability = [](const cf_info*, const char* id) {
    static const cf_cap_synthesize table{
        sizeof(cf_cap_synthesize), 0,
        [](const cf_call*, const cf_arg*, std::size_t, const cf_table*, const std::int64_t*,
           std::int64_t, const cf_column_sink*) -> cf_status { return CF_OK; }};
    return OfferOnly(id, CF_CAP_SYNTHESIZE, table);
  };
  EXPECT_EQ(Problem(),
            "transform 'x.transform': capability crossfold.synthesize/1: there is no "
            "crossfold.resample/1, which it needs");
}

TEST_F(DescriptorTest, AnExceptionOutOfGetCapabilityIsARefusal) {
  metric_.get_capability = [](const cf_info*, const char*) -> const void* {
    throw std::runtime_error("no list");
  };
  EXPECT_EQ(Problem(), "metric 'x.metric': a C++ exception crossed the plugin boundary: no list");
}

TEST(ForeignTextTest, WellFormedTextStaysAsItIs) {
  EXPECT_EQ(CleanText("k = 3 für §2.2 \xF0\x9F\x99\x82"), "k = 3 für §2.2 \xF0\x9F\x99\x82");
}

TEST(ForeignTextTest, ANullPointerIsAnEmptyText) { EXPECT_EQ(CleanText(nullptr), ""); }

TEST(ForeignTextTest, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(CleanText("one\ntwo\r\x1B[31mred\x7F"), "one two  [31mred ");
}

// The ill-formed sequences of the Unicode standard, section 3.9: a lone continuation byte, an
// overlong form, a surrogate, a code point above U+10FFFF, a cut sequence.
TEST(ForeignTextTest, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(CleanText("a\x80z"), "a?z");
  EXPECT_EQ(CleanText("a\xC0\xAFz"), "a??z");
  EXPECT_EQ(CleanText("a\xED\xA0\x80z"), "a???z");
  EXPECT_EQ(CleanText("a\xF4\x90\x80\x80z"), "a????z");
  EXPECT_EQ(CleanText("a\xE2\x82"), "a??");
}

TEST(ForeignTextTest, ALongLineIsCut) {
  EXPECT_EQ(CleanText(std::string(5000, 'x').c_str()), std::string(4096, 'x') + " ...");
}

TEST(ForeignTextTest, ADocumentKeepsItsLines) {
  EXPECT_EQ(CleanDocument("one\ntwo\t\xFF"), "one\ntwo ?");
}

}  // namespace
}  // namespace crossfold
