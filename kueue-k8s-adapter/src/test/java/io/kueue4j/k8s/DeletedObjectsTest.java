package io.kueue4j.k8s;

import static io.kueue4j.k8s.KubernetesAdmissionTest.PRIORITIES;
import static io.kueue4j.k8s.KubernetesAdmissionTest.QUEUES;
import static io.kueue4j.k8s.KubernetesAdmissionTest.high;
import static io.kueue4j.k8s.KubernetesAdmissionTest.job;
import static io.kueue4j.k8s.KubernetesAdmissionTest.onlyWorkload;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.kueue4j.core.decision.TpuPoolSetView;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.ApplyResult.ObjectResult.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is deleted has no effect any more. */
class DeletedObjectsTest {
  private final KubernetesAdmission admission = KubernetesAdmission.create();

  @CanIgnoreReturnValue
  private ApplyResult apply(HasMetadata... objects) {
    return admission.apply(objects);
  }

  @CanIgnoreReturnValue
  private ApplyResult apply(String... texts) {
    ImmutableList.Builder<ManifestSource> sources = ImmutableList.builder();
    for (String text : texts) {
      sources.add(ManifestSource.of("x.yaml", text));
    }
    return admission.apply(sources.build());
  }

  @Test
  void whatIsDeletedIsGone() {
    Manifests queues =
        ManifestReader.create().read(ManifestSource.of("q.yaml", QUEUES + "---\n" + PRIORITIES));
    HasMetadata[] objects = queues.items().stream()
        .map(item -> item.as(GenericKubernetesResource.class))
        .toArray(HasMetadata[]::new);
    apply(objects);
    WorkloadId id = onlyWorkload(apply(high("train", "4")));
    admission.engine().runCycle();

    assertThat(admission.delete(objects[1]).problems())
        .singleElement()
        .satisfies(problem ->
            assertThat(problem.toString()).startsWith("ClusterQueue research: still needed: "));
    assertThat(admission.delete(job("other", "4")).objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(Outcome.IGNORED);

    ApplyResult deleted = admission.delete(high("train", "4"));
    assertThat(deleted.objects())
        .extracting(ApplyResult.ObjectResult::outcome)
        .containsExactly(Outcome.DELETED);
    assertThat(deleted.objects().get(0).workloads()).containsExactly(id);
    assertThat(admission.job(id)).isEmpty();
    assertThat(admission.engine().admission(id)).isEmpty();

    assertThat(admission.delete(objects[3], objects[2], objects[1], objects[0]).accepted())
        .hasSize(4);
    assertThat(admission.engine().view().clusterQueues()).isEmpty();
    assertThat(admission.engine().view().localQueues()).isEmpty();
    assertThat(apply(high("late", "1")).refused()).hasSize(1);
  }

  @Test
  void aPodThatIsDeletedIsNoMemberOfItsGroup() {
    apply(QUEUES);
    Pod first = member("member-0");
    apply(first);
    assertThat(admission.delete(first).refused()).isEmpty();

    assertThat(apply(member("member-1")).workloads()).isEmpty();
    assertThat(apply(member("member-2")).workloads()).hasSize(1);
  }

  private static Pod member(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName(name)
        .addToLabels("kueue.x-k8s.io/queue-name", "queue")
        .addToLabels("kueue.x-k8s.io/pod-group-name", "group")
        .addToAnnotations("kueue.x-k8s.io/pod-group-total-count", "2")
        .endMetadata()
        .withNewSpec()
        .addNewSchedulingGate("kueue.x-k8s.io/admission")
        .addNewContainer()
        .withName("main")
        .endContainer()
        .endSpec()
        .build();
  }

  @Test
  void nodesAndThePodsOnThemCountUntilTheyAreDeleted() {
    String flavor = QUEUES.replace(
        "{nodeLabels: {pool: spot}}", "{nodeLabels: {pool: spot}, topologyName: hosts}");
    apply(flavor, """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Topology
        metadata: {name: hosts}
        spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
        """);
    Node node = new NodeBuilder()
        .withNewMetadata()
        .withName("n1")
        .addToLabels("pool", "spot")
        .addToLabels("kubernetes.io/hostname", "n1")
        .endMetadata()
        .withNewStatus()
        .addToAllocatable("cpu", new Quantity("2"))
        .addToAllocatable("pods", new Quantity("10"))
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
    Pod other = new PodBuilder()
        .withNewMetadata()
        .withNamespace("team-b")
        .withName("other")
        .endMetadata()
        .withNewSpec()
        .withNodeName("n1")
        .addNewContainer()
        .withName("main")
        .withNewResources()
        .addToRequests("cpu", new Quantity("1"))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
    apply(other, node);
    WorkloadId id = onlyWorkload(apply(job("train", "2")));
    assertThat(admission.engine().runCycle().admitted()).isEmpty();

    assertThat(admission.delete(other).accepted()).hasSize(1);
    assertThat(admission.engine().runCycle().admitted())
        .extracting(Admission::workload)
        .containsExactly(id);

    assertThat(admission.finish(id).removed()).isNotEmpty();
    assertThat(admission.delete(node).accepted()).hasSize(1);
    apply(job("train", "2"));
    assertThat(admission.engine().runCycle().admitted()).isEmpty();
  }

  @Test
  void tpuChipsAreGivenAsSlicesOfTheNodesThatThereAre() {
    String folder = "manifests/001-tpu-multislice-jobset/";
    Manifests nodes = LiveObjectsTest.text(folder + "00-nodes.derived.yaml");
    KubernetesAdmission slices = KubernetesAdmission.builder().tpuSlices(true).build();
    ImmutableList.Builder<ManifestSource> sources = ImmutableList.builder();
    for (String file : List.of("21-jobsets-standard", "10-kueue", "00-nodes.derived")) {
      sources.add(ManifestSource.of(file, LiveObjectsTest.content(folder + file + ".yaml")));
    }
    ApplyResult result = slices.apply(sources.build());

    assertThat(result.refused()).isEmpty();
    assertThat(slices.engine().view().tpuPoolSets()).hasSize(1);
    assertThat(slices.engine().runCycle().admitted())
        .isNotEmpty()
        .allSatisfy(
            admitted -> assertThat(admitted.podSetAssignments().get(0).slices()).isNotEmpty());

    Node gone = nodes.items("", "Node").get(0).as(Node.class);
    TpuPoolSetView before = slices.engine().view().tpuPoolSets().get(0);
    assertThat(slices.delete(gone).accepted()).hasSize(1);
    assertThat(slices.engine().view().tpuPoolSets().get(0).fleet()).isNotEqualTo(before.fleet());
  }
}
