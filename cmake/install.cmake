# Where an installed benchtop finds its parts: everything below one prefix.
install(DIRECTORY assets/scripts
  DESTINATION ${CMAKE_INSTALL_DATADIR}/benchtop)
install(DIRECTORY assets/slurm assets/kubernetes assets/ssh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/benchtop USE_SOURCE_PERMISSIONS)
install(DIRECTORY sessions
  DESTINATION ${CMAKE_INSTALL_DATADIR}/benchtop
  FILES_MATCHING PATTERN "*.json" PATTERN "__pycache__" EXCLUDE)
install(FILES assets/session.schema.json assets/connections.schema.json
  assets/connection-list.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/benchtop)
install(DIRECTORY assets/completions/bash/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY assets/completions/zsh/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY assets/completions/fish/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${CMAKE_BINARY_DIR}/benchtop.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES assets/systemd/benchtop-serve.service
  DESTINATION lib/systemd/system)
