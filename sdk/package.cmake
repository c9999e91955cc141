# Debian packages by CPack, from the components of install.cmake: `cpack -G DEB` in a build tree
# writes crossfold_0.1.0_amd64.deb (program, Lua module, plugins, scripts, pages),
# crossfold-dev_0.1.0_amd64.deb (headers, libraries, CMake files) and python3-crossfold_0.1.0_all.deb. Needs dpkg-dev and file, which tell
# the packages that they depend on.
set(CPACK_PACKAGE_NAME crossfold)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "honest evaluation of machine-learning methods")
set(CPACK_PACKAGE_VENDOR "The Crossfold Authors")
set(CPACK_PACKAGE_CONTACT "The Crossfold Authors <crossfold@localhost>")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL crossfold development python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# Unlike the mode of files, that of folders follows the umask.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_CROSSFOLD_PACKAGE_NAME crossfold)
set(CPACK_DEBIAN_CROSSFOLD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_CROSSFOLD_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CROSSFOLD_PACKAGE_SUGGESTS "lua5.4, gnuplot-nox")
set(CPACK_DEBIAN_CROSSFOLD_DESCRIPTION "Cross-validation, nested searches, comparisons, learning \
curves and reports of learning methods, as short Lua scripts. Learners, transforms, splitters and metrics \
are plugins with a frozen C99 interface.

The same seed gives the same bits for any number of workers; what is undefined is never a number; nothing \
that is finished is lost.")
# libcrossfold.so is in a folder of the system.
set(CPACK_DEBIAN_CROSSFOLD_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/debian/triggers")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME crossfold-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "crossfold (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "cmake, libssl-dev, libsqlite3-dev, \
libzip-dev, zlib1g-dev, libboost-dev, liblua5.4-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers of the plugin boundary (C99 and C++20) and of the \
engine, static and shared libraries, CMake and pkg-config files, templates of plugins.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-crossfold)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "crossfold (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-sklearn")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Cross-validation, comparisons and curves of learning methods on arrays \
and DataFrames, with the engine of Crossfold.")

# Debian asks for both in the folder of each package.
find_program(GZIP_PROGRAM gzip REQUIRED)
execute_process(COMMAND ${GZIP_PROGRAM} -9nc "${CMAKE_CURRENT_LIST_DIR}/debian/changelog"
  OUTPUT_FILE "${PROJECT_BINARY_DIR}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
foreach(component crossfold development python)
  set(package crossfold)
  if(component STREQUAL python)
    set(package python3-crossfold)
  endif()
  if(component STREQUAL development)
    set(package crossfold-dev)
  endif()
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/debian/copyright" "${PROJECT_BINARY_DIR}/changelog.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${component})
endforeach()
include(CPack)
