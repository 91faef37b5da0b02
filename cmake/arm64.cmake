# A build for arm64 by Debian's cross compiler. The folder BENCHTOP_SYSROOT has
# the libraries (tests/package/arm64.sh makes it), and an emulator runs what is
# built.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_SYSROOT ${BENCHTOP_SYSROOT})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BENCHTOP_SYSROOT)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${BENCHTOP_SYSROOT})
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${BENCHTOP_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
  ${BENCHTOP_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
