# Plain comments of the C headers as comments that Doxygen reads: one behind code belongs to what stands
# before it, the first of a file to the file, lines of dashes to nothing.
{
  line = $0
  at = index(line, "/*")
  if (at > 0 && line !~ /\/\* ----/) {
    before = substr(line, 1, at - 1)
    mark = before ~ /[^ \t]/ ? "/**<" : "/**"
    if (NR == 1) mark = "/** \\file\n *"
    line = before mark substr(line, at + 2)
  }
  print line
}
