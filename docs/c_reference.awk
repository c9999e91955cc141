# Plain comments of the C headers as comments that Doxygen reads: a comment after code belongs to that
# code, the first comment of a file to the file; lines of dashes are ignored.
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
