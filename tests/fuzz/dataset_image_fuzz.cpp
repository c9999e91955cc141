// Any bytes as the image of a dataset: data or a crossfold::Error. The image of what was read reads
// as the same data, and its image has the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "encoding/dataset_image.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::Dataset;

// Images begin on a multiple of 8.
struct Aligned {
  explicit Aligned(std::size_t n) : words((n + 7) / 8), size(n) {}
  char* data() { return reinterpret_cast<char*>(words.data()); }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(words.data()), size}; }

  std::vector<std::uint64_t> words;
  std::size_t size;
};

std::shared_ptr<Aligned> ImageOf(const Dataset& data) {
  const crossfold::DatasetImage image(data);
  auto bytes = std::make_shared<Aligned>(image.size());
  image.WriteTo(bytes->data());
  return bytes;
}

std::shared_ptr<const Dataset> Read(const std::shared_ptr<const Aligned>& image) {
  return crossfold::ReadDatasetImage(image->bytes(), image);
}

}  // namespace

int crossfold::fuzz::FeedDatasetImage(const std::uint8_t* bytes, std::size_t size) {
  auto given = std::make_shared<Aligned>(size);
  if (size > 0) std::memcpy(given->data(), bytes, size);
  const auto data = Attempted([&] { return Read(given); }, "cannot read the image of a dataset");
  if (data == nullptr) return 0;
  const auto image = ImageOf(*data);
  const auto again = Read(image);
  crossfold::fuzz::Demand(again->content_hash() == data->content_hash(), "images hold the data");
  crossfold::fuzz::Demand(ImageOf(*again)->bytes() == image->bytes(), "equal data, equal images");
  return 0;
}
