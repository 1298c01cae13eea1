package io.kueue4j.examples.history;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.examples.history.HistoryJob.Labels;
import io.kueue4j.examples.history.HistoryJob.Times;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the traces of GPU clusters that Alibaba has published as {@code cluster-trace-gpu-v2023}:
 * pods that may share a GPU, and the nodes of the cluster.
 *
 * <p>Parts of GPUs are amounts of a resource of their own, in thousandths. A node counts as one
 * pool of them: which GPU of a node a pod shares is not decided by Kueue.
 */
final class OpenbReader {
  /** The first column of the files of pods. */
  static final String HEAD = "name,cpu_milli,";

  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final String GPU = "alibabacloud.com/gpu-milli";
  private static final String MODEL = "alibabacloud.com/gpu-model";
  private static final String NO_GPU = "cpu-only";
  private static final String TOPOLOGY = "nodes";
  private static final String CLUSTER = "cluster";

  /** The default limit of a kubelet. */
  private static final long PODS_PER_NODE = 110;

  private static final long MEBIBYTE = 1L << 20;
  private static final Splitter MODELS = Splitter.on('|').omitEmptyStrings();

  private OpenbReader() {}

  /**
   * {@return the history}
   *
   * @param source the name of the file
   * @param input its lines
   * @param nodes the nodes of the cluster; empty if they are not known
   * @param limit the largest number of jobs
   */
  static History read(String source, ByteLines input, List<ConfigObject> nodes, int limit)
      throws IOException {
    SkippedLines skipped = new SkippedLines();
    JobList jobs = new JobList(skipped);
    Map<PodSet, List<PodSet>> podSets = new HashMap<>();
    CsvLines rows = new CsvLines(
        source,
        ',',
        input,
        skipped,
        "name",
        "cpu_milli",
        "memory_mib",
        "num_gpu",
        "gpu_milli",
        "gpu_spec",
        "qos",
        "creation_time",
        "deletion_time",
        "scheduled_time");
    while (jobs.size() < limit && rows.next()) {
      double created = rows.number("creation_time");
      double deleted = rows.number("deletion_time");
      double scheduled = rows.number("scheduled_time");
      if (!DnsNames.isSubdomain(rows.text("name"))) {
        skipped.bad(rows.number(), "name is no name of a pod");
      } else if (created < 0 || rows.number("cpu_milli") < 0 || rows.number("memory_mib") < 0) {
        skipped.bad(rows.number(), "cpu_milli, memory_mib or creation_time is no number");
      } else if (scheduled < 0 || deleted < scheduled) {
        skipped.leftOut(rows.number(), "the pod never ran, or has no end");
      } else if (Math.max(created, deleted) > Times.MAX_SECONDS) {
        skipped.bad(rows.number(), "a time of more than a century");
      } else {
        PodSet pods = pods(rows);
        jobs.add(
            HistoryJob.of(
                rows.text("name"),
                new Times(
                    millis(created),
                    Math.max(0, millis(scheduled) - millis(created)),
                    millis(deleted) - millis(scheduled),
                    -1,
                    0,
                    -1),
                new Labels("", rows.text("qos"), "", ""),
                podSets.computeIfAbsent(pods, ImmutableList::of)),
            rows.number());
      }
    }
    return new History(
        source, History.UNKNOWN_START, jobs.finish(), History.Machine.of(nodes), skipped);
  }

  private static long millis(double seconds) {
    return Math.round(seconds * 1000);
  }

  private static PodSet pods(CsvLines row) {
    PodSet.Builder pods = PodSet.builder()
        .count(1)
        .requestAmount(CPU, (long) row.number("cpu_milli"))
        .requestAmount(MEMORY, ((long) row.number("memory_mib")) * MEBIBYTE);
    double gpus = row.number("num_gpu");
    if (gpus > 0) {
      pods.requestAmount(GPU, Math.round(gpus * Math.max(0, row.number("gpu_milli"))));
      String[] models = MODELS.splitToList(row.text("gpu_spec")).toArray(String[]::new);
      if (models.length > 0) {
        pods.addAllNodeAffinity(
            ImmutableList.of(NodeSelectorTerm.of(LabelRequirement.in(MODEL, models))));
      }
    }
    return pods.build();
  }

  /**
   * {@return the nodes of a file, a flavor for each model of GPU, and a ClusterQueue with all that
   * they have}
   */
  static List<ConfigObject> readNodes(String source, ByteLines input) throws IOException {
    SkippedLines skipped = new SkippedLines();
    CsvLines rows =
        new CsvLines(source, ',', input, skipped, "sn", "cpu_milli", "memory_mib", "gpu", "model");
    ImmutableList.Builder<ConfigObject> objects = ImmutableList.builder();
    objects.add(Topology.of(TOPOLOGY, Topology.HOSTNAME));
    Map<String, long[]> totals =
        new TreeMap<>(Comparator.comparing((String model) -> !model.equals(NO_GPU))
            .thenComparing(Comparator.naturalOrder()));
    while (rows.next()) {
      long[] has = {
        (long) rows.number("cpu_milli"),
        ((long) rows.number("memory_mib")) * MEBIBYTE,
        ((long) rows.number("gpu")) * 1000
      };
      if (has[0] < 0 || has[1] < 0 || has[2] < 0 || !DnsNames.isSubdomain(rows.text("sn"))) {
        skipped.bad(rows.number(), "cpu_milli, memory_mib or gpu is no number");
        continue;
      }
      String model = rows.text("model").isEmpty() ? NO_GPU : rows.text("model");
      objects.add(Node.builder()
          .name(rows.text("sn"))
          .putLabels(Topology.HOSTNAME, rows.text("sn"))
          .putLabels(MODEL, model)
          .allocatableAmount(CPU, has[0])
          .allocatableAmount(MEMORY, has[1])
          .allocatableAmount(GPU, has[2])
          .allocatableAmount("pods", PODS_PER_NODE)
          .build());
      long[] total = totals.computeIfAbsent(model, unused -> new long[has.length]);
      for (int i = 0; i < has.length; i++) {
        total[i] += has[i];
      }
    }
    SkippedLines.throwBad(source, skipped);
    totals
        .keySet()
        .forEach(model -> objects.add(ResourceFlavor.builder()
            .name(Ascii.toLowerCase(model))
            .putNodeLabels(MODEL, model)
            .topologyName(TOPOLOGY)
            .build()));
    return objects
        .add(ClusterQueue.builder()
            .name(CLUSTER)
            .namespaceSelector(LabelSelector.everything())
            .addResourceGroups(ResourceGroup.of(totals.entrySet().stream()
                .map(total -> FlavorQuotas.of(
                    Ascii.toLowerCase(total.getKey()),
                    ResourceQuota.ofAmount(CPU, total.getValue()[0]),
                    ResourceQuota.ofAmount(MEMORY, total.getValue()[1]),
                    ResourceQuota.ofAmount(GPU, total.getValue()[2])))
                .toArray(FlavorQuotas[]::new)))
            .build())
        .build();
  }
}
