#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/json_value.h"
#include "crossfold/store_export.h"
#include "crossfold/store_verify.h"
#include "engine/data/sha256.h"
#include "store/cells/sqlite.h"
#include "archive/zip_file.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BytesOfFile;
using fixture::KFold;
using fixture::MessageOf;
using fixture::PlainRun;
using testing::HasSubstr;

using Files = std::vector<std::pair<std::string, std::string>>;  // names and bytes

std::string* Find(Files& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &Files::value_type::first);
  return found == files.end() ? nullptr : &found->second;
}

void Replace(std::string& text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  ASSERT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), with);
}

// Writes another content, and the manifest as if that were right.
void Forge(Files& files, const std::string& name, const std::string& bytes) {
  std::string& old = *Find(files, name);
  std::string& manifest = *Find(files, "manifest.json");
  Replace(manifest, ToHex(Sha256Of(old)), ToHex(Sha256Of(bytes)));
  Replace(manifest, "\"bytes\": " + std::to_string(old.size()),
          "\"bytes\": " + std::to_string(bytes.size()));
  old = bytes;
}

class ArchiveCheckTest : public fixture::LedgerTest {
 protected:
  void SetUp() override {
    Run({Asked("knn", BundledLearner("knn"), KFold(3, 1)),
         Asked("floor", BundledLearner("featureless"), KFold(2, 1))});
    ExportRun(path(), path("run.zip"), {});
  }

  Files Unpack(const std::string& archive = "run.zip") const {
    const ZipReader zip(path(archive));
    Files files;
    for (const std::string& name : zip.names()) {
      std::string& bytes = files.emplace_back(name, "").second;
      zip.Read(name, zip.most(), [&](std::string_view portion) { bytes += portion; });
    }
    return files;
  }
  VerifyReport Verify(const std::string& archive) const {
    return VerifyStore(path(archive), ParseVerifySample("100%"), BundledPlugins(), {}, PlainRun());
  }
  VerifyReport Verify(const Files& files) const {
    ZipWriter zip(path("changed.zip"));
    for (const auto& [name, bytes] : files) zip.Add(name, bytes);
    zip.Finish();
    return Verify("changed.zip");
  }
  std::string RefusalOf(const Files& files) const {
    return MessageOf([&] { Verify(files); });
  }
  // What is found of the file; "" = it is equal.
  static std::string FindingOf(const VerifyReport& report, const std::string& name) {
    const auto found = std::ranges::find(report.files, name, &VerifiedFile::name);
    EXPECT_NE(found, report.files.end()) << name;
    return found == report.files.end() ? "" : found->finding;
  }
};

TEST_F(ArchiveCheckTest, AnArchiveThatNobodyChangedIsEqual) {
  const VerifyReport report = Verify("run.zip");
  EXPECT_EQ(report.CountFiles(VerifyResult::kEqual), 6);
  EXPECT_EQ(ToText(report),
            "checked 5 of 5 cells: 5 equal, 0 different, 0 not checkable\n"
            "checked 6 files of the archive: 6 equal, 0 different, 0 not checkable\n");
}

TEST_F(ArchiveCheckTest, EachChangedFileIsRefusedByName) {
  const Files whole = Unpack();
  EXPECT_EQ(whole.size(), 6u);
  for (const auto& [name, bytes] : whole) {
    if (name == "manifest.json") continue;
    Files files = whole;
    Find(files, name)->back() ^= 1;
    EXPECT_EQ(RefusalOf(files), "cannot verify '" + path("changed.zip").string() + "': '" + name +
                                    "' is not the file that its manifest lists; get the archive "
                                    "from its author again");
    *Find(files, name) = bytes + "\n";
    EXPECT_THAT(RefusalOf(files), HasSubstr("'" + name + "' is not the file"));
    *Find(files, name) = "";
    EXPECT_THAT(RefusalOf(files), HasSubstr("'" + name + "' is not the file"));
  }
}

