package io.kueue4j.examples.trace;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import io.kueue4j.core.model.PreemptionPolicy;
import io.kueue4j.core.resource.DnsNames;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.UnreadableFiles;
import io.kueue4j.examples.trace.TraceConfiguration.CohortClass;
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
    root.noteUnknown();
    issues.throwProblems();
    return new TraceFile(new TraceConfiguration(name, cohorts), issues.notes());
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
        quantity(fields, "request"));
  }

  private static String className(Fields fields) {
    String name = fields.requiredText("className");
    if (!name.isEmpty() && !DnsNames.isLabel(name)) {
      fields.problem("className", "\"" + name + "\"; expected lower-case letters, digits and '-'");
    }
    return name;
  }

  private static int count(Fields fields) {
    int count = fields.integer("count").orElse(1);
    if (count < 0) {
      fields.problem("count", count + "; expected 0 or more");
    }
    return count;
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
