rockspec_format = "3.0"
package = "crossfold"
version = "0.1.0-1"
source = { url = "git+file://." }  -- made from a checkout: luarocks make
description = {
  summary = "Honest evaluation of machine-learning methods",
  detailed = "Cross-validation, nested searches, comparisons, curves and reports of learning methods, with "
    .. "plugins for learners, transforms, splitters and metrics.",
  license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.4, < 5.5" }
build = {
  type = "command",
  build_command = "sh sdk/rock.sh build",
  install_command = 'sh sdk/rock.sh install "$(PREFIX)"',
}
