# Compiler flags: warnings, hardening in a release, the sanitizers of a preset,
# and the fixed flags of timed code.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# The lab reads 64-bit counts while a worker writes them: one load, one store.
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "this compiler makes programs of 32 bits: benchtop needs "
    "a 64-bit processor and compiler")
endif()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Debug information takes a quarter of a build; the preset dev has it.
set(CMAKE_C_FLAGS_RELEASE "-O2")

set(BENCHTOP_SANITIZE "" CACHE STRING
  "sanitizers, as for -fsanitize=: address,undefined or thread")

add_compile_options(-Wall -Wextra -Wformat=2 -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wvla -Wpointer-arith
  -Wwrite-strings -Wconversion -Wno-sign-conversion -Wundef
  -Wimplicit-fallthrough -fno-common)
# Constants are made by enum, also those that a double is multiplied by.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-enum-float-conversion)
endif()
# In the presets. A packager's compiler may have warnings of its own.
option(BENCHTOP_WERROR "warnings are errors" OFF)
if(BENCHTOP_WERROR)
  add_compile_options(-Werror)
endif()

# Two builds give the same bytes, wherever their folders are. Compilers take the
# last that matches, or the longest.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.
  -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)

# Sessions record which build measured; not every linker adds an ID unasked.
add_link_options(-Wl,--build-id=sha1)

if(BENCHTOP_SANITIZE)
  add_compile_options(-fsanitize=${BENCHTOP_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${BENCHTOP_SANITIZE})
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-fstack-protector-strong -fstack-clash-protection
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# An empty array is NULL, and clang counts NULL + 0 as an overflow. Reports of a
# sanitizer need lines, and nothing else of what -g adds.
if(BENCHTOP_SANITIZE AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  add_compile_options(-O1 -g1 -fno-sanitize=pointer-overflow)
  # It links a test in a third of the time.
  find_program(LLD ld.lld)
  if(LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# Clang's fuzzer wants to see which way the code went (tests/fuzz), and what was
# compared. With comparisons, the other tests of the preset coverage would take
# half as much time again.
option(BENCHTOP_FUZZ "build the programs of tests/fuzz; needs clang" OFF)
if(BENCHTOP_FUZZ AND CMAKE_C_COMPILER_ID MATCHES "Clang")
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
  if(BENCHTOP_COVERAGE)
    add_compile_options(-fno-sanitize-coverage=trace-cmp)
  endif()
endif()

# Counts which lines and branches the tests reach (.ci/coverage). The counters
# are in a file that all processes of a program map, so those count as well that
# end by _exit() or are killed.
option(BENCHTOP_COVERAGE "count what is executed; needs clang" OFF)
if(BENCHTOP_COVERAGE)
  add_compile_options(-fcoverage-mapping
    -fprofile-instr-generate=${CMAKE_BINARY_DIR}/profile/%m%c.profraw
    "SHELL:-mllvm -runtime-counter-relocation")
  add_link_options(-fprofile-instr-generate)
endif()

# What is timed is compiled alike in every build: hardening and the choice of
# a build type must not change what is measured. They come last on the line.
set(TIMED_FLAGS -O2 -U_FORTIFY_SOURCE -fno-stack-protector -fno-stack-clash-protection
  -fno-lto -fno-unroll-loops -fno-tree-vectorize
  -fomit-frame-pointer)
# Where a loop lies is a parameter of the measurement (clones.h), not the
# compiler's choice.
include(CheckCCompilerFlag)
foreach(what loops jumps labels)
  check_c_compiler_flag("-Werror -falign-${what}=1" CAN_ALIGN_${what})
  if(CAN_ALIGN_${what})
    list(APPEND TIMED_FLAGS -falign-${what}=1)
  endif()
endforeach()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64")
  list(APPEND TIMED_FLAGS -fcf-protection=none)
endif()
string(REPLACE ";" " " TIMED_FLAGS_TEXT "${TIMED_FLAGS}")
add_compile_definitions(_GNU_SOURCE
  BENCHTOP_BUILD="${CMAKE_BUILD_TYPE}"
  BENCHTOP_SANITIZE="${BENCHTOP_SANITIZE}"
  BENCHTOP_TIMED_FLAGS="${TIMED_FLAGS_TEXT}")
