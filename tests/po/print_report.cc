// Prints a report in language xx with the catalogue folder given, from a diagnosis whose own texts
// are no words: every word in it then comes from the report.
#include <iostream>

#include "base/i18n.h"
#include "report/test_diagnosis.h"
#include "report/text.h"

int main(int argc, char** argv) {
  using namespace gpuwhy;
  if (argc != 2) return 2;
  InitTranslations("xx", argv[1]);
  TextOptions verbose;
  verbose.verbose = true;
  verbose.width = 10'000;
  for (Diagnosis diagnosis : {StarvedJob(), UndecidedJobs(), NothingMeasured(), LostGpu()}) {
    diagnosis.summary = "0";
    for (Finding& finding : diagnosis.findings) {
      finding.title = finding.meaning = finding.decision = finding.fix = finding.verify = "0";
      for (Evidence& evidence : finding.evidence) evidence.how = evidence.expected = "0";
    }
    for (Unknown& unknown : diagnosis.unknown) unknown.what = unknown.why = unknown.how = "0";
    if (diagnosis.step) diagnosis.step->source = "0";
    diagnosis.inputs = {{"0", "", false, {"0"}}};
    std::cout << RenderText(diagnosis, verbose);
  }
  return 0;
}
