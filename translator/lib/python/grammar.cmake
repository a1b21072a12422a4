# tree-sitter and its grammar of Python (both MIT), for Python's syntax trees.
musashim_source_package(tree-sitter 0.23.2 tree-sitter-0.23.2
  66bae8dd47f1fed7bdef816115146d3a41c39b5c482d7bad36d9ba1def088450 tree_sitter)
musashim_source_package(tree-sitter-python 0.23.6 tree_sitter_python-0.23.6
  354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9 tree_sitter_python)
set(tree_sitter_core ${tree_sitter}/tree_sitter/core/lib)
# Where grammars look for the headers of the library.
foreach(header alloc.h array.h parser.h)
  configure_file(${tree_sitter_core}/src/${header} ${CMAKE_CURRENT_BINARY_DIR}/tree_sitter_headers/tree_sitter/${header} COPYONLY)
endforeach()
add_library(musaport_python STATIC ${tree_sitter_core}/src/lib.c ${tree_sitter_python}/src/parser.c ${tree_sitter_python}/src/scanner.c)
target_include_directories(musaport_python SYSTEM PUBLIC ${tree_sitter_core}/include
  PRIVATE ${tree_sitter_core}/src ${CMAKE_CURRENT_BINARY_DIR}/tree_sitter_headers)
target_compile_definitions(musaport_python PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
target_compile_options(musaport_python PRIVATE -std=gnu11 -w)  # its warnings are its own
