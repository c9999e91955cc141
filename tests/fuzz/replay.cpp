// Runs every fuzz target over its corpus, as GoogleTest cases named after the files, over mutations
// of the files and over their prefixes: the target `arff` takes corpus/arff. Whatever a target
// throws fails the case; sanitizers see the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/targets.h"

namespace {

using crossfold::fuzz::Target;

struct Seed {
  std::string name;
  std::string bytes;
};

void Feed(const Target& target, const std::string& bytes) {
  target.feed(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

// Sorted by name, so that every machine makes the same mutations.
std::vector<Seed> ReadCorpus(const std::filesystem::path& folder) {
  std::vector<Seed> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    seeds.push_back({entry.path().filename().string(),
                     {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return seeds;
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

// One to four edits: bytes that matter to the formats put in or over others, parts cut out or
// doubled.
std::string Mutate(std::string text, Random* random) {
  using std::string_literals::operator""s;
  static const std::string kSpecial =
      "\"\"'',,;:{}@%#\\\n\r\t .-+e0919NA?xy\0\0\x01\x02\x07\x08\x7F\x80\xEF\xFF"s;
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

void FeedMutations(const Target& target, const std::vector<Seed>& corpus) {
  constexpr std::size_t kMutations = 1000;
  Random random;
  for (std::size_t i = 0; i < kMutations; ++i) {
    const Seed& seed = corpus[i % corpus.size()];
    const std::string bytes = Mutate(seed.bytes, &random);
    EXPECT_NO_THROW(Feed(target, bytes))
        << "mutation " << i << ", of " << seed.name << ": " << bytes;
  }
}

// Every one of a short file; some five hundred of a long one.
void FeedPrefixes(const Target& target, const std::vector<Seed>& corpus) {
  for (const Seed& seed : corpus) {
    const std::size_t step = 1 + seed.bytes.size() / 500;
    for (std::size_t n = 0; n < seed.bytes.size(); n += step) {
      EXPECT_NO_THROW(Feed(target, seed.bytes.substr(0, n)))
          << "the first " << n << " of " << seed.name;
    }
  }
}

class FeedTest : public ::testing::Test {
 public:
  explicit FeedTest(std::function<void()> body) : body_(std::move(body)) {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

void Register(const std::string& suite, const std::string& name, std::function<void()> body) {
  ::testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [body = std::move(body)]() -> FeedTest* { return new FeedTest(body); });
}

// "openml_splits" -> "OpenmlSplitsFuzzTest".
std::string SuiteName(const std::string& target) {
  std::string name;
  bool starts_word = true;
  for (const char c : target) {
    if (c != '_') {
      name.push_back(starts_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    }
    starts_word = c == '_';
  }
  return name + "FuzzTest";
}

void RegisterCases(const Target& target) {
  const auto corpus = std::make_shared<const std::vector<Seed>>(
      ReadCorpus(std::filesystem::path(CROSSFOLD_FUZZ_CORPUS) / target.name));
  const std::string suite = SuiteName(target.name);
  for (const Seed& seed : *corpus) {
    Register(suite, seed.name, [=, &target] { EXPECT_NO_THROW(Feed(target, seed.bytes)); });
  }
  Register(suite, "TheCorpusHasFiles", [=] { EXPECT_GE(corpus->size(), 3U); });
  Register(suite, "MutationsOfTheCorpusBreakNoLaw",
           [=, &target] { FeedMutations(target, *corpus); });
  Register(suite, "PrefixesOfTheCorpusBreakNoLaw", [=, &target] { FeedPrefixes(target, *corpus); });
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (const Target& target : crossfold::fuzz::kTargets) RegisterCases(target);
  return RUN_ALL_TESTS();
}
