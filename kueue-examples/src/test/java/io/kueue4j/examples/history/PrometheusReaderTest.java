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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of the metrics of a cluster. */
class PrometheusReaderTest {
  private final HistoryFile.Options options =
      new HistoryFile.Options(Optional.empty(), "cpu", Optional.empty(), Integer.MAX_VALUE);
  private final List<String> results = new ArrayList<>();

  @TempDir
  private Path folder;

  private History read(HistoryFile.Options read) throws IOException {
    return read(
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
            + String.join(",", results) + "]}}",
        read);
  }

  private History read(String content, HistoryFile.Options read) throws IOException {
    return HistoryFile.read(
        InputFile.of(Files.writeString(folder.resolve("metrics.json"), content)), read);
  }

  /** Adds a result; labels are pairs of names and values, separated by blanks. */
  private void add(String name, double value, String labels) {
    StringBuilder metric = new StringBuilder("\"__name__\":\"" + name + "\",\"namespace\":\"lab\"");
    String[] words = labels.split(" ", -1);
    for (int i = 0; i < words.length; i += 2) {
      metric.append(",\"").append(words[i]).append("\":\"").append(words[i + 1]).append('"');
    }
    results.add("{\"metric\":{" + metric + "},\"value\":[1769860800.123,\"" + value + "\"]}");
  }

  private void job(String name, double created, double started, double completed) {
    add("kube_job_created", created, "job_name " + name);
    add("kube_job_status_start_time", started, "job_name " + name);
    if (completed > 0) {
      add("kube_job_status_completion_time", completed, "job_name " + name);
    }
  }

  private void pod(String name, String job, String resource, double units) {
    add("kube_pod_info", 1, "pod " + name + " created_by_kind Job created_by_name " + job);
    add(
        "kube_pod_container_resource_requests",
        units,
        "pod " + name + " container main resource " + resource);
  }

  @Test
  void aJobRunsFromItsStartToItsCompletion() throws IOException {
    job("train", 1000, 1600, 5200.5);
    add("kube_job_spec_parallelism", 4, "job_name train");
    add("kube_job_spec_completions", 3, "job_name train");
    add("kube_job_labels", 1, "job_name train label_kueue_x_k8s_io_queue_name main");
    pod("train-0", "train", "nvidia_com_gpu", 2);
    add(
        "kube_pod_container_resource_requests",
        0.5,
        "pod train-0 container main resource cpu unit core");
    add("kube_pod_container_resource_requests", 0.25, "pod train-0 container log resource cpu");
    History history = read(options);
    assertThat(history.start()).isEqualTo(Instant.ofEpochSecond(1000));
    HistoryJob job = history.jobs().get(0);
    assertThat(job.name()).isEqualTo("train");
    assertThat(job.times()).isEqualTo(new Times(0, 600_000, 3_600_500, -1, 0, -1));
    assertThat(job.labels()).isEqualTo(new Labels("lab", "", "lab/main", ""));
    assertThat(job.podSets())
        .extracting(PodSet::count, PodSet::requests)
        .containsExactly(tuple(3, Map.of("cpu", 750L, "nvidia.com/gpu", 2L)));
  }

  @Test
  void resourcesAreNamedAsTheQueuesNameThem() throws IOException {
    job("a", 1, 1, 2);
    pod("a-0", "a", "nvidia_com_mig_1g_5gb", 1);
    pod("a-1", "a", "ephemeral_storage", 1024);
    pod("a-2", "a", "memory", 2048);
    pod("a-3", "a", "cpu", 1);
    HistoryFile.Options covered = options.withCovered(
        ImmutableSet.of("nvidia.com/mig-1g.5gb", "ephemeral-storage", "memory"));
    assertThat(read(covered).jobs().get(0).podSets().get(0).requests())
        .isEqualTo(
            Map.of("nvidia.com/mig-1g.5gb", 1L, "ephemeral-storage", 1024L, "memory", 2048L));
    assertThat(read(options).jobs().get(0).podSets().get(0).requests())
        .isEqualTo(Map.of("nvidia.com/mig_1g_5gb", 1L, "cpu", 1000L));
  }