TEST_F(ArchiveCheckTest, EachMissingFileIsNamed) {
  const Files whole = Unpack();
  for (const auto& [name, bytes] : whole) {
    Files files = whole;
    std::erase_if(files, [&](const auto& file) { return file.first == name; });
    EXPECT_THAT(RefusalOf(files), HasSubstr("'" + name + "'"));
  }
}

TEST_F(ArchiveCheckTest, AnAddedFileIsNamed) {
  Files files = Unpack();
  files.emplace_back("read me.txt", "hello");
  EXPECT_THAT(RefusalOf(files), HasSubstr("'read me.txt' was added"));
}

TEST_F(ArchiveCheckTest, EveryChangedBitOfTheArchiveIsFoundOrChangesNothing) {
  const std::string whole = BytesOfFile(path("run.zip"));
  const Files files = Unpack();
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    folder_.Write("changed.zip", bytes);
    const std::string refusal = MessageOf([&] {
      EXPECT_EQ(Unpack("changed.zip"), files) << at;
      EXPECT_EQ(Verify("changed.zip").CountFiles(VerifyResult::kEqual), 6) << at;
    });
    if (refusal.empty()) continue;
    EXPECT_THAT(refusal, HasSubstr("changed.zip")) << at;
  }
}

TEST_F(ArchiveCheckTest, EachMemberOfTheManifestIsComparedWithTheStore) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"\"default_seed\": 42", "\"default_seed\": 43"},
      {"\"arguments\": [\n    \"a\"", "\"arguments\": [\n    \"c\""},
      {"\"id\": \"crossfold.knn\"", "\"id\": \"crossfold.knm\""},
      {"\"rows\": 150", "\"rows\": 151"},
      {"\"crossfold\": \"", "\"crossfold\": \"9"},
      {"\"experiments\": []", "\"experiments\": [1]"},
      {"{\n", "{\n  \"author\": \"me\",\n"}};
  for (const auto& [what, with] : changes) {
    Files files = Unpack();
    Replace(*Find(files, "manifest.json"), what, with);
    const VerifyReport report = Verify(files);
    EXPECT_EQ(report.CountFiles(VerifyResult::kDifferent), 1) << with;
    EXPECT_NE(FindingOf(report, "manifest.json"), "") << with;
  }
}

TEST_F(ArchiveCheckTest, TablesAndScriptThatWereForgedWithTheManifestAreFound) {
  const Files whole = Unpack();
  for (const char* name : {"splits.csv", "predictions.csv", "scores.csv", "script.lua"}) {
    Files files = whole;
    std::string forged = *Find(files, name);
    // The last digit, or the last letter.
    forged[forged.find_last_not_of("\n,\"")] ^= 1;
    Forge(files, name, forged);
    const VerifyReport report = Verify(files);
    EXPECT_EQ(report.CountFiles(VerifyResult::kDifferent), 1) << name;
    const auto lines = std::count(forged.begin(), forged.end(), '\n');
    EXPECT_EQ(FindingOf(report, name),
              "line " + std::to_string(lines) + " is not what the store gives");
    Forge(files, name, forged + "1\n");
    EXPECT_EQ(Verify(files).CountFiles(VerifyResult::kDifferent), 1) << name;
    Forge(files, name, whole.front().second.substr(0, 0));
    EXPECT_EQ(FindingOf(Verify(files), name), "line 1 is not what the store gives");
  }
}

TEST_F(ArchiveCheckTest, AFileThatIsGoneFromTheListTooIsMissing) {
  Files files = Unpack();
  const auto manifest = ParseJson(*Find(files, "manifest.json"));
  JsonObject members = *manifest->As<JsonObject>();
  for (JsonMember& member : members) {
    if (member.name == "files")
      std::get<JsonList>(member.value.value)
          .erase(std::get<JsonList>(member.value.value).begin() + 3);
  }
  *Find(files, "manifest.json") = JsonText(members);
  std::erase_if(files, [](const auto& file) { return file.first == "scores.csv"; });
  EXPECT_EQ(FindingOf(Verify(files), "scores.csv"), "it is missing");
}

