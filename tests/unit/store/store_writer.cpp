// store_writer STORE [linger]: runs 800 cells with a store and writes a byte to standard output
// after each outcome. With `linger` it then waits to be killed.
#include <unistd.h>

#include <string_view>

#include "unit/store/writer_blocks.h"

int main(int argc, char** argv) {
  using namespace crossfold;
  if (argc < 2) return 2;
  const auto store = CellStore::Open(argv[1]);
  RunStored(*store, fixture::WriterBlocks(), fixture::Workers(2), fixture::PlainEngine(),
            [](std::size_t, Outcome&&) {
              const char byte = '.';
              if (write(STDOUT_FILENO, &byte, 1) != 1) _exit(3);
            });
  if (argc > 2 && std::string_view(argv[2]) == "linger") pause();
  return 0;
}
