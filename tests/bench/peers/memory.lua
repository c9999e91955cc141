-- The largest resident memory of this process so far, in kB, as the kernel counts it.
for line in io.lines("/proc/self/status") do
  local kilobytes = line:match("^VmHWM:%s*(%d+) kB")
  if kilobytes then print(kilobytes) end
end
