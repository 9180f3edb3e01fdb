#include "base/i18n.h"

#include <libintl.h>

#include <clocale>
#include <cstdlib>

namespace gpuwhy {
namespace {
constexpr const char* kDomain = "gpuwhy";
}  // namespace

// gettext returns the translation of "" (the catalogue's header) for an empty id.
const char* Tr(const char* msgid) { return *msgid == '\0' ? msgid : dgettext(kDomain, msgid); }

const char* TrN(const char* one, const char* many, unsigned long n) {
  return dngettext(kDomain, one, many, n);
}

// setenv and setlocale are not thread safe; the contract of this function is that no other thread
// runs yet.
// NOLINTBEGIN(concurrency-mt-unsafe)
void InitTranslations(const std::string& language, const std::string& catalogue_dir) {
  // Messages only: numbers keep the C locale so that JSON and printed commands never get a comma.
  setlocale(LC_MESSAGES, "");
  setlocale(LC_CTYPE, "");
  if (!language.empty()) {
    setenv("LANGUAGE", language.c_str(), 1);
    const char* now = setlocale(LC_MESSAGES, nullptr);
    // gettext ignores LANGUAGE in the "C" locale; C.UTF-8 exists on every Debian.
    if (now == nullptr || std::string_view(now) == "C") setlocale(LC_MESSAGES, "C.UTF-8");
  }
  bindtextdomain(kDomain, catalogue_dir.c_str());
  bind_textdomain_codeset(kDomain, "UTF-8");
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace gpuwhy