TEST_F(ArchiveCheckTest, AStoreWithAnotherRunIsFound) {
  Files files = Unpack();
  folder_.Write("inner.cfdb", *Find(files, "store.cfdb"));
  {
    Database db(path("inner.cfdb"), Database::Access::kWrite);
    db.Execute(
        "INSERT INTO runs SELECT 2, started, crossfold, script, script_text, arguments, "
        "seed, finished, checksum, total FROM runs");
    fixture::Reseal(db);
  }
  Forge(files, "store.cfdb", BytesOfFile(path("inner.cfdb")));
  EXPECT_EQ(FindingOf(Verify(files), "store.cfdb"), "it has 2 runs; an archive has one");
}

TEST_F(ArchiveCheckTest, AnOlderArchiveIsComparedAndTheRestIsTold) {
  Files files = Unpack();
  std::string& manifest = *Find(files, "manifest.json");
  Replace(manifest, "\"format\": 2", "\"format\": 1");
  manifest = manifest.substr(0, manifest.find(",\n  \"files\"")) + "\n}\n";
  VerifyReport report = Verify(files);
  EXPECT_EQ(report.CountFiles(VerifyResult::kEqual), 5);
  EXPECT_THAT(FindingOf(report, "store.cfdb"), HasSubstr("an older Crossfold made the archive"));
  Find(files, "scores.csv")->at(200) ^= 1;
  files.emplace_back("more.txt", "");
  report = Verify(files);
  EXPECT_THAT(FindingOf(report, "scores.csv"), HasSubstr("is not what the store gives"));
  EXPECT_EQ(FindingOf(report, "more.txt"), "crossfold export writes no such file");
}

TEST_F(ArchiveCheckTest, AnArchiveOfALaterFormatIsRefused) {
  Files files = Unpack();
  Replace(*Find(files, "manifest.json"), "\"format\": 2", "\"format\": 99");
  EXPECT_EQ(RefusalOf(files), "cannot verify '" + path("changed.zip").string() +
                                  "': it has format 99, and this Crossfold knows format 2; use a "
                                  "newer Crossfold");
}

TEST_F(ArchiveCheckTest, TheListOfANewArchiveCannotBeLeftOut) {
  Files files = Unpack();
  std::string& manifest = *Find(files, "manifest.json");
  manifest = manifest.substr(0, manifest.find(",\n  \"files\"")) + "\n}\n";
  EXPECT_THAT(RefusalOf(files), HasSubstr("'manifest.json' has no readable list of files"));
  manifest = "[";
  EXPECT_THAT(RefusalOf(files), HasSubstr("'manifest.json' is not JSON"));
  manifest = "[]";
  EXPECT_THAT(RefusalOf(files), HasSubstr("'manifest.json' has no readable list of files"));
}

TEST_F(ArchiveCheckTest, WithoutDataItIsToldWhichTablesCannotBeMadeAgain) {
  ExportRun(path(), path("bare.zip"), {0, true});
  const VerifyReport report = Verify("bare.zip");
  EXPECT_EQ(report.CountFiles(VerifyResult::kEqual), 4);
  for (const char* name : {"splits.csv", "predictions.csv"}) {
    EXPECT_THAT(FindingOf(report, name), HasSubstr("the archive has no data to make it again"));
  }
  Files files = Unpack("bare.zip");
  std::string forged = *Find(files, "scores.csv");
  Replace(forged, "accuracy,0", "accuracy,1");
  Forge(files, "scores.csv", forged);
  EXPECT_THAT(FindingOf(Verify(files), "scores.csv"), HasSubstr("is not what the store gives"));
}

TEST_F(ArchiveCheckTest, TheArchiveOfADamagedStoreIsEqual) {
  {
    Database db(path(), Database::Access::kWrite);
    db.Execute("UPDATE cells SET n_test = n_test + 1 WHERE series = 1 AND fold = 1");
  }
  EXPECT_EQ(ExportRun(path(), path("damaged.zip"), {}).size(), 1u);
  EXPECT_EQ(Verify("damaged.zip").CountFiles(VerifyResult::kEqual), 6);
}

}  // namespace
}  // namespace crossfold
