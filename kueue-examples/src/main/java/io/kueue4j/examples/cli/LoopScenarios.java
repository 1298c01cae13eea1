package io.kueue4j.examples.cli;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.core.lint.LoopReport;
import io.kueue4j.core.lint.LoopReport.Loop;
import io.kueue4j.core.lint.LoopReport.Step;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.resource.Quantity;
import io.kueue4j.examples.simulation.ConfigurationWriter;
import io.kueue4j.examples.simulation.UnreadableFiles;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.kueue.KueueConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes loops of preemptions as scenarios for the command {@code test}. */
final class LoopScenarios {
  private static final String CONFIGURATION = "loop-queues.yaml";

  private LoopScenarios() {}

  /** Creates the folder to write into, unless it exists. */
  static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw UnreadableFiles.writeFailure(folder, e);
    }
  }

  /** Writes the queues and what configures Kueue, and each loop with two of its rounds. */
  static void write(LoopReport report, Manifests manifests, Path folder, PrintWriter out) {
    OutputFile.named(folder.resolve(CONFIGURATION).toString(), out)
        .write(settings(manifests) + queues(report));
    int number = 0;
    for (Loop loop : report.loops()) {
      number++;
      Path file = folder.resolve("loop-" + number + ".scenario.yaml");
      OutputFile.named(file.toString(), out).write(scenario(loop));
    }
  }

  /** {@return the manifests that the settings are read from} */
  private static String settings(Manifests manifests) {
    return manifests.items().stream()
        .filter(manifest -> KueueConfiguration.isOne(manifest)
            || KueueConfiguration.installedVersion(ImmutableList.of(manifest)).isPresent())
        .map(manifest -> Serialization.asYaml(manifest.as(GenericKubernetesResource.class)))
        .collect(joining());
  }

  private static String queues(LoopReport report) {
    return report.configuration().stream()
        .filter(object -> object instanceof ResourceFlavor
            || object instanceof Cohort
            || object instanceof ClusterQueue
            || object instanceof LocalQueue)
        .map(object -> Serialization.asYaml(ConfigurationWriter.write(object)))
        .collect(joining());
  }

  private static String scenario(Loop loop) {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(loop.message()).append('\n');
    text.append("name: ")
        .append(JsonReport.newObject().textNode(loop.message()))
        .append('\n');
    text.append("given: ").append(CONFIGURATION).append('\n');
    text.append("stops: by step\nsteps:\n");
    loop.beginning().forEach(step -> append(step, text));
    text.append("# From here on again and again.\n");
    Stream.of(loop.round(), loop.round()).flatMap(List::stream).forEach(step -> append(step, text));
    return text.toString();
  }

  private static void append(Step step, StringBuilder text) {
    String action = switch (step.event()) {
      case ARRIVES -> "submit: " + manifest(step.workload());
      case HAS_STOPPED -> "stopped: " + step.workload().name();
      case TIME_PASSES -> "wait: PT1S";
    };
    text.append("- ").append(action).append("\n  expect: {evicted: [");
    text.append(
        step.victims().stream().map(victim -> victim.workload().name()).collect(joining(", ")));
    text.append("]}\n");
  }

  private static String manifest(Workload workload) {
    ObjectNode object = JsonReport.newObject();
    object.put("apiVersion", KueueApiVersion.V1BETA2.apiVersion()).put("kind", "Workload");
    object
        .putObject("metadata")
        .put("namespace", workload.namespace())
        .put("name", workload.name());
    ObjectNode spec = object.putObject("spec");
    spec.put("queueName", workload.queueName()).put("priority", workload.priority());
    ObjectNode container = spec.putArray("podSets")
        .addObject()
        .put("name", "main")
        .put("count", 1)
        .putObject("template")
        .putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", "main");
    ObjectNode requests = container.putObject("resources").putObject("requests");
    workload
        .totalRequests()
        .forEach((resource, amount) -> requests.put(resource, Quantity.format(resource, amount)));
    return object.toString();
  }
}
