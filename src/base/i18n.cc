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

void InitTranslations(const std::string& language, const std::string& catalogue_dir) {
  // Messages only: numbers keep the C locale so that JSON and printed commands never get a comma.
  // setenv and setlocale are not thread safe; the contract is that no other thread runs yet.
  setlocale(LC_MESSAGES, "");  // NOLINT(concurrency-mt-unsafe): single-threaded by contract
  setlocale(LC_CTYPE, "");     // NOLINT(concurrency-mt-unsafe): single-threaded by contract
  if (!language.empty()) {
    setenv("LANGUAGE", language.c_str(),
           1);  // NOLINT(concurrency-mt-unsafe): single-threaded by contract
    const char* now = setlocale(
        LC_MESSAGES, nullptr);  // NOLINT(concurrency-mt-unsafe): single-threaded by contract
    // gettext ignores LANGUAGE in the "C" locale; C.UTF-8 exists on every Debian.
    if (now == nullptr || std::string_view(now) == "C")
      setlocale(LC_MESSAGES,
                "C.UTF-8");  // NOLINT(concurrency-mt-unsafe): single-threaded by contract
  }
  bindtextdomain(kDomain, catalogue_dir.c_str());
  bind_textdomain_codeset(kDomain, "UTF-8");
}

}  // namespace gpuwhy
