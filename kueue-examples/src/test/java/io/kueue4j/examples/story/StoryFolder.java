package io.kueue4j.examples.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder with two ClusterQueues of four cores each in one cohort, and jobs of one core and up.
 */
public final class StoryFolder {
  private static final String QUEUES = """
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: spot}}
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: research}
      spec:
        cohortName: all
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: teaching}
      spec:
        cohortName: all
        namespaceSelector: {}
        preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
        resourceGroups:
        - coveredResources: [cpu]
          flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: queue},
       spec: {clusterQueue: research}}
      ---
      {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lessons},
       spec: {clusterQueue: teaching}}
      """;

  final Path path;
  final List<ManifestIssue> notes = new ArrayList<>();

  /** Creates the manifests in an empty folder. */
  public StoryFolder(Path path) {
    this.path = path;
    write("queues.yaml", QUEUES);
    write("job.yaml", job("job", "queue", 2));
  }

  /** {@return a Job of one pod} */
  static String job(String name, String queue, int cores) {
    return String.format(
        "{apiVersion: batch/v1, kind: Job, metadata: {name: %s, labels: {kueue.x-k8s.io/queue-name:"
            + " %s}}, spec: {suspend: true, template: {spec: {restartPolicy: Never, containers:"
            + " [{name: main, image: busybox, resources: {requests: {cpu: %d}}}]}}}}%n",
        name, queue, cores);
  }

  /** Writes a file, and returns its path. */
  public Path write(String name, String text) {
    try {
      return Files.writeString(path.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@return the text of a file} */
  String text(String name) {
    try {
      return Files.readString(path.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a scenario with these steps, and returns its path. */
  public Path scenario(String steps) {
    return write(
        "a.scenario.yaml", "name: a story\ngiven: queues.yaml\nsteps:\n" + steps.indent(0));
  }

  /** Plays a scenario with these steps. */
  StoryResult play(String steps) {
    return StoryRun.play(Story.read(scenario(steps), notes::add), manifests -> Settings.defaults());
  }

  /** Checks that a scenario with these steps fails, at this line of the steps with this message. */
  void fails(String steps, int line, String message) {
    assertThat(play(steps).failures())
        .extracting(failure -> failure.line() - 3 + ": " + failure.message())
        .containsExactly(line + ": " + message);
  }

  /** Checks that a scenario with these steps passes. */
  void passes(String steps) {
    assertThat(play(steps).failures()).isEmpty();
  }
}
