// Prints the hand-built diagnoses as JSON, one after the other, for validate.py.
#include <iostream>

#include "report/json.h"
#include "report/test_diagnosis.h"

int main() {
  using namespace gpuwhy;
  for (const Diagnosis& diagnosis :
       {StarvedJob(), UndecidedJobs(), NothingMeasured(), HealthyJob(), LostGpu()}) {
    std::cout << RenderJson(diagnosis);
  }
  return 0;
}
