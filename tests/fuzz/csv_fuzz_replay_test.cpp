// Replays the corpus of csv_fuzz, and mutations of it, in every build. Anything but a
// crossfold::Error leaves the target and fails the test; the sanitizer builds see the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

void Feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

// Sorted by name, so that every machine makes the same mutations.
std::vector<std::string> Corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(CROSSFOLD_CSV_CORPUS)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  std::size_t Below(std::size_t n) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>(z ^ (z >> 31)) % n;
  }

 private:
  std::uint64_t state_ = 0;
};

// One to four edits: characters that matter to CSV put in or over others, parts cut out or doubled.
std::string Mutate(std::string text, Random* random) {
  using std::string_literals::operator""s;
  static const std::string kSpecial = "\"\",,;\n\r\t .-+e0919NA?xy\0\xEF\xFF"s;
  for (std::size_t edits = 1 + random->Below(4); edits > 0; --edits) {
    const std::size_t at = random->Below(text.size() + 1);
    const std::size_t length = random->Below(text.size() - at + 1);
    const char special = kSpecial[random->Below(kSpecial.size())];
    switch (random->Below(4)) {
      case 0:
        text.insert(at, 1, special);
        break;
      case 1:
        text.replace(at, std::min<std::size_t>(1, text.size() - at), 1, special);
        break;
      case 2:
        text.erase(at, std::min<std::size_t>(length, 8));
        break;
      default:
        text.insert(at, text.substr(at, std::min<std::size_t>(length, 32)));
    }
  }
  return text;
}

TEST(CsvFuzzReplayTest, TheCorpusGivesDataOrAnError) {
  const std::vector<std::string> corpus = Corpus();
  ASSERT_GE(corpus.size(), 10U);
  for (const std::string& text : corpus) EXPECT_NO_THROW(Feed(text)) << text;
}

TEST(CsvFuzzReplayTest, MutationsOfTheCorpusGiveDataOrAnError) {
  Random random;
  for (const std::string& original : Corpus()) {
    for (int i = 0; i < 250; ++i) {
      const std::string text = Mutate(original, &random);
      EXPECT_NO_THROW(Feed(text)) << text;
    }
  }
}

TEST(CsvFuzzReplayTest, EveryPrefixOfTheCorpusGivesDataOrAnError) {
  for (const std::string& text : Corpus()) {
    for (std::size_t n = 0; n < text.size(); ++n) EXPECT_NO_THROW(Feed(text.substr(0, n))) << n;
  }
}

}  // namespace
