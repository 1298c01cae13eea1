package io.kueue4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.sun.management.ThreadMXBean;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.manifest.ManifestException;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What it takes to read a file grows as the file does. What counts is the memory that is asked for
 * on the way, because it depends on nothing but the steps taken.
 */
class LargeFilesTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SMALL = 1000;
  private static final int FACTOR = 4;

  private static long allocated(ThrowingCallable action) throws Throwable {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    action.call();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  /** Runs {@code action} on a text, and on one that is {@link #FACTOR} times as long. */
  private static void assertLinear(IntFunction<String> text, Consumer<String> action)
      throws Throwable {
    String small = text.apply(SMALL);
    String large = text.apply(FACTOR * SMALL);
    action.accept(small);
    long bySmall = allocated(() -> action.accept(small));
    long byLarge = allocated(() -> action.accept(large));

    assertThat(byLarge).isLessThan((FACTOR + 1) * bySmall);
  }

  private static String documents(int count, IntFunction<String> document) {
    return IntStream.range(0, count).mapToObj(document).collect(Collectors.joining("---\n"));
  }

  private static String localQueue(String namespace, String name, String clusterQueue) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {namespace: %s, name: %s}
        spec: {clusterQueue: %s}
        """.formatted(namespace, name, clusterQueue);
  }

  private static String clusterQueue(String name) {
    return """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: %s}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: missing
              resources: [{name: cpu, nominalQuota: 1}]
        """.formatted(name);
  }

  private static void simulate(String text) {
    ManifestPlayer.of(ManifestReader.create().read(ManifestSource.of("file", text)));
  }

  @Test
  void aNamespaceIsNotComparedWithEveryClusterQueue() throws Throwable {
    assertLinear(
        count -> documents(count, i -> clusterQueue("cq" + i)) + "---\n"
            + documents(count, i -> localQueue("ns" + i, "lq", "cq" + i)),
        LargeFilesTest::simulate);
  }

  @Test
  void groupsOfALeaderWorkerSetAreNotComparedWithEachOther() throws Throwable {
    String queues = """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ResourceFlavor
        metadata: {name: default}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: cq}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors:
            - name: default
              resources: [{name: cpu, nominalQuota: %d}]
        ---
        """ + localQueue("default", "lq", "cq") + """
        ---
        apiVersion: leaderworkerset.x-k8s.io/v1
        kind: LeaderWorkerSet
        metadata: {name: lws, labels: {kueue.x-k8s.io/queue-name: lq}}
        spec:
          replicas: %d
          leaderWorkerTemplate:
            size: 1
            workerTemplate:
              spec:
                containers: [{name: c, image: x, resources: {requests: {cpu: 1}}}]
        """;

    assertLinear(count -> queues.formatted(count / 2, count), text -> {
      ManifestPlayer simulation = ManifestPlayer.of(ManifestReader.builder()
          .jobKinds(JobKinds.all())
          .build()
          .read(ManifestSource.of("file", text)));
      ImmutableList<SimulatedJob> jobs = simulation.jobs();
      jobs.forEach(simulation::create);
      assertThat(simulation.phase("end", false).jobs()).hasSize(jobs.size());
    });
  }

  @Test
  void thePlacesOfViolationsAreNotSearchedOneByOne() throws Throwable {
    assertLinear(
        count -> documents(count, i -> localQueue("ns", "wrong_" + i, "cq")),
        text -> assertThatThrownBy(() -> simulate(text)).isInstanceOf(InputException.class));
  }

  @Test
  void theProblemsOfADocumentAreNotSortedForEachItem() throws Throwable {
    assertLinear(
        count -> "apiVersion: v1\nkind: List\nitems:\n"
            + IntStream.range(0, count)
                .mapToObj(i -> "- {apiVersion: v1, kind: Namespace, metadata: 7}\n")
                .collect(Collectors.joining()),
        text -> assertThatThrownBy(() -> simulate(text)).isInstanceOf(ManifestException.class));
  }
}
