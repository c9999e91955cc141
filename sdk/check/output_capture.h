// What is written to stdout and stderr while it lives.
#pragma once

#include <string>

namespace crossfold::check {

// Takes the descriptors 1 and 2 of the process; gives them back, and passes on what was written, at
// the latest when it is destroyed. If the process dies before, what was written is lost. Not
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
  // What has been written so far, the buffers of C streams included.
  Written Read() const;

 private:
  struct Stream {
    int descriptor;  // 1 or 2
    int saved;       // a copy of what it was
    int file;        // what it is meanwhile
  };
  static Stream Replace(int descriptor);
  static void GiveBack(const Stream& stream);

  Stream out_, err_;
};

}  // namespace crossfold::check
