package io.kueue4j.examples.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.examples.controller.cluster.ApiWrite;
import io.kueue4j.examples.controller.cluster.ObjectKey;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.StrictSecretStore;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.lease.MemoryLeases;
import io.kueue4j.examples.controller.seal.SealKeys;
import io.kueue4j.examples.controller.seal.SealSecret;
import io.kueue4j.examples.controller.seal.Sealing;
import io.kueue4j.examples.controller.shard.QueueTrees;
import io.kueue4j.examples.simulation.VirtualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a replica does that takes over work, and what it leaves to others. */
class SharedWorkTest {
  private final VirtualClock clock = VirtualClock.create();
  private final StrictCluster cluster = StrictCluster.create(ServerVersion.KUBERNETES_1_36, clock);
  private final MemoryLeases leases = new MemoryLeases();
  private final SealKeys keys = new SealSecret(
          new StrictSecretStore(cluster, "setup"), new SecureRandom(), clock)
      .look()
      .keys()
      .orElseThrow();

  private SharedReplica replica(String name) {
    AtomicBoolean isCut = new AtomicBoolean();
    return new SharedReplica(
        name, cluster, clock, leases.through(isCut), isCut, Recording.inNotes(Sealing.with(keys)));
  }

  private void put(String json) {
    cluster.create(StrictCluster.USER, Trees.toObject(Trees.parse(json)));
  }

  private void createQueue(String name, int quota) {
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
         "metadata": {"name": "%s"},
         "spec": {"namespaceSelector": {},
           "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
             {"name": "f0", "resources": [{"name": "cpu", "nominalQuota": "%d"}]}]}]}}
        """.formatted(name, quota));
  }

  private void createLocalQueue(String name, String clusterQueue) {
    put("""
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
         "metadata": {"name": "%s", "namespace": "default"}, "spec": {"clusterQueue": "%s"}}
        """.formatted(name, clusterQueue));
  }

  private void createJob(String name, String queue, boolean isSuspended) {
    put("""
        {"apiVersion": "batch/v1", "kind": "Job",
         "metadata": {"name": "%s", "namespace": "default",
           "labels": {"kueue.x-k8s.io/queue-name": "%s"}},
         "spec": {"suspend": %s, "template": {"spec": {"restartPolicy": "Never",
           "containers": [{"name": "main", "image": "sleep:1",
             "resources": {"requests": {"cpu": "1"}}}]}}}}
        """.formatted(name, queue, isSuspended));
  }

  private boolean runs(String name) {
    return !cluster
        .get(new ObjectKey("batch", "Job", "default", name), Job.class)
        .orElseThrow()
        .getSpec()
        .getSuspend();
  }

  private void work(SharedReplica... replicas) {
    for (int i = 0; i < 5; i++) {
      clock.advance(Duration.ofSeconds(1));
      for (SharedReplica replica : replicas) {
        replica.renew();
        replica.hearAll();
        replica.round();
        replica.step();
      }
    }
  }

  private Set<String> writers(String job) {
    Set<String> writers = new TreeSet<>();
    for (ApiWrite write : cluster.log()) {
      if (write.key().name().equals(job) && !write.actor().equals(StrictCluster.USER)) {
        writers.add(write.actor());
      }
    }
    return writers;
  }

  @Test
  void aReplicaReadsWhatTheFormerOneHasStartedBeforeItDecides() {
    put("{\"apiVersion\": \"kueue.x-k8s.io/v1beta2\", \"kind\": \"ResourceFlavor\","
        + " \"metadata\": {\"name\": \"f0\"}}");
    createQueue("cq", 1);
    createLocalQueue("lq", "cq");
    createJob("first", "lq", true);
    createJob("second", "lq", true);
    SharedReplica late = replica("late");
    SharedReplica former = replica("former");
    work(former);
    assertThat(runs("first")).isTrue();
    former.leave();

    // It has heard nothing of the start.
    late.renew();
    late.round();
    late.step();

    assertThat(late.held()).contains(QueueTrees.ofQueue("cq"));
    assertThat(runs("first")).isTrue();
    assertThat(runs("second")).isFalse();
    work(late);
    assertThat(runs("first")).as("it was started rightly").isTrue();
    assertThat(runs("second")).isFalse();
    assertThat(writers("first")).containsExactly("former");
  }

  @Test
  void everyJobIsWrittenByOneReplicaWhetherOrNotItHasAQueue() {
    put("{\"apiVersion\": \"kueue.x-k8s.io/v1beta2\", \"kind\": \"ResourceFlavor\","
        + " \"metadata\": {\"name\": \"f0\"}}");
    for (int i = 0; i < 12; i++) {
      createQueue("cq" + i, 1);
      createLocalQueue("lq" + i, "cq" + i);
      createJob("job" + i, "lq" + i, true);
      createJob("lost" + i, "none" + i, true);
    }
    createJob("running", "none", false);
    SharedReplica one = replica("one");
    SharedReplica two = replica("two");
    SharedReplica three = replica("three");
    for (SharedReplica replica : List.of(one, two, three)) {
      replica.renew();
    }

    work(one, two, three);

    Set<String> writers = new TreeSet<>();
    for (int i = 0; i < 12; i++) {
      assertThat(runs("job" + i)).isTrue();
      assertThat(writers("job" + i)).hasSize(1);
      writers.addAll(writers("job" + i));
      assertThat(runs("lost" + i)).isFalse();
    }
    assertThat(writers).hasSizeGreaterThan(1);
    assertThat(runs("running")).isFalse();
    assertThat(writers("running")).hasSize(1);

    createLocalQueue("none0", "cq0");
    createQueue("late", 2);
    createLocalQueue("none1", "late");
    work(one, two, three);
    assertThat(runs("lost0")).as("its queue is full").isFalse();
    assertThat(runs("lost1")).isTrue();
    assertThat(writers("lost1")).hasSize(1);
  }
}
