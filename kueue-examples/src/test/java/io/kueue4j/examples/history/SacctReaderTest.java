package io.kueue4j.examples.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of Slurm's accounting. */
class SacctReaderTest {
  private static final String HEAD =
      "JobID|User|Account|Partition|QOS|Submit|Eligible|Start|End|State|ReqTRES|AllocTRES|Timelimit\n";

  private final HistoryFile.Options options =
      new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE);

  @TempDir
  private Path folder;

  private History read(String rows, HistoryFile.Options read) throws IOException {
    return HistoryFile.read(
        InputFile.of(Files.writeString(folder.resolve("sacct"), HEAD + rows)), read);
  }

  private History read(String rows) throws IOException {
    return read(rows, options);
  }

  /** A job that ran for an hour. */
  private static String row(String id, String allocated) {
    return id + "|ada|lab|gpu|normal|2026-01-31T10:00:00|2026-01-31T10:00:00|2026-01-31T10:30:00"
        + "|2026-01-31T11:30:00|COMPLETED|cpu=1|" + allocated + "|02:00:00\n";
  }

  @Test
  void aJobHasAPodOnEachOfItsNodes() throws IOException {
    String resources = "billing=16,cpu=16,gres/gpu=8,gres/gpu:a100=8,mem=64G,node=2";
    History history =
        read(row("17_4", resources), options.withCovered(ImmutableSet.of("cpu", "memory")));
    assertThat(history.start()).isEqualTo(Instant.parse("2026-01-31T10:00:00Z"));
    HistoryJob job = history.jobs().get(0);
    assertThat(job.name()).isEqualTo("job-17-4");
    assertThat(job.times()).isEqualTo(new Times(0, 1_800_000, 3_600_000, 7_200_000, 0, -1));
    assertThat(job.labels()).isEqualTo(new Labels("ada", "lab", "normal", "gpu"));
    assertThat(job.podSets()).extracting(PodSet::count).containsExactly(2);
    assertThat(job.podSets().get(0).requests())
        .isEqualTo(Map.of("cpu", 8000L, "memory", 32L << 30, "nvidia.com/gpu", 4L));
  }

  @Test
  void withoutResourcesAJobHasItsProcessors() throws IOException {
    Path file = Files.writeString(folder.resolve("sacct"), """
        JobIDRaw|JobName|Partition|State|Submit|Start|End|NNodes|NCPUS|
        49|smoke|batch|FAILED|2026-07-11T15:22:53|2026-07-11T15:51:21|2026-07-11T15:51:27|256|28672|
        49.batch|batch||FAILED|2026-07-11T15:51:21|2026-07-11T15:51:21|2026-07-11T15:51:27|1|56|
        """);
    History history = HistoryFile.read(InputFile.of(file), options);
    assertThat(history.jobs())
        .flatExtracting(HistoryJob::podSets)
        .extracting(PodSet::count, PodSet::requests)
        .containsExactly(tuple(256, Map.of("cpu", 112_000L)));
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("job-49");
    assertThat(history.lines().leftOutMessages())
        .containsExactly("line 3: a step of a job; use sacct -X");
  }

  @Test
  void aJobThatGotNoProcessorsHasWhatItRequested() throws IOException {
    Path file = Files.writeString(folder.resolve("sacct"), """
        JobID|State|Submit|Start|End|AllocCPUS|ReqCPUS
        17|CANCELLED by 1000|1000|None|1600|0|4
        """);
    assertThat(HistoryFile.read(InputFile.of(file), options).jobs())
        .flatExtracting(HistoryJob::podSets)
        .extracting(PodSet::count, PodSet::requests)
        .containsExactly(tuple(1, Map.of("cpu", 4_000L)));
  }

  @Test
  void theLastPodHasWhatCannotBeDivided() throws IOException {
    History history = read(row("17", "cpu=10,gres/gpu:a100=2,gres/gpu:h100=1,node=3"));
    assertThat(history.jobs().get(0).podSets())
        .extracting(PodSet::name, PodSet::count, PodSet::requests)
        .containsExactly(
            tuple("main", 2, Map.of("cpu", 3000L, "nvidia.com/gpu", 1L)),
            tuple("last", 1, Map.of("cpu", 4000L, "nvidia.com/gpu", 1L)));
  }

  @Test
  void aJobRequestsWhatCountsAndGpus() throws IOException {
    HistoryFile.Options none = options.withCovered(ImmutableSet.of());
    History history =
        read(row("1", "cpu=4,mem=8G,gres/gpu=1") + row("2", "cpu=4,mem=8G,node=1"), none);
    assertThat(history.jobs())
        .extracting(HistoryJob::name, job -> job.podSets().get(0).requests())
        .containsExactly(tuple("job-1", Map.of("nvidia.com/gpu", 1L)));
    assertThat(history.lines().leftOutMessages())
        .containsExactly("line 3: the job requests nothing that counts");
  }

  @Test
  void aJobThatDependsOnOthersIsSubmittedWhenItIsEligible() throws IOException {
    History history = read("""
        1|||||1000|1600|1900|2000|COMPLETED|cpu=1||UNLIMITED
        2|||||1100|Unknown|1900|2000|FAILED|cpu=1||3-00:00:01
        """);
    assertThat(history.start()).isEqualTo(Instant.ofEpochSecond(1100));
    assertThat(history.jobs())
        .extracting(HistoryJob::times)
        .containsExactly(
            new Times(500_000, 300_000, 100_000, -1, 0, -1),
            new Times(0, 800_000, 100_000, 259_201_000, 0, -1));
  }

  @Test
  void aJobThatWasCancelledWhileItWaitedIsCancelledThen() throws IOException {
    History history = read("""
        1|||||1000||None|1600|CANCELLED by 17|cpu=1||00:02:00
        2|||||1000||None|1700|CANCELLED|cpu=1||Partition_Limit
        """);
    assertThat(history.jobs())
        .extracting(HistoryJob::times)
        .containsExactly(
            new Times(0, 600_000, 120_000, 120_000, 0, 600_000),
            new Times(0, 700_000, 700_000, -1, 0, 700_000));
  }

  @Test
  void stepsAndJobsWithoutAnEndAreLeftOut() throws IOException {
    History history = read(row("1", "cpu=1") + row("1.batch", "cpu=1")
        + "2|||||1000||1100|Unknown|RUNNING|cpu=1||\n3|||||1000||Unknown|Unknown|PENDING|cpu=1||\n"
        + "4|||||1000||Unknown|1100|BOOT_FAIL|cpu=1||\n");
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().leftOutMessages())
        .containsExactly(
            "line 3: a step of a job; use sacct -X",
            "3 lines, 4, 5, 6: the job has not run to its end");
  }

  @Test
  void badLinesAreCountedByReasonWithTheirNumbers() throws IOException {
    String ran = "|||||1000||1100|1200|COMPLETED|";
    History history = read(row("1", "cpu=1") + row("1", "cpu=1") + "Job" + ran + "cpu=1||\n"
        + "2|||||tomorrow||1100|1200|COMPLETED|cpu=1||\n3|||||||1100|1200|COMPLETED|cpu=1||\n"
        + "4|||||0||1100|9999999999|COMPLETED|cpu=1||\n5" + ran + "cpu=much||\n6" + ran + "cpu||\n"
        + "7" + ran + "cpu=1,mem=999999999P||\n8" + ran + "cpu=1\n9" + ran + "cpu=1,node=9T||\n");
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().badMessages())
        .containsExactly(
            "line 3: the job occurs before",
            "line 4: JobID is no id of a job, such as 17, 17_4 or 17+1",
            "line 5: Submit is no time such as 2026-01-31T12:00:00, or seconds since 1970",
            "line 6: no time in Submit",
            "line 7: a time of more than a century",
            "line 8: the amount of cpu is no number such as 4 or 62.50G",
            "line 9: the resources are no list such as cpu=8,gres/gpu=2,mem=64G,node=2",
            "line 10: the amount of mem is too large",
            "line 11: 11 columns instead of 13",
            "line 12: more than 2147483647 nodes");
  }

  @Test
  void columnsThatAreNeededMustBeThere() throws IOException {
    Path file = Files.writeString(folder.resolve("sacct"), "JobID|Submit|Start|End|State\n");
    assertThatThrownBy(() -> HistoryFile.read(InputFile.of(file), options))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(
            "there is no column AllocTRES or ReqTRES or AllocCPUS or NCPUS; expected one");
    Files.writeString(file, "JobID|Submit|End|State|ReqTRES\n");
    assertThatThrownBy(() -> HistoryFile.read(InputFile.of(file), options))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(
            "there is no column Start; expected a first line with Submit|Start|End|State");
  }
}
