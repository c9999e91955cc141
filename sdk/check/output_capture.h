// Captures what is written to stdout and stderr.
#pragma once

#include <string>

namespace crossfold::check {

// Replaces the descriptors 1 and 2 of the process; restores them, and passes on what was written,
// at the latest in the destructor. If the process ends before, what was written is lost. Not
// thread-safe; at most one at a time.
class OutputCapture {
 public:
  // Throws Error(kIo) if the system has no descriptors left.
  OutputCapture();
  ~OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

  struct Written {
    std::string out, err;
  };
  // What has been written so far, with the buffers of C streams.
  Written Read() const;

 private:
  struct Stream {
    int descriptor;  // 1 or 2
    int saved;       // a copy of the original descriptor
    int file;        // the file that replaces it
  };
  static Stream Replace(int descriptor);
  static void GiveBack(const Stream& stream);

  Stream out_, err_;
};

}  // namespace crossfold::check
