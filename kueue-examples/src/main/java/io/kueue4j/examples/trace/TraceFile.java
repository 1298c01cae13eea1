package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import com.google.common.math.LongMath;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.TextFiles;
import io.kueue4j.examples.simulation.YamlFile;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
import io.kueue4j.examples.trace.TraceConfiguration.Level;
import io.kueue4j.examples.trace.TraceConfiguration.NodeTree;
import io.kueue4j.examples.trace.TraceConfiguration.Placement;
import io.kueue4j.examples.trace.TraceConfiguration.QueuesSet;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadClass;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadsSet;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A file that configures a trace, in the format of Kueue's {@code generator.yaml}.
 *
 * @param configuration the trace
 * @param notes unknown fields, which have no effect
 */
public record TraceFile(TraceConfiguration configuration, List<ManifestIssue> notes) {
  private static final long MAX_QUEUES = 1_000_000;
  private static final long MAX_WORKLOADS = 10_000_000;
  private static final long MAX_NODES = 1_000_000;
  private static final long MAX_MILLIS = Duration.ofDays(36_525).toMillis();

  /**
   * Reads a file.
   *
   * @throws InputException if it is unreadable or malformed; names every position
   */
  public static TraceFile read(InputFile file) {
    return read(file, TextFiles.read(file));
  }

  /**
   * Reads the text of a file.
   *
   * @throws InputException if it is malformed; names every position
   */
  public static TraceFile read(InputFile file, String text) {
    String name = file.path().map(MoreFiles::getNameWithoutExtension).orElse("input");
    YamlFile<TraceConfiguration> read =
        YamlFile.read(file.toString(), text, "cohorts", root -> configuration(name, root));
    return new TraceFile(read.content(), read.notes());
  }

  private static TraceConfiguration configuration(String name, Fields root) {
    ImmutableList<CohortClass> cohorts =
        root.objects("cohorts").stream().map(TraceFile::cohort).collect(toImmutableList());
    if (cohorts.isEmpty()) {
      root.missing("cohorts", "at least one");
    }
    Optional<NodeTree> topology =
        root.has("topology") ? Optional.of(topology(root.object("topology"))) : Optional.empty();
    checkSizes(root, cohorts, topology);
    // There is one flavor, and its name does not matter.
    root.object("resourceFlavor").ignoreAll();
    return new TraceConfiguration(name, topology, cohorts);
  }

  /** Rejects numbers that are valid individually but together need too much memory. */
  private static void checkSizes(
      Fields root, ImmutableList<CohortClass> cohorts, Optional<NodeTree> topology) {
    long queues = 0;
    long workloads = 0;
    for (CohortClass cohort : cohorts) {
      for (QueuesSet set : cohort.queuesSets()) {
        long count = LongMath.saturatedMultiply(cohort.count(), set.count());
        queues = LongMath.saturatedAdd(queues, count);
        for (WorkloadsSet arriving : set.workloadsSets()) {
          long each = (long) arriving.count() * arriving.workloads().size();
          workloads = LongMath.saturatedAdd(workloads, LongMath.saturatedMultiply(count, each));
        }
      }
    }
    long nodes = topology.isEmpty() ? 0 : 1;
    for (Level level : topology.map(NodeTree::levels).orElse(ImmutableList.of())) {
      nodes = LongMath.saturatedMultiply(nodes, level.count());
    }
    checkSize(root, "cohorts", queues, MAX_QUEUES, "queues");
    checkSize(root, "cohorts", workloads, MAX_WORKLOADS, "workloads");
    checkSize(root, "topology", nodes, MAX_NODES, "nodes");
  }

  private static void checkSize(Fields root, String field, long size, long limit, String unit) {
    if (size > limit) {
      root.problem(field, size + " " + unit + " in all; expected at most " + limit);
    }
  }

  private static NodeTree topology(Fields fields) {
    List<Fields> levels = fields.objects("levels");
    if (levels.isEmpty()) {
      fields.missing("levels", "at least one");
    }
    Map<String, String> allocatable = new LinkedHashMap<>();
    // The default limit of a kubelet.
    allocatable.put("pods", "110");
    levels.forEach(level -> allocatable.putAll(level.quantities("capacity")));
    return new NodeTree(
        name(fields, "name"),
        levels.stream().map(TraceFile::level).collect(toImmutableList()),
        ImmutableMap.copyOf(allocatable));
  }

