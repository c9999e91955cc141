// A worker process runs the items that come over a socket.
#pragma once

namespace crossfold {

// Serves the socket until the other side hangs up. A thread of its own ends the process and those
// that plugins started in its group as soon as that happens, whatever a plugin does at the time.
// Throws Error for invalid messages. REQUIRES: called once, by the main thread.
void ServeItems(int socket);

}  // namespace crossfold
