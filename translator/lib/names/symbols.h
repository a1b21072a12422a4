#pragma once

// Which names of the API the project has for things of its own, from the definitions found in its files.

#include <string>
#include <vector>

#include "translator/lib/options.h"
#include "translator/lib/report/finding.h"

namespace musashim::translator {

struct FileDefinitions {
  std::string file;  // as named to the user
  std::vector<Definition> definitions;
};

/// The names that stay. A definition at file scope, or in a namespace or record, makes a name the project's
/// own; a static one that of its file. Not so what stands in for the API and follows its names: behind #if,
/// in extern "C" or in C, of a type of the API's, in a file that defines many, in a copy of an API header.
UserSymbols symbolsOf(const std::vector<FileDefinitions>& files, const Lexicon& lexicon);

/// What is to be said about the definitions of one file: of stand-ins and interposers only the first.
std::vector<Finding> findingsOf(const FileDefinitions& file, const UserSymbols& symbols);

/// A definition of a name that the port gives to `cudaName`.
Finding collision(const Definition& definition, std::string_view cudaName);

}  // namespace musashim::translator