  @Test
  void theJobsOfAnOwnerAreOneJobUnlessItIsACronJob() throws IOException {
    for (String name : List.of("driver", "workers", "spare", "daily")) {
      job(name, 1000 + name.length(), 2000 + name.length(), 3000 + name.length());
      pod(name + "-0", name, "cpu", name.equals("driver") ? 1 : 2);
      add("kube_job_spec_parallelism", name.length(), "job_name " + name);
    }
    for (String name : List.of("driver", "workers", "spare")) {
      add("kube_job_owner", 1, "job_name " + name + " owner_kind JobSet owner_name train");
    }
    add("kube_job_owner", 1, "job_name daily owner_kind CronJob owner_name daily");
    History history = read(options);
    assertThat(history.jobs())
        .extracting(HistoryJob::name, HistoryJob::times)
        .containsExactly(
            tuple("train", new Times(0, 1_000_000, 1_002_000, -1, 0, -1)),
            tuple("daily", new Times(0, 1_000_000, 1_000_000, -1, 0, -1)));
    assertThat(history.jobs().get(0).podSets())
        .extracting(PodSet::name, PodSet::count, PodSet::requests)
        .containsExactly(
            tuple("pods-1", 6, Map.of("cpu", 1000L)), tuple("pods-2", 12, Map.of("cpu", 2000L)));
  }

  @Test
  void namesAreGivenToJobsThatCanBeUsed() throws IOException {
    job("train", 1000, -1, -1);
    for (String name : List.of("workers", "workers-2")) {
      job(name, 1000, 1100, 1200);
      pod(name + "-0", name, "cpu", 1);
      String kind = name.equals("workers") ? "JobSet" : "AppWrapper";
      add("kube_job_owner", 1, "job_name " + name + " owner_kind " + kind + " owner_name train");
    }
    History history = read(options);
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("train", "lab.train");
    assertThat(history.lines().badMessages()).isEmpty();
  }

  @Test
  void aFailedJobEndsWithItsLastPod() throws IOException {
    job("failed", 1000, 1100, -1);
    pod("failed-0", "failed", "cpu", 1);
    pod("failed-1", "failed", "cpu", 1);
    add("kube_pod_completion_time", 1200, "pod failed-0");
    add("kube_pod_completion_time", 1300, "pod failed-1");
    assertThat(read(options).jobs())
        .extracting(HistoryJob::times)
        .containsExactly(new Times(0, 100_000, 200_000, -1, 0, -1));
  }

  @Test
  void jobsWithoutAnEndOrRequestsAreLeftOut() throws IOException {
    job("runs", 1000, 1100, -1);
    pod("runs-0", "runs", "cpu", 1);
    job("waits", 1000, -1, -1);
    job("empty", 1000, 1100, 1200);
    job("done", 1000, 1100, 1200);
    pod("done-0", "done", "cpu", 1);
    add("kube_node_info", 1, "node a");
    History history = read(options);
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("done");
    assertThat(history.lines().leftOutMessages())
        .containsExactly(
            "result 15: a metric that is not used",
            "2 results, 1, 5: the Job has not run to its end",
            "result 7: the Job requests nothing that counts");
  }

  @Test
  void resultsThatCannotBeUsedAreCounted() throws IOException {
    job("done", 1000, 1100, 1200);
    pod("done-0", "done", "cpu", 1);
    job("long", 1, 2, 1e12);
    pod("long-0", "long", "cpu", 1);
    results.add("{}");
    results.add("{\"metric\":{\"__name__\":\"kube_job_created\",\"namespace\":\"lab\"},"
        + "\"value\":[1,\"NaN\"]}");
    History history = read(options);
    assertThat(history.jobs()).extracting(HistoryJob::name).containsExactly("done");
    assertThat(history.lines().badMessages())
        .containsExactly(
            "2 results, 11, 12: the result has no name, namespace or value",
            "result 6: a time of more than a century");
  }

  @Test
  void anAnswerOfAnotherFormIsRefused() {
    HistoryFile.Options prometheus = new HistoryFile.Options(
        Optional.of(HistoryFormat.PROMETHEUS), "cpu", Optional.empty(), Integer.MAX_VALUE);
    Stream.of(
            Map.entry("{\"status\":\"error\"}", "there is no list data.result; expected"),
            Map.entry("{\"data\":{\"result\":{}}}", "there is no list data.result; expected"),
            Map.entry("{\"data\":{\"result\":[{]", "not JSON: Unexpected"),
            Map.entry("{\"data\":{\"result\":[", "not JSON: "))
        .forEach(content -> assertThatThrownBy(() -> read(content.getKey(), prometheus))
            .isInstanceOf(InputException.class)
            .hasMessageContaining(content.getValue()));
  }
}
