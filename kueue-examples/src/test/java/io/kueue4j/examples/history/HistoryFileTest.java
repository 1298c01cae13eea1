package io.kueue4j.examples.history;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.simulation.Simulation;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories in the Standard Workload Format and as JSON lines. */
class HistoryFileTest {
  private static final String JOB = "1 60 5 3600 4 -1 -1 8 7200 -1 1 3 2 -1 1 7 -1 -1\n";

  @TempDir
  private Path folder;

  private History read(String content) throws IOException {
    return read(content.getBytes(UTF_8));
  }

  private History read(byte[] content) throws IOException {
    Path file = Files.write(folder.resolve("history"), content);
    return HistoryFile.read(
        InputFile.of(file),
        new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE));
  }

  @Test
  void fieldsOfSwf() throws IOException {
    History history = read("""
        ; Version: 2.2
        ;UnixStartTime: 1000000000
        ; MaxProcs: 128 (64 nodes)
        ; Queue: 1 batch jobs of a day
        ; Partition: 7 fat
        """ + JOB);
    assertThat(history.start()).isEqualTo(Instant.ofEpochSecond(1_000_000_000));
    assertThat(history.machine().processors()).hasValue(128);
    assertThat(history.machine().queues()).containsExactly(Map.entry("1", "batch"));
    assertThat(history.machine().partitions()).containsExactly(Map.entry("7", "fat"));
    HistoryJob job = history.jobs().get(0);
    assertThat(job.name()).isEqualTo("job-1");
    assertThat(job.times()).isEqualTo(new Times(60_000, 5_000, 3_600_000, 7_200_000, 0, -1));
    assertThat(job.labels()).isEqualTo(new Labels("3", "2", "1", "7"));
    assertThat(job.podSets().get(0).count()).isEqualTo(8);
    assertThat(job.podSets().get(0).requests()).containsEntry("cpu", 1000L);
    assertThat(history.lines().badMessages()).isEmpty();
  }

  @Test
  void linesOfSwfMayBeShortOutOfOrderAndWithoutALineEnd() throws IOException {
    History history = read("\t 2  50.9 -1   10.0 3 \r\n\r\n1 40 -1 10 -1 -1 -1 2");
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("job-2", "job-1");
    assertThat(history.jobs().get(0).times()).isEqualTo(new Times(50_000, -1, 10_000, -1, 0, -1));
    assertThat(history.jobs().get(0).labels()).isEqualTo(new Labels("", "", "", ""));
    assertThat(history.jobs().get(0).podSets().get(0).count()).isEqualTo(3);
    assertThat(history.lines().warnings())
        .containsExactly("2 lines, 1, 3: fewer than 18 fields; the others are unknown");
  }

  @Test
  void headersOfSwfThatCannotBeAreTakenForUnknown() throws IOException {
    String job = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1\n";
    History unknown = read("; UnixStartTime: -1\n; MaxProcs: -1\n" + job);
    assertThat(unknown.lines().warnings()).isEmpty();
    for (String time : List.of("99999999999999999", "yesterday", "-5")) {
      History history = read("; UnixStartTime: " + time + "\n; MaxProcs: -4\n" + job);
      assertThat(history.start()).isEqualTo(unknown.start());
      assertThat(history.machine().processors()).isEmpty();
      assertThat(history.lines().warnings())
          .containsExactly(
              "line 1: UnixStartTime is '" + time
                  + "', expected a number from 0 to 253402300799, or -1; taken for unknown",
              "line 2: MaxProcs is '-4', expected a number from 0 to 253402300799, or -1; taken for unknown");
    }
  }

  @Test
  void badLinesAreCountedByReasonWithTheirNumbers() throws IOException {
    History history = read(JOB + "2 x\n3 5\n4 5\n" + JOB + "9 1 1 1 0 -1 -1 0\n"
        + "5 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n6 1 1 99999999999 1\n7 1--1\n");
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().badMessages())
        .containsExactlyInAnyOrder(
            "2 lines, 2, 9: expected numbers, separated by blanks",
            "2 lines, 3, 4: no run time",
            "line 5: the job occurs before",
            "line 6: no number of processors",
            "line 7: more than 18 fields",
            "line 8: a time of more than a century");
  }

  @Test
  void memoryOfSwfIsInKbForEachProcessor() throws IOException {
    // Requested and used; used alone; unknown.
    Path file = Files.writeString(folder.resolve("history"), """
        1 60 5 3600 4 -1 512 8 7200 2048 1 3 2 -1 1 7 -1 -1
        2 60 5 3600 4 -1 512 8 7200 -1 1 3 2 -1 1 7 -1 -1
        3 60 5 3600 4 -1 -1 8 7200 -1 1 3 2 -1 1 7 -1 -1
        """);
    HistoryFile.Options options =
        new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE);
    assertThat(HistoryFile.read(
                InputFile.of(file), options.withCovered(ImmutableSet.of("cpu", "memory")))
            .jobs())
        .extracting(job -> job.podSets().get(0).requests().get("memory"))
        .containsExactly(2048L * 1024, 512L * 1024, null);
    assertThat(HistoryFile.read(InputFile.of(file), options).jobs())
        .allSatisfy(job -> assertThat(job.podSets().get(0).requests()).containsOnlyKeys("cpu"));
  }

  @Test
  void jobsCancelledBeforeTheirStartAreCancelledAfterTheirWait() throws IOException {
    History history = read(JOB + "2 1 -1 0 1 -1 -1 1 1 -1 5\n3 1 1 9 1 -1 -1 1 1 -1 3\n"
        + "4 1 1 9 1 -1 -1 1 1 -1 5\n5 1 7 -1 1 -1 -1 1 90 -1 5\n6 1 7 0 1 -1 -1 1 -1 -1 5\n");
    assertThat(history.jobs())
        .extracting(
            HistoryJob::name, job -> job.times().run(), job -> job.times().cancel())
        .containsExactly(
            tuple("job-1", 3_600_000L, -1L),
            tuple("job-4", 9_000L, -1L),
            tuple("job-5", 90_000L, 7_000L),
            tuple("job-6", 7_000L, 7_000L));
    assertThat(history.lines().leftOutMessages())
        .containsExactly(
            "line 2: the job was cancelled before it started, at an unknown time",
            "line 3: a part of a job, which has a line for the whole as well");
  }

  @Test
  void aJobFollowsTheOneBeforeIfThatIsKnown() throws IOException {
    String rest = " 1 1 1 1 -1 -1 1 1 -1 1 -1 -1 -1 -1 -1 ";
    History history = read("1" + rest + "-1 -1\n2" + rest + "1 30\n3" + rest + "9 5\n5" + rest
        + "4 5\n6" + rest + "6 5\n");
    assertThat(history.jobs().get(1).after()).containsExactly("job-1");
    assertThat(history.jobs().get(1).times().think()).isEqualTo(30_000);
    assertThat(history.jobs()).filteredOn(job -> !job.after().isEmpty()).hasSize(1);
    assertThat(history.lines().warnings())
        .containsExactlyInAnyOrder(
            "2 lines, 3, 5: the preceding job has no lower number; ignored",
            "line 4: a preceding job is not in the history; ignored");
  }

  @Test
  void compressedFilesHaveTheSameJobs() throws IOException {
    ImmutableList<HistoryJob> jobs = read(JOB).jobs();
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream stream = new GZIPOutputStream(gzip)) {
      stream.write(JOB.getBytes(UTF_8));
    }
    assertThat(read(gzip.toByteArray()).jobs()).isEqualTo(jobs);
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try (ZipOutputStream stream = new ZipOutputStream(zip)) {
      stream.putNextEntry(new ZipEntry("logs/"));
      stream.putNextEntry(new ZipEntry("logs/log.swf"));
      stream.write(JOB.getBytes(UTF_8));
    }
    assertThat(read(zip.toByteArray()).jobs()).isEqualTo(jobs);
    byte[] damaged = gzip.toByteArray();
    for (int length : new int[] {2, 10, damaged.length - 12}) {
      assertThatThrownBy(() -> read(Arrays.copyOf(damaged, length)))
          .isInstanceOf(InputException.class)
          .hasMessageEndingWith("history: the compressed file ends early; is it complete?");
    }
  }

  private static byte[] zip(String... names) throws IOException {
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try (ZipOutputStream stream = new ZipOutputStream(zip)) {
      for (String name : names) {
        stream.putNextEntry(new ZipEntry(name));
        stream.write(name.endsWith(".swf") ? JOB.getBytes(UTF_8) : new byte[] {1, 2});
      }
    }
    return zip.toByteArray();
  }

  @Test
  void anArchiveHasOneFile() throws IOException {
    assertThat(read(zip("logs/log.swf", "__MACOSX/logs/._log.swf")).jobs()).hasSize(1);
    assertThatThrownBy(() -> read(zip("log.swf", "other.swf")))
        .hasMessageContaining("the archive has several files, other.swf among them; expected one");
    assertThatThrownBy(() -> read(zip("README", "log.swf")))
        .hasMessageContaining("the archive has several files, log.swf among them; expected one");
    assertThatThrownBy(() -> read(zip()))
        .hasMessageContaining("the archive has no file, or is damaged");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
    String mark = "\uFEFF";
    assertThat(read(mark + "; MaxProcs: 7\n" + JOB).machine().processors()).hasValue(7);
    History history = read(
        mark + "{\"id\": \"a\", \"submit\": 0, \"duration\": 1, \"requests\": {\"cpu\": 1}}\n");
    assertThat(history.lines().badMessages()).isEmpty();
    assertThatThrownBy(() -> read(JOB.getBytes(UTF_16)))
        .hasMessageEndingWith("history: not UTF-8; is this a text file?");
  }

  @Test
  void jobsInACircleFollowNone() throws IOException {
    String rest = ", \"submit\": 0, \"duration\": 1, \"requests\": {\"cpu\": 1}}\n";
    History history = read("{\"id\": \"late\", \"after\": [\"a\", \"first\"]" + rest
        + "{\"id\": \"a\", \"after\": [\"b\"]" + rest + "{\"id\": \"b\", \"after\": [\"a\"]" + rest
        + "{\"id\": \"self\", \"after\": [\"self\"]" + rest + "{\"id\": \"first\"" + rest);
    assertThat(history.jobs())
        .extracting(HistoryJob::name, HistoryJob::after)
        .contains(tuple("self", ImmutableList.of()), tuple("first", ImmutableList.of()));
    assertThat(history.lines().warnings()).hasSize(1);
    assertThat(HistoryPlan.of(history, ImmutableList.of(), QueueMapping.NONE).jobs())
        .hasSize(5);
  }

  @Test
  void jobsThatWereAllCancelledNeedNoQuota() throws IOException {
    History history = read("1 0 5 -1 1 -1 -1 1 10 -1 5\n2 0 5 -1 1 -1 -1 1 10 -1 5\n");
    HistoryPlan plan = HistoryPlan.of(history, ImmutableList.of(), QueueMapping.NONE);
    assertThat(plan.withoutQuota()).isEmpty();
  }

  private static String finished(String name, String end) {
    return """
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: %s, namespace: a, creationTimestamp: "2026-01-31T12:00:00Z"}
        spec:
          queueName: q
          podSets: [{name: main, count: 1, template: {spec: {containers: [
            {name: c, image: i, resources: {requests: {cpu: 1}}}]}}}]
        status:
          admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: 1}}]}
          conditions:
          - {type: QuotaReserved, status: "True", lastTransitionTime: "2026-01-31T12:00:00Z"}
          - {type: Admitted, status: "True", lastTransitionTime: "2026-01-31T12:00:10Z"}
          - {type: Finished, status: "True", lastTransitionTime: "%s"}
        """.formatted(name, end);
  }

  @Test
  void finishedWorkloadsThatCannotBeUsedAreNamed() throws IOException {
    History history = read((finished("good", "2026-01-31T13:00:10+01:00")
            + finished("bad", "yesterday")
            + finished("far", "+999999999-01-01T00:00:00Z")
            + finished("good", "2026-01-31T12:30:00Z"))
        .substring("---\n".length()));
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("good");
    assertThat(history.jobs().get(0).times().run()).isZero();
    assertThat(history.lines().leftOutMessages())
        .hasSize(1)
        .allMatch(message -> message.endsWith("the Workload occurs before, finished"));
    assertThat(history.lines().badMessages())
        .hasSize(2)
        .anyMatch(message -> message.contains("status.conditions: the condition Finished has the"
            + " lastTransitionTime 'yesterday'; expected a time such as"))
        .anyMatch(message -> message.endsWith("a time of more than a century"));
  }

  private static final String VERSION = """
      {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
       "metadata": {"name": "%s", "namespace": "lab", "uid": "%s",
        "creationTimestamp": "2026-01-31T12:00:00Z"},
       "spec": {"queueName": "main", "podSets": [{"name": "main", "count": 1, "template": {"spec":
        {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}}]},
       "status": {"conditions": [%s]
       }
      }
      """;

  private static String version(String name, String uid, String... conditions) {
    return VERSION.formatted(
        name,
        uid,
        Arrays.stream(conditions)
            .map(type -> "{\"type\": \"" + type + "\", \"status\": \"True\","
                + " \"lastTransitionTime\": \"2026-01-31T12:10:00Z\"}")
            .collect(joining(",")));
  }

  private static String oneLine(String json) {
    return json.replace("\n", "") + "\n";
  }

  @Test
  void aWatchPrintsVersionsOfWorkloads() throws IOException {
    String printed = version("a", "1")
        + version("a", "1", "Admitted")
        + version("b", "2", "Admitted")
        + version("a", "1", "Admitted", "Finished")
        + version("a", "3", "Admitted", "Finished")
        + version("a", "1", "Admitted", "Finished")
        + version("a", "4", "Admitted", "Finished");
    for (String json : List.of(printed, oneLine(printed).replace("}{", "}\n{"))) {
      History history = read(json);
      assertThat(history.jobs())
          .extracting(HistoryJob::name)
          .containsExactly("a", "lab.a", "lab.a.2");
      assertThat(history.lines().badMessages()).isEmpty();
      assertThat(history.lines().leftOutMessages())
          .hasSize(2)
          .anyMatch(message -> message.endsWith("the Workload occurs before, finished"))
          .anyMatch(message -> message.endsWith("the Workload has not run to its end"));
    }
  }

  @Test
  void aLineOfAWatchThatWasStoppedIsLeftOut() throws IOException {
    String whole = oneLine(version("a", "1", "Admitted", "Finished"));
    History history = read(whole
        + whole.substring(0, 99)
        + whole
        + oneLine(version("b", "2", "Admitted", "Finished")));
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("a", "b");
    assertThat(history.lines().badMessages()).containsExactly("line 2: not the JSON of an object");
  }

  @Test
  void workloadsOfOtherVersionsAndInvalidOnesAreNamed() throws IOException {
    String good = oneLine(version("a", "1", "Admitted", "Finished"));
    History history =
        read(good + good.replace("v1beta2", "v1beta9") + good.replace("\"cpu\":", "\"c:p:u\":"));
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().badMessages())
        .containsExactly(
            "line 2: a Workload of kueue.x-k8s.io/v1beta9; expected one of"
                + " [kueue.x-k8s.io/v1beta1, kueue.x-k8s.io/v1beta2]",
            "line 3: podSets[0].requests[c:p:u]: \"c:p:u\" is not a resource name");
  }

  @Test
  void jobsThatRequestNothingNeedNoQuota() throws IOException {
    History history =
        read(oneLine(version("a", "1", "Admitted", "Finished").replace("\"cpu\": \"1\"", "")));
    HistoryPlan plan = HistoryPlan.of(history, ImmutableList.of(), QueueMapping.NONE);
    assertThat(Simulation.builder()
            .configuration(plan.configuration())
            .trace(plan.jobs())
            .build()
            .run()
            .total()
            .finished())
        .isEqualTo(1);
  }

  @Test
  void linesMayBeLongerThanTheBuffer() throws IOException {
    History history = read(";" + "x".repeat(200_000) + "\n" + JOB);
    assertThat(history.jobs()).hasSize(1);
  }

  @Test
  void aFileWithoutJobsIsRefused() {
    assertThatThrownBy(() -> read("")).isInstanceOf(InputException.class);
    assertThatThrownBy(() -> read("; Version: 2\n1 2\n"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no usable job; line 2: no run time");
  }

  @Test
  void fieldsOfJsonLines() throws IOException {
    History history = read("""
        {"id": "a", "submit": "2026-02-01T00:01:00Z", "duration": 1.5, "requests": {"cpu": "500m"}}

        {"id": "b", "submit": "2026-02-01T00:00:00Z", "duration": 60, "estimate": 90, "wait": 3,
        """.stripTrailing() + """
         "user": "ada", "group": "ml", "queue": "team-a/main", "partition": "x", "priority": -5,
        """.strip() + """
         "pods": 4, "requests": {"cpu": 2, "nvidia.com/gpu": 1}, "nodeSelector": {"k": "v"},
        """.strip() + """
         "after": ["a"], "thinkTime": 7, "cancelAfter": 20, "checkpoints": {"interval": 600, "restart": 30}}
        """.strip());
    assertThat(history.lines().badMessages()).isEmpty();
    assertThat(history.start()).isEqualTo(Instant.parse("2026-02-01T00:00:00Z"));
    assertThat(history.jobs().get(0).times()).isEqualTo(Times.of(60_000, 1_500));
    assertThat(history.jobs().get(0).podSets().get(0).requests()).containsEntry("cpu", 500L);
    HistoryJob job = history.jobs().get(1);
    assertThat(job.times()).isEqualTo(new Times(0, 3_000, 60_000, 90_000, 7_000, 20_000));
    assertThat(job.labels()).isEqualTo(new Labels("ada", "ml", "team-a/main", "x"));
    assertThat(job.priority()).isEqualTo(-5);
    assertThat(job.after()).containsExactly("a");
    assertThat(job.checkpoints().orElseThrow().interval().toSeconds()).isEqualTo(600);
    assertThat(job.podSets().get(0).count()).isEqualTo(4);
    assertThat(job.podSets().get(0).nodeSelector()).containsEntry("k", "v");
    assertThat(job.podSets().get(0).requests()).containsEntry("nvidia.com/gpu", 1L);
  }

  @Test
  void theFormatThatWasFoundOutIsNamedIfItIsOfNoUse() {
    assertThatThrownBy(() -> read("name,cpu\na,1\n"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no usable job; 2 lines, 1, 2: expected numbers, separated by blanks;"
            + " by its first line it was taken for the format swf, --format names another");
    assertThatThrownBy(() -> read("# A page\n"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("it was taken for the format generator, --format names another");
  }

  @Test
  void nullIsAsGoodAsNothingInJsonLines() throws IOException {
    String job = "\"submit\": 0, \"duration\": 1, \"requests\": {\"cpu\": 1}";
    History history = read("{\"id\": \"a\", " + job + "}\n{\"id\": \"b\", " + job
        + ", \"estimate\": null, \"wait\": null, \"user\": null, \"group\": null, \"queue\": null,"
        + " \"partition\": null, \"priority\": null, \"pods\": null, \"nodeSelector\": null,"
        + " \"after\": null, \"thinkTime\": null, \"cancelAfter\": null, \"checkpoints\": null}\n");
    assertThat(history.lines().badMessages()).isEmpty();
    assertThat(history.jobs().get(1))
        .usingRecursiveComparison()
        .ignoringFields("name")
        .isEqualTo(history.jobs().get(0));
  }

  @Test
  void fieldsOfAnotherTypeAreNotPassedOver() throws IOException {
    String job = "\"submit\": 0, \"duration\": 1, \"requests\": {\"cpu\": 1}";
    ImmutableList<String> fields = ImmutableList.of(
        "\"user\": {}",
        "\"queue\": true",
        "\"nodeSelector\": [\"gpu\"]",
        "\"nodeSelector\": {\"gpu\": {}}",
        "\"checkpoints\": 30",
        "\"after\": [1]",
        "\"cancelAfter\": -1",
        "\"cancelAfter\": \"1h\"",
        "\"user\": \"a\", \"user\": \"b\"");
    StringBuilder text = new StringBuilder("{\"id\": \"good\", " + job + "}\n");
    for (int i = 0; i < fields.size(); i++) {
      text.append("{\"id\": \"j" + i + "\", " + job + ", " + fields.get(i) + "}\n");
    }
    History history = read(text + "{\"id\": \"x\", " + job + "} {\"id\": \"y\", " + job + "}\n");
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().badMessages())
        .containsExactly(
            "line 2: user is {}; expected text",
            "line 3: queue is true; expected text",
            "line 4: nodeSelector is [\"gpu\"]; expected an object",
            "line 5: nodeSelector.gpu is {}; expected text",
            "line 6: checkpoints is 30; expected an object",
            "line 7: after has 1; expected ids",
            "line 8: cancelAfter is -1; expected seconds, at least 0 and at most a century",
            "line 9: cancelAfter is \"1h\"; expected seconds, at least 0 and at most a century",
            "line 10: not JSON: Duplicate field 'user' for `ObjectNode`",
            "line 11: more than one JSON value; expected one object per line");
  }

  @Test
  void badJsonLinesSayWhatIsWrong() throws IOException {
    String rest = "\"duration\": 1, \"requests\": {\"cpu\": 1}}\n";
    History history = read("{\"id\": \"a\", \"submit\": 0, " + rest
        + "{\"id\": \"A b\", \"submit\": 0, " + rest
        + "{\"id\": \"c\", \"submit\": -1, " + rest
        + "{\"id\": \"d\", \"submit\": \"2026-02-01T00:00:00Z\", " + rest
        + "{\"id\": \"e\", \"submit\": 0, \"usr\": 1, " + rest
        + "{\"id\": \"f\", \"submit\": 0, \"pods\": 0, " + rest
        + "{\"id\": \"g\", \"submit\": 0, \"duration\": 1}\n"
        + "{\"id\": NaN}\n"
        + "[1]\n"
        + "{\"id\": \"j\", \"submit\": 0, \"duration\": 1, \"requests\": {\"no name\": 1}}\n");
    assertThat(history.jobs()).hasSize(1);
    assertThat(history.lines().badMessages())
        .hasSize(9)
        .anyMatch(message -> message.startsWith("line 2: id is \"A b\"; expected"))
        .anyMatch(message -> message.startsWith("line 3: submit is -1; expected"))
        .contains("line 4: submit is a time, and those before are seconds")
        .contains("line 5: unknown field usr")
        .contains("line 6: pods is 0; expected a whole number from 1")
        .contains("line 7: requests is missing; expected quantities by resource")
        .contains("line 8: not JSON: Non-standard token 'NaN'")
        .contains("line 9: expected a JSON object")
        .contains("line 10: requests has 'no name'; expected the name of a resource");
  }
}
