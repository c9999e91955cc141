# What is built and how it is installed; pages and completions have their rules with them. Component
# `development` has what projects compile and link with, `python` the package for Python, `crossfold` (the
# default) all else: they become the packages of package.cmake. Four export sets, so that nobody needs libraries that only others
# link: CrossfoldSdk (SDK and program), CrossfoldC (libcrossfold.so), CrossfoldEngine (the engine) and
# Crossfold (the rest of the core, and Lua).
include(CMakePackageConfigHelpers)
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Crossfold")

install(TARGETS crossfold_sdk crossfold_conformance EXPORT CrossfoldSdkTargets
  FILE_SET HEADERS COMPONENT development)
if(TARGET crossfold_program)
  set_target_properties(crossfold_program PROPERTIES EXPORT_NAME crossfold)
  install(TARGETS crossfold_program EXPORT CrossfoldSdkTargets RUNTIME)
  install(FILES "${PROJECT_BINARY_DIR}/share/man/man1/crossfold.1"
    DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  set(completions "${PROJECT_SOURCE_DIR}/core/programs/cli/completions")
  install(FILES "${completions}/crossfold.bash" RENAME crossfold
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${completions}/_crossfold"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${completions}/crossfold.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

if(TARGET crossfold_mpi)
  install(TARGETS crossfold_mpi RUNTIME)
endif()

foreach(program crossfold_worker crossfold_checker crossfold_plugin_program crossfold_store_program)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CROSSFOLD_WORKER_DIR}")
  endif()
endforeach()

get_directory_property(engine DIRECTORY "${PROJECT_SOURCE_DIR}/core" DEFINITION CROSSFOLD_ENGINE)
list(TRANSFORM engine PREPEND crossfold_)
install(TARGETS ${engine} crossfold_engine EXPORT CrossfoldEngineTargets ARCHIVE COMPONENT development)
install(TARGETS crossfold_headers EXPORT CrossfoldEngineTargets FILE_SET HEADERS COMPONENT development)
get_property(layers GLOBAL PROPERTY CROSSFOLD_LAYER_TARGETS)
list(REMOVE_ITEM layers ${engine} crossfold_lua crossfold_c_api)
install(TARGETS ${layers} crossfold_core EXPORT CrossfoldTargets ARCHIVE COMPONENT development)
if(TARGET crossfold_lua)
  set_target_properties(crossfold_lua PROPERTIES EXPORT_NAME lua)
  install(TARGETS crossfold_lua EXPORT CrossfoldTargets ARCHIVE COMPONENT development)
endif()
if(TARGET crossfold_c)
  install(TARGETS crossfold_c EXPORT CrossfoldCTargets LIBRARY NAMELINK_COMPONENT development)
  install(EXPORT CrossfoldCTargets NAMESPACE Crossfold:: DESTINATION "${config_dir}"
    COMPONENT development)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/cmake/crossfold.pc.in"
    "${PROJECT_BINARY_DIR}/crossfold.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/crossfold.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endif()
if(TARGET crossfold_module)
  install(TARGETS crossfold_module LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/lua/5.4")
endif()

# The list is a variable of plugins/CMakeLists.txt.
get_directory_property(plugins DIRECTORY "${PROJECT_SOURCE_DIR}/plugins"
  DEFINITION CROSSFOLD_BUNDLED_PLUGINS)
if(plugins)
  install(TARGETS ${plugins} LIBRARY DESTINATION "${CROSSFOLD_PLUGIN_DIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/scripts/"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold/scripts")
# To read; those that `crossfold plugin new` uses are part of the program.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sdk/templates/"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold/templates" COMPONENT development
  PATTERN templates.cmake EXCLUDE)
# Modules that learners in other languages copy.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sdk/languages/"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold/languages" COMPONENT development
  PATTERN __pycache__ EXCLUDE)

install(EXPORT CrossfoldSdkTargets NAMESPACE Crossfold:: DESTINATION "${config_dir}"
  COMPONENT development)
install(EXPORT CrossfoldEngineTargets NAMESPACE Crossfold:: DESTINATION "${config_dir}"
  COMPONENT development)
install(EXPORT CrossfoldTargets NAMESPACE Crossfold:: DESTINATION "${config_dir}"
  COMPONENT development)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/cmake/CrossfoldConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/CrossfoldConfig.cmake"
  INSTALL_DESTINATION "${config_dir}" PATH_VARS CROSSFOLD_PLUGIN_DIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/CrossfoldConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/CrossfoldConfig.cmake"
  "${PROJECT_BINARY_DIR}/CrossfoldConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/cmake/CrossfoldPlugin.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/cmake/crossfold_plugin.map"
  DESTINATION "${config_dir}" COMPONENT development)
# The package for Python, where Debian's python3 finds it.
file(GLOB python_modules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/sdk/python/crossfold/*.py")
install(FILES ${python_modules} DESTINATION "lib/python3/dist-packages/crossfold" COMPONENT python)
install(FILES "${PROJECT_SOURCE_DIR}/sdk/python/examples/flowers.py"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold/python" COMPONENT python)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# The pages that help() and the README point to, as they are written; docs/guide.cmake has them as HTML.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  FILES_MATCHING PATTERN "*.md" PATTERN guide EXCLUDE PATTERN man EXCLUDE PATTERN reference EXCLUDE)
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/rock.cmake")
