package io.kueue4j.examples.history;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads the traces of deep-learning jobs of the Muri simulator (SIGCOMM 2022), which are for a
 * cluster of 8 servers with 8 GPUs. A job has one pod on each server that it needs.
 */
final class DeepLearningReader {
  /** The first columns of the files. */
  static final String HEAD = "job_id,num_gpu,";

  private static final String GPU = "nvidia.com/gpu";
  private static final String FLAVOR = "gpu";
  private static final int SERVERS = 8;
  private static final int GPUS = 8;

  private DeepLearningReader() {}

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param input its lines
   * @param limit the largest number of jobs
   */
  static History read(String source, ByteLines input, int limit) throws IOException {
    SkippedLines skipped = new SkippedLines();
    JobList jobs = new JobList(skipped);
    CsvLines rows = new CsvLines(
        source,
        ',',
        input,
        skipped,
        "job_id",
        "num_gpu",
        "submit_time",
        "duration",
        "model_name",
        "priority");
    while (jobs.size() < limit && rows.next()) {
      double gpus = rows.number("num_gpu");
      if (gpus < 1
          || gpus > Integer.MAX_VALUE
          || rows.number("job_id") < 0
          || rows.number("submit_time") < 0
          || rows.number("duration") < 0) {
        skipped.bad(rows.number(), "job_id, num_gpu, submit_time or duration is no number");
        continue;
      }
      jobs.add(
          new HistoryJob(
              "job-" + (long) rows.number("job_id"),
              Times.of((long) rows.number("submit_time"), (long) rows.number("duration")),
              new Labels("", rows.text("model_name"), "", ""),
              ImmutableList.of(pods((int) gpus)),
              (int) Math.max(0, rows.number("priority")),
              ImmutableList.of(),
              Optional.empty(),
              Optional.empty()),
          rows.number());
    }
    return new History(
        source, History.UNKNOWN_START, jobs.finish(), History.Machine.of(cluster()), skipped);
  }

  private static PodSet pods(int gpus) {
    int each = gpus % GPUS == 0 ? GPUS : gpus < GPUS ? gpus : 1;
    return PodSet.builder().count(gpus / each).requestAmount(GPU, each).build();
  }

  private static List<ConfigObject> cluster() {
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(Topology.of("servers", Topology.HOSTNAME));
    IntStream.range(0, SERVERS)
        .mapToObj(i -> Node.builder()
            .name("server-" + i)
            .putLabels(Topology.HOSTNAME, "server-" + i)
            .putLabels(FLAVOR, "true")
            .allocatableAmount(GPU, GPUS)
            .allocatableAmount("pods", 110)
            .build())
        .forEach(objects::add);
    return objects
        .add(ResourceFlavor.builder()
            .name(FLAVOR)
            .putNodeLabels(FLAVOR, "true")
            .topologyName("servers")
            .build())
        .add(ClusterQueue.builder()
            .name("cluster")
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(
                FlavorQuotas.of(FLAVOR, ResourceQuota.ofAmount(GPU, (long) SERVERS * GPUS))))
            .build())
        .build();
  }
}
