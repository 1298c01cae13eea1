package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.MoreFiles;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
import io.kueue4j.examples.trace.TraceConfiguration.Level;
import io.kueue4j.examples.trace.TraceConfiguration.NodeTree;
import io.kueue4j.examples.trace.TraceConfiguration.Placement;
import io.kueue4j.examples.trace.TraceConfiguration.QueuesSet;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadClass;
import io.kueue4j.examples.trace.TraceConfiguration.WorkloadsSet;
import io.kueue4j.k8s.yaml.Fields;
import io.kueue4j.k8s.yaml.Issues;
import io.kueue4j.k8s.yaml.ManifestException;
import io.kueue4j.k8s.yaml.ManifestIssue;
import io.kueue4j.k8s.yaml.YamlDocument;
import io.kueue4j.k8s.yaml.YamlMapping;
import io.kueue4j.k8s.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A file that configures a trace, in the format of Kueue's {@code generator.yaml}.
 *
 * @param configuration the trace
 * @param notes fields that are not known, and so do nothing
 */
public record TraceFile(TraceConfiguration configuration, ImmutableList<ManifestIssue> notes) {
  /**
   * Reads a file.
   *
   * @throws InputException if it cannot be read or understood; says every place
   */
  public static TraceFile read(Path file) {
    try {
      return read(MoreFiles.getNameWithoutExtension(file), file.toString(), Files.readString(file));
    } catch (ManifestException e) {
      throw new InputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }

  private static TraceFile read(String name, String source, String text) {
    ImmutableList<YamlDocument> documents = YamlReader.read(source, text).stream()
        .filter(document -> document.root() instanceof YamlMapping)
        .collect(toImmutableList());
    if (documents.size() != 1) {
      throw new InputException(
          source + ": " + documents.size() + " documents with fields; expected one, with cohorts");
    }
    Issues issues = new Issues(source, 1);
    Fields root = Fields.of((YamlMapping) documents.get(0).root(), "", issues);
    ImmutableList<CohortClass> cohorts =
        root.objects("cohorts").stream().map(TraceFile::cohort).collect(toImmutableList());
    if (cohorts.isEmpty()) {
      root.problem("cohorts", "missing; expected at least one");
    }
    Optional<NodeTree> topology =
        root.has("topology") ? Optional.of(topology(root.object("topology"))) : Optional.empty();
    // There is one flavor, and how it is called changes nothing.
    root.object("resourceFlavor").ignoreAll();
    root.noteUnknown();
    issues.throwProblems();
    return new TraceFile(new TraceConfiguration(name, topology, cohorts), issues.notes());
  }

  private static NodeTree topology(Fields fields) {
    ImmutableList<Fields> levels = fields.objects("levels");
    if (levels.isEmpty()) {
      fields.problem("levels", "missing; expected at least one");
    }
    Map<String, String> allocatable = new LinkedHashMap<>();
    // As many pods as a kubelet takes if nobody says otherwise.
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
    return new WorkloadsSet(
        count(fields),
        millis(fields, "creationIntervalMs"),
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
      fields.problem("tasLevel", "missing; expected the label of a level");
    }
    return closeness.map(
        chosen -> new Placement(chosen == Closeness.REQUIRED, level.orElse(""), sliceSize));
  }

  /** Words for how close together pods are to be. */
  private enum Closeness {
    REQUIRED("required"),
    PREFERRED("preferred"),
    /** As close as preferred; the size of slices says how evenly they are spread. */
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
    if (millis < 0) {
      fields.problem(name, millis + "; expected 0 or more milliseconds");
    }
    return millis;
  }

  private static String quantity(Fields fields, String name) {
    if (!fields.has(name)) {
      fields.problem(name, "missing; expected a number of cores");
    }
    return fields.quantity(name).orElse("0");
  }

  private static PreemptionPolicy policy(Fields fields, String name) {
    return fields
        .choice(name, Arrays.asList(PreemptionPolicy.values()))
        .orElse(PreemptionPolicy.NEVER);
  }
}
