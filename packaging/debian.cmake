# Debian packages by CPack, one for each component of the installation (scripts/package). What dpkg-shlibdeps finds is what the files are linked
# to; libraries that are loaded at first use (base/library.hpp) are named here.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mercer)
set(CPACK_PACKAGE_VENDOR "the Mercer authors")
set(CPACK_PACKAGE_CONTACT "the Mercer authors <authors@mercer.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL program library development molecules python3)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(loaded_late "libopenblas0-openmp, libdnnl2, libzip4, libpng16-16")
function(debian_package component name section depends summary)
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${COMPONENT}_DESCRIPTION "${summary}" PARENT_SCOPE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()
debian_package(program mercer science "${loaded_late}" "Every kernel machine, one engine: the command line
 Train, tune and explain support vector machines, ridge regression, Gaussian processes and other methods with any kernel expression.")
# A program that was linked to the library needs the same minor version, so the package is called by it, as Debian's policy wants: packages of two
# versions can be installed side by side.
set(library libmercer${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
debian_package(library ${library} libs "${loaded_late}" "Every kernel machine, one engine: the library
 Kernel learning in C++, with a C interface.")
debian_package(development libmercer-dev libdevel "${library} (= ${version})" "Every kernel machine, one engine: headers and static library
 For C (pkg-config) and C++ (pkg-config, CMake).")
debian_package(molecules mercer-molecules science "" "Every kernel machine, one engine: molecules
 Lets mercer and ${library} read molecules (SMILES) with RDKit.")
debian_package(python3 python3-mercer python
               "${library} (= ${version}), python3 (>= 3.11), python3 (<< 3.12), python3-numpy, python3-scipy, python3-sklearn (>= 1.2)"
               "Every kernel machine, one engine: the Python package
 Estimators with scikit-learn's contract over any kernel expression.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libfmt-dev, libhwy-dev, pkg-config, cmake")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "mercer-molecules")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "mercer-molecules")
# The loader's cache is brought up to date after the installation.
file(WRITE ${PROJECT_BINARY_DIR}/library/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/library/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS_POLICY "=")
include(CPack)
