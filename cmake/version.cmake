# BENCHTOP_VERSION: the release, as in an archive of the source, or in a git tree
# at its tag. Any other git tree has +git behind it, and the commit that was
# configured. Without git, or where git refuses to read, the commit is unknown.
set(BENCHTOP_VERSION ${PROJECT_VERSION})

function(ask_git OUT)
  execute_process(COMMAND git ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${OUT} "${answer}" PARENT_SCOPE)
endfunction()

# A folder in the tree of another project is an archive.
if(EXISTS ${CMAKE_SOURCE_DIR}/.git)
  ask_git(tags tag --points-at HEAD)
  string(REPLACE "\n" ";" tags "${tags}")
  if(NOT v${PROJECT_VERSION} IN_LIST tags)
    string(APPEND BENCHTOP_VERSION +git)
    ask_git(commit rev-parse --verify HEAD)
    # git itself abbreviates by how many objects a clone has.
    string(SUBSTRING "${commit}" 0 8 commit)
    if(commit)
      string(APPEND BENCHTOP_VERSION .${commit})
    endif()
  endif()
  # This file changes with every commit and every checkout.
  ask_git(moves rev-parse --git-path logs/HEAD)
  get_filename_component(moves "${moves}" ABSOLUTE
    BASE_DIR ${CMAKE_SOURCE_DIR})
  if(EXISTS ${moves} AND NOT IS_DIRECTORY ${moves})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${moves})
  endif()
endif()
message(STATUS "benchtop ${BENCHTOP_VERSION}")