  private static Level level(Fields fields) {
    return new Level(name(fields, "name"), fields.requiredText("nodeLabel"), count(fields));
  }

  private static CohortClass cohort(Fields fields) {
    return new CohortClass(
        className(fields),
        count(fields),
        fields.objects("queuesSets").stream().map(TraceFile::queues).collect(toImmutableList()));
  }

  private static QueuesSet queues(Fields fields) {
    return new QueuesSet(
        className(fields),
        count(fields),
        quantity(fields, "nominalQuota"),
        fields.quantity("borrowingLimit"),
        policy(fields, "reclaimWithinCohort"),
        policy(fields, "withinClusterQueue"),
        fields.objects("workloadsSets").stream()
            .map(TraceFile::workloads)
            .collect(toImmutableList()));
  }

  private static WorkloadsSet workloads(Fields fields) {
    int count = count(fields);
    long interval = millis(fields, "creationIntervalMs");
    if (LongMath.saturatedMultiply(interval, count) > MAX_MILLIS) {
      fields.problem(
          "creationIntervalMs",
          interval + "; with a count of " + count + " the last workload arrives after more than "
              + MAX_MILLIS + " milliseconds");
    }
    return new WorkloadsSet(
        count,
        interval,
        fields.objects("workloads").stream().map(TraceFile::workload).collect(toImmutableList()));
  }

  private static WorkloadClass workload(Fields fields) {
    return new WorkloadClass(
        className(fields),
        millis(fields, "runtimeMs"),
        fields.integer("priority").orElse(0),
        quantity(fields, "request"),
        number(fields, "podCount", 1),
        placement(fields).map(ImmutableList::of).orElse(ImmutableList.of()));
  }

  private static Optional<Placement> placement(Fields fields) {
    Optional<Closeness> closeness =
        fields.choice("tasConstraint", Arrays.asList(Closeness.values()));
    OptionalInt sliceSize = fields.has("sliceSize")
        ? OptionalInt.of(number(fields, "sliceSize", 1))
        : OptionalInt.empty();
    Optional<String> level = fields.text("tasLevel");
    if (closeness.isPresent() && level.isEmpty()) {
      fields.missing("tasLevel", "the label of a level");
    }
    return closeness.map(
        chosen -> new Placement(chosen == Closeness.REQUIRED, level.orElse(""), sliceSize));
  }

  /** The words for placement requests. */
  private enum Closeness {
    REQUIRED("required"),
    PREFERRED("preferred"),
    /** As close as preferred; the size of slices determines how evenly they are spread. */
    BALANCED("balanced");

    private final String text;

    Closeness(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static String className(Fields fields) {
    return name(fields, "className");
  }

  private static String name(Fields fields, String field) {
    String name = fields.requiredText(field);
    if (!name.isEmpty() && !DnsNames.isLabel(name)) {
      fields.problem(field, "\"" + name + "\"; expected lower-case letters, digits and '-'");
    }
    return name;
  }

  private static int count(Fields fields) {
    return number(fields, "count", 0);
  }

  private static int number(Fields fields, String field, int least) {
    int number = fields.integer(field).orElse(1);
    if (number < least) {
      fields.problem(field, number + "; expected " + least + " or more");
    }
    return number;
  }

  private static long millis(Fields fields, String name) {
    long millis = fields.wholeNumber(name).orElse(0);
    if (millis < 0 || millis > MAX_MILLIS) {
      fields.problem(name, millis + "; expected 0 to " + MAX_MILLIS + " milliseconds");
      return 0;
    }
    return millis;
  }

  private static String quantity(Fields fields, String name) {
    if (!fields.has(name)) {
      fields.missing(name, "a number of cores");
    }
    return fields.quantity(name).orElse("0");
  }

  private static Preemption.Policy policy(Fields fields, String name) {
    return fields
        .choice(name, Arrays.asList(Preemption.Policy.values()))
        .orElse(Preemption.Policy.NEVER);
  }
}
