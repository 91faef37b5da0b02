# The libraries that benchtop links, as targets of pkg-config.
#
# BENCHTOP_STATIC makes one file that runs where none of them is installed, and
# where the C library is another. Three parts of Debian cannot be linked
# statically, so libcjson is built from its source, libhwloc does without
# libudev, and neither nfs:// nor benchtop-capture is built.
option(BENCHTOP_STATIC "one static program, without libnfs and capture" OFF)
find_package(Threads REQUIRED)
if(BENCHTOP_STATIC)
  set(PKG_CONFIG_ARGN --static)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_link_options(-static-pie -s)
endif()

find_package(PkgConfig REQUIRED)
pkg_check_modules(NCURSES REQUIRED IMPORTED_TARGET ncursesw)
pkg_check_modules(GSL REQUIRED IMPORTED_TARGET gsl)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
if(BENCHTOP_STATIC)
  set(cjson ${CMAKE_BINARY_DIR}/cJSON-1.7.18)
  if(NOT EXISTS ${cjson}/cJSON.c)
    download(
      http://deb.debian.org/debian/pool/main/c/cjson/cjson_1.7.18.orig.tar.gz
      3aa806844a03442c00769b83e99970be70fbef03735ff898f4811dd03b9f5ee5
      ${CMAKE_BINARY_DIR}/cjson_1.7.18.orig.tar.gz)
    file(ARCHIVE_EXTRACT DESTINATION ${CMAKE_BINARY_DIR}
      INPUT ${CMAKE_BINARY_DIR}/cjson_1.7.18.orig.tar.gz)
  endif()
  # The headers are included as <cjson/cJSON.h>.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
  file(CREATE_LINK ${cjson} ${CMAKE_BINARY_DIR}/include/cjson SYMBOLIC)
  add_library(cjson STATIC ${cjson}/cJSON.c)
  target_include_directories(cjson SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/include)
  add_library(PkgConfig::CJSON ALIAS cjson)
  find_library(HWLOC_LIBRARY hwloc REQUIRED)
  add_library(hwloc STATIC cmake/no_udev.c)
  target_link_libraries(hwloc INTERFACE ${HWLOC_LIBRARY}
    $<TARGET_FILE:hwloc> m)
  add_library(PkgConfig::HWLOC ALIAS hwloc)
else()
  pkg_check_modules(CJSON REQUIRED IMPORTED_TARGET libcjson)
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
  pkg_check_modules(PCAP REQUIRED IMPORTED_TARGET libpcap)
  pkg_check_modules(CAPNG REQUIRED IMPORTED_TARGET libcap-ng)
  pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
  # Without libnfs all but nfs:// works, and that says so.
  pkg_check_modules(NFS IMPORTED_TARGET libnfs)
endif()
