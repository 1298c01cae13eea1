package io.kueue4j.examples.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.configuration.ClusterConfiguration;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.LivePod;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.PodGroups;
import io.kueue4j.examples.controller.record.WorkloadRecords;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.state.EngineBook;
import io.kueue4j.examples.controller.state.JobEventRecorder;
import io.kueue4j.examples.controller.state.JobReader;
import io.kueue4j.examples.controller.state.JobWrites;
import io.kueue4j.examples.controller.state.WorkloadPods;
import io.kueue4j.examples.controller.write.Workers;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which jobs are due after which events. */
class KnownJobsTest {
  private final WorkList work = new WorkList();
  private final WorkloadPods pods =
      new WorkloadPods(ControllerOptions.defaults().settings().kueueVersion());
  private final KnownJobs known = known();

  private KnownJobs known() {
    ControllerOptions options = ControllerOptions.defaults();
    InstantSource clock = InstantSource.system();
    ClusterConnection writes =
        ClusterConnection.of(StrictCluster.create(ServerVersion.KUBERNETES_1_35, clock), "it");
    EngineBook book = new EngineBook(AdmissionEngine.builder().clock(clock).build(), clock);
    ClusterConfiguration configuration = new ClusterConfiguration(book.engine(), book::hear);
    ObjectCache cache = new ObjectCache();
    JobReader reader = new JobReader(options, cache, configuration);
    JobEventRecorder events = new JobEventRecorder(writes, clock);
    JobWrites jobWrites = new JobWrites(writes, object -> {}, clock, events, Workers.one());
    JobContext context = new JobContext(
        book,
        configuration,
        reader,
        new WorkloadRecords(book, reader, jobWrites),
        pods,
        jobWrites,
        events);
    return new KnownJobs(context, cache, work, new LeftJobs(context, work), options.tpuSlices());
  }

  private static Job job(String namespace) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName("job")
        .withUid(namespace)
        .withLabels(Map.of("kueue.x-k8s.io/queue-name", "queue"))
        .endMetadata()
        .build();
  }

  private ImmutableList<ObjectKey> allDue() {
    ImmutableList.Builder<ObjectKey> due = ImmutableList.builder();
    for (Optional<ObjectKey> next = work.poll(); next.isPresent(); next = work.poll()) {
      due.add(next.get());
    }
    return due.build();
  }

  private void see(HasMetadata object) {
    known.see(ClusterEvent.changed(object));
  }

  @Test
  void aLimitRangeConcernsTheJobsOfItsNamespace() {
    see(job("a"));
    see(job("b"));
    assertThat(allDue()).hasSize(2);

    see(new LimitRangeBuilder()
        .withNewMetadata()
        .withNamespace("a")
        .withName("limits")
        .endMetadata()
        .build());
    assertThat(allDue()).containsExactly(ObjectKey.of(job("a")));

    see(new PriorityClassBuilder()
        .withNewMetadata()
        .withName("high")
        .endMetadata()
        .build());
    assertThat(allDue()).containsExactlyInAnyOrder(ObjectKey.of(job("a")), ObjectKey.of(job("b")));
  }

  /** Otherwise a tenant could name more and more. */
  @Test
  void podsThatAWorkloadOwnsNoMoreAreForgotten() {
    see(workloadOwnedBy("member", "former"));
    see(workloadOwnedBy("member"));
    see(pod("former"));
    see(pod("member"));
    assertThat(pods.of(ImmutableSet.of(PodGroups.key("default", "group").toString())))
        .extracting(LivePod::key)
        .containsExactly(ObjectKey.of(pod("member")));
  }

  /** A Workload says of what it is owned, and tenants write that. */
  @Test
  void aWorkloadTakesNoPodFromTheOwnersOfItsJob() {
    Job child = new JobBuilder(job("default"))
        .editMetadata()
        .addNewOwnerReference()
        .withKind("JobSet")
        .withName("set")
        .withUid("set")
        .endOwnerReference()
        .endMetadata()
        .build();
    see(child);
    see(workloadOwnedBy("default"));
    see(workloadOwnedBy());
    see(new PodBuilder(pod("member"))
        .editMetadata()
        .addNewOwnerReference()
        .withKind("Job")
        .withName("job")
        .withUid("default")
        .endOwnerReference()
        .endMetadata()
        .build());
    assertThat(pods.of(ImmutableSet.of(WorkloadPods.owner("default", "set")))).hasSize(1);
  }

  private static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withUid(name)
        .endMetadata()
        .build();
  }

  /** {@return the Workload of a group of pods with these names and uids} */
  private static GenericKubernetesResource workloadOwnedBy(String... members) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("kueue.x-k8s.io/v1beta2")
        .withKind("Workload")
        .withNewMetadata()
        .withNamespace("default")
        .withName("group")
        .withAnnotations(Map.of("kueue.x-k8s.io/is-group-workload", "true"))
        .withOwnerReferences(Stream.of(members)
            .map(member -> new OwnerReferenceBuilder()
                .withKind("Pod")
                .withName(member)
                .withUid(member)
                .build())
            .toList())
        .endMetadata()
        .build();
  }
}
