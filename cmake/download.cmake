# download(URL SHA256 FILE): FILE is the one of the URL, checked by its hash. It
# may be there already, as where there is no network.
function(download URL SHA256 FILE)
  if(NOT EXISTS ${FILE})
    file(DOWNLOAD ${URL} ${FILE}.part STATUS status INACTIVITY_TIMEOUT 60)
    list(GET status 0 failed)
    if(failed)
      list(GET status 1 why)
      string(REPLACE "\"" "" why ${why})
      message(FATAL_ERROR "cannot download ${URL} (${why}): without a "
        "network, copy this file from another machine to ${FILE}")
    endif()
    file(RENAME ${FILE}.part ${FILE})
  endif()
  file(SHA256 ${FILE} found)
  if(NOT found STREQUAL SHA256)
    message(FATAL_ERROR "${FILE} is not the expected file: its SHA256 is "
      "${found}, expected ${SHA256}; remove it")
  endif()
endfunction()
