// Every text that a person reads goes through here. Ids, numbers and JSON keys do not.
//   _("text")              translate now
//   N_("text")             mark for translation; translate where it is shown, with Tr()
//   Format(_("{} of {}"))  fmt with a translated pattern; a broken translation falls back to its id
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace gpuwhy {

/// Text domain "gpuwhy"; returns msgid itself where no catalogue holds it.
[[nodiscard]] const char* Tr(const char* msgid);
/// Singular or plural by n, as ngettext.
[[nodiscard]] const char* TrN(const char* one, const char* many, unsigned long n);
/// Chooses the language ("en", "es", or "" for the environment's) and the folder of catalogues.
/// To be called once, by main, before any other thread starts.
void InitTranslations(const std::string& language, const std::string& catalogue_dir);

template <class... Args>
[[nodiscard]] std::string Format(const char* pattern, const Args&... args) {
  try {
    return fmt::vformat(pattern, fmt::make_format_args(args...));
  } catch (const fmt::format_error&) {
    return pattern;  // a translator's mistake must not end a diagnosis
  }
}

}  // namespace gpuwhy

// NOLINTNEXTLINE(bugprone-reserved-identifier): gettext's own convention
#define _(text) ::gpuwhy::Tr(text)
#define N_(text) text
