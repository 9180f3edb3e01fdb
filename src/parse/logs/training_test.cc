#include "parse/logs/training.h"

#include <gtest/gtest.h>

#include <string>

#include "parse/logs/line_numbers.h"
#include "parse/logs/log_keys.h"

namespace gpuwhy {
namespace {

TrainingLog Parsed(std::string_view text) {
  std::optional<TrainingLog> log = ParseTrainingLog(text);
  EXPECT_TRUE(log.has_value());
  return log.value_or(TrainingLog{});
}

TEST(TrainingLog, ReadsValueAndRunningMeanApart) {
  const TrainingLog log = Parsed(
      "Epoch: [0][40/800]\tTime 0.310 (1.250)\tData 0.002 (0.900)\tLoss 5.1 (6.0)\n"
      "Epoch: [0][50/800]\tTime 2.110 (1.260)\tData 1.800 (0.910)\tLoss 5.0 (5.9)\n");
  EXPECT_EQ(log.step_s.count, 2U);
  EXPECT_DOUBLE_EQ(log.step_s.sum, 2.42);
  EXPECT_DOUBLE_EQ(log.data_s.max, 1.8);
  EXPECT_DOUBLE_EQ(log.mean_step_s.value_or(0), 1.26);
  EXPECT_DOUBLE_EQ(log.mean_data_s.value_or(0), 0.91);
  EXPECT_EQ(log.last_step, 50);
  EXPECT_EQ(log.total_steps, 800);
  EXPECT_EQ(log.slowest.line, 2U);
}

TEST(TrainingLog, KeepsTheMeansOfTheLastEpochAndCountsTheStepsBetweenItsLines) {
  const TrainingLog log = Parsed(
      "Epoch: [0][  0/90]\tTime 9.0 (9.0)\tData 8.0 (8.0)\n"
      "Epoch: [0][ 30/90]\tTime 1.0 (1.3)\tData 0.2 (0.5)\n"
      "Epoch: [1][  0/90]\tTime 2.0 (2.0)\tData 1.0 (1.0)\n"
      "Epoch: [1][ 30/90]\tTime 1.0 (1.1)\tData 0.2 (0.3)\n");
  EXPECT_EQ(log.first_means, (RunningMeans{0, 2.0, 1.0}));
  EXPECT_EQ(log.last_means, (RunningMeans{30, 1.1, 0.3}));
  EXPECT_EQ(log.spanned_steps, 60U);
}

TEST(TrainingLog, TakesTheUnitOfTheKeyOrOfTheValue) {
  EXPECT_DOUBLE_EQ(Parsed("iter 12: loss 4.0, time 412.5ms, mfu 30.1%\n").step_s.last, 0.4125);
  EXPECT_DOUBLE_EQ(Parsed("| bch(ms): 300.00 | smp(ms): 30.00 | fwd(ms): 100\n").step_s.last, 0.3);
  EXPECT_DOUBLE_EQ(
      Parsed(" iteration 30/ 90 | elapsed time per iteration (ms): 875.0 | lm loss: 2.0E+00 |\n")
          .step_s.last,
      0.875);
  EXPECT_DOUBLE_EQ(Parsed("45/45 [=====] - 23s 520ms/step - loss: 0.72\n").step_s.last, 0.52);
}

TEST(TrainingLog, ReadsBarsThatRedrawTheirLine) {
  const TrainingLog log = Parsed(
      "Epoch 0:  10%|# | 10/100 [00:20<03:00,  2.00s/it]\r"
      "Epoch 0:  20%|##| 20/100 [00:30<02:00,  4.00it/s, loss=0.7]\n");
  EXPECT_EQ(log.step_s.count, 2U);
  EXPECT_DOUBLE_EQ(log.step_s.first, 2.0);
  EXPECT_DOUBLE_EQ(log.step_s.last, 0.25);
}

TEST(TrainingLog, IterationTimeIsTheLoadersWhereAWholeStepIsNamed) {
  const TrainingLog both = Parsed("iter_time=0.500, forward_time=0.1, train_time=0.900\n");
  EXPECT_DOUBLE_EQ(both.step_s.last, 0.9);
  EXPECT_DOUBLE_EQ(both.data_s.last, 0.5);
  const TrainingLog alone = Parsed("iter: 10/90, iter_time: 1.5s, data_time: 0.4s\n");
  EXPECT_DOUBLE_EQ(alone.step_s.last, 1.5);
  EXPECT_DOUBLE_EQ(alone.data_s.last, 0.4);
}

TEST(TrainingLog, LeavesValidationOut) {
  EXPECT_EQ(ParseTrainingLog("Test: [ 0/30]  Time: 6.593 (6.593)  Loss: 6.7 (6.7)\n"),
            std::nullopt);
}

TEST(TrainingLog, CountsNaNAndKeepsItOutOfTheSeries) {
  const TrainingLog log = Parsed("step: 1 loss: 2.5\nstep: 2 loss: nan\nstep: 3 loss: NaN\n");
  EXPECT_EQ(log.loss.count, 1U);
  EXPECT_EQ(log.loss_bad, 2U);
  ASSERT_EQ(log.bad_quotes.size(), 2U);
  EXPECT_EQ(log.bad_quotes.front().line, 2U);
}

TEST(TrainingLog, TakesStepTimesFromStampsWhereNoneArePrinted) {
  const TrainingLog log = Parsed(
      "[2024-03-01 23:59:50] INFO [step=4/900]\n    train/loss=11.31\n"
      "[2024-03-02 00:00:10] INFO [step=6/900]\n    device/tokens_per_second=16,222\n");
  ASSERT_EQ(log.stamp_step_s.count, 1U);
  EXPECT_DOUBLE_EQ(log.stamp_step_s.last, 10.0);
  EXPECT_DOUBLE_EQ(log.rate.last, 16222);
}

TEST(TrainingLog, NamedPartsOfTheStepAreNotCountedTwice) {
  const TrainingLog log = Parsed(
      "time (ms) | forward: 100.0 | backward: 300.0 | backward_inner: 290.0 | step: 600.0\n");
  double sum = 0;
  for (const PhaseTime& phase : log.phases) sum += phase.seconds.sum;
  EXPECT_DOUBLE_EQ(sum, 1.0);
}

TEST(TrainingLog, EncodedBytesHoldNone) {
  const std::string coded = "q9ZsT0b/fps+37/Ax4Nq0PzL/loss+2/kkTz81bYp0WmLr4";
  EXPECT_FALSE(ParseTrainingLog(coded + "\n"));
  EXPECT_FALSE(ParseTrainingLog(coded + "==\n" + coded + "\n"));
  EXPECT_TRUE(ParseTrainingLog("step=100/5000,loss=2.31,samples=4096,lr=0.0001"));
}

TEST(TrainingLog, MemoryStaysBounded) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "step: " + std::to_string(i) + " step_time: 0.5s\n";
  const TrainingLog log = Parsed(text);
  EXPECT_EQ(log.step_s.count, 20000U);
  EXPECT_LE(log.step_s.points.size(), 2048U);
  EXPECT_GE(log.step_s.points.size(), 1024U);
}

TEST(LineNumbers, DigitsOfWordsDatesAndClocksAreNoNumbers) {
  std::vector<LineNumber> numbers;
  FindLineNumbers("2021-07-21 16:20:05 mlx5_0 Prec@1 6.25 v1.2.3", numbers);
  ASSERT_EQ(numbers.size(), 1U);
  EXPECT_DOUBLE_EQ(numbers[0].value, 6.25);
  EXPECT_EQ(numbers[0].key.substr(numbers[0].key.size() - 6), "Prec@1");
}

TEST(LineNumbers, ReadsThousandsAndTotals) {
  std::vector<LineNumber> numbers;
  FindLineNumbers("tokens=4,194,304 iter: 20/ 300 lr: -1.5e-03", numbers);
  ASSERT_EQ(numbers.size(), 3U);
  EXPECT_DOUBLE_EQ(numbers[0].value, 4194304);
  EXPECT_EQ(numbers[1].of_total, 300);
  EXPECT_DOUBLE_EQ(numbers[2].value, -0.0015);
}

TEST(LogKeys, EveryKindIsFound) {
  EXPECT_EQ(MeaningOfKey("avg_batch_cost").role, LogRole::kStepTime);
  EXPECT_EQ(MeaningOfKey("wps").role, LogRole::kRate);
  EXPECT_EQ(MeaningOfKey("Data").role, LogRole::kDataTime);
  EXPECT_EQ(MeaningOfKey("train/lm loss").role, LogRole::kLoss);
  EXPECT_EQ(MeaningOfKey("val_loss").role, LogRole::kNone);
  EXPECT_DOUBLE_EQ(MeaningOfKey("step_time_ms").scale, 1e-3);
  EXPECT_EQ(MeaningOfKey("timing_s/testing").phase, PhaseKind::kEvaluation);
  EXPECT_EQ(MeaningOfKey("unheard of").role, LogRole::kNone);
}

TEST(TrainingLog, ReadsStepsThatAreRowsOfATable) {
  const TrainingLog bars = Parsed(
      "| step |  loss  | step_ms | load_ms |\n"
      "|------|--------|---------|---------|\n"
      "|    0 | 3.0000 |   815.2 |   619.1 |\n"
      "|    1 | 2.9975 |   814.0 |   612.0 |\n");
  EXPECT_EQ(bars.step_s.count, 2U);
  EXPECT_DOUBLE_EQ(bars.step_s.last, 0.814);
  EXPECT_DOUBLE_EQ(bars.data_s.last, 0.612);
  EXPECT_EQ(bars.last_step, 1);
  const TrainingLog blanks = Parsed(
      "   step     loss   time/s   data/s       lr\n"
      "      0   3.0000   0.8196   0.0050   1e-4\n"
      "      1   2.9975   0.8179   0.0051   1e-4\n"
      "saved to ck.pt\n"
      "step=2 loss=2.9 time=0.5\n");
  EXPECT_EQ(blanks.step_s.count, 3U) << "behind the table the log goes on as others do";
  EXPECT_DOUBLE_EQ(blanks.data_s.last, 0.0051);
  EXPECT_DOUBLE_EQ(blanks.step_s.last, 0.5);
}

TEST(TrainingLog, TakesNoOtherTableForOneOfSteps) {
  EXPECT_FALSE(ParseTrainingLog("JOBID  PARTITION  USER  TIME\n12  gpu  a  13\n").has_value());
  EXPECT_FALSE(ParseTrainingLog("name   calls   time\nconv   12   0.5\n").has_value());
  EXPECT_FALSE(ParseTrainingLog("\t\tLnkCap: Port #0, Speed 16GT/s, Width x16\n"
                                "\tSpeed: 1000Mb/s\n")
                   .has_value())
      << "the speed of a link";
}

TEST(TrainingLog, ReadsWhatALoopWaitedForAndItsStamps) {
  const TrainingLog json = Parsed("{\"step\": 0, \"iter_time\": 1.25, \"data_wait\": 0.8}\n");
  EXPECT_DOUBLE_EQ(json.step_s.last, 1.25);
  EXPECT_DOUBLE_EQ(json.data_s.last, 0.8);
  const TrainingLog stamps = Parsed(
      "[10:00:02] it 0/2000 loss 1.500\n[10:00:04] it 1/2000 loss 1.499\n"
      "[10:30:04] it 2/2000 loss 1.498\n");
  EXPECT_EQ(stamps.stamp_step_s.count, 2U);
  EXPECT_DOUBLE_EQ(stamps.stamp_step_s.max, 1800);
}

}  // namespace
}  // namespace gpuwhy
