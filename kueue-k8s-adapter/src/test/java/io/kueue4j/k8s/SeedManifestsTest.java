package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.io.Resources;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ClusterQueue.QueueingStrategy;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.LabelSelector;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Preemption;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The unmodified manifests of the tutorials. */
class SeedManifestsTest {
  private static String text(String file) {
    try {
      return Resources.toString(Resources.getResource("manifests/" + file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Manifests read(String... files) {
    return ManifestReader.create()
        .read(Arrays.stream(files)
            .map(file -> ManifestSource.of(file, text(file)))
            .toList());
  }

  private static ClusterQueue queue(String name, ResourceQuota... quotas) {
    return ClusterQueue.builder()
        .name(name)
        .namespaceSelector(LabelSelector.everything())
        .queueingStrategy(QueueingStrategy.BEST_EFFORT_FIFO)
        .addResourceGroups(ResourceGroup.of(FlavorQuotas.of("default-flavor", quotas)))
        .build();
  }

  @Test
  void batchSystemOnGke() {
    String folder = "000-gke-batch-jobs/";
    Manifests manifests = read(
        folder + "00-namespaces.yaml",
        folder + "10-flavors.yaml",
        folder + "20-cluster-queue.yaml",
        folder + "30-local-queues.yaml",
        folder + "40-job-team-a.yaml",
        folder + "41-job-team-b.stand-in.yaml");

    assertThat(manifests.configObjects())
        .containsExactly(
            Namespace.of("team-a"),
            Namespace.of("team-b"),
            ResourceFlavor.of("default-flavor"),
            queue(
                "cluster-queue",
                ResourceQuota.of("cpu", "10"),
                ResourceQuota.of("memory", "10Gi"),
                ResourceQuota.of("nvidia.com/gpu", "10"),
                ResourceQuota.of("ephemeral-storage", "10Gi")),
            LocalQueue.of("team-a", "lq-team-a", "cluster-queue"),
            LocalQueue.of("team-b", "lq-team-b", "cluster-queue"));
    Manifest manifest = manifests.items("batch", "Job").get(0);
    assertThat(manifest.name()).isEmpty();
    assertThat(manifest.generateName()).hasValue("sample-job-team-a-");
    Job job = manifest.as(Job.class);
    assertThat(job.getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .get(0)
            .getResources()
            .getRequests())
        .containsEntry("cpu", new Quantity("500m"));
    assertThat(manifests.notes())
        .extracting(ManifestIssue::field)
        .containsExactly(
            "metadata.annotations[kueue.x-k8s.io/queue-name]",
            "metadata.annotations[kueue.x-k8s.io/queue-name]");
  }

  @Test
  void multisliceOnTpus() {
    String folder = "001-tpu-multislice-jobset/";
    Manifests manifests = read(
        folder + "00-nodes.derived.yaml",
        folder + "10-kueue.yaml",
        folder + "41-priority-class.yaml");

    ResourceFlavor flavor = (ResourceFlavor) manifests.configObjects().get(6);
    assertThat(flavor.nodeLabels())
        .containsEntry("cloud.google.com/gke-tpu-topology", "2x4")
        .hasSize(2);
    ClusterQueue queue = (ClusterQueue) manifests.configObjects().get(7);
    assertThat(queue.resourceGroups())
        .containsExactly(ResourceGroup.of(
            FlavorQuotas.of("vlp-24", ResourceQuota.ofAmount("google.com/tpu", 24))));
    assertThat(manifests.items("", "Node")).hasSize(6);
    Node node = manifests.items().get(0).as(Node.class);
    assertThat(node.getStatus().getAllocatable())
        .containsEntry("google.com/tpu", new Quantity("4"));
    assertThat(manifests
            .items("scheduling.k8s.io", "PriorityClass")
            .get(0)
            .as(PriorityClass.class)
            .getValue())
        .isEqualTo(100);
    assertThat(manifests.notes()).isEmpty();
  }

  @Test
  void multisliceOnTpusWithPreemption() {
    Manifests manifests = read("001-tpu-multislice-jobset/40-kueue-preemption.yaml");

    ClusterQueue queue = (ClusterQueue) manifests.configObjects().get(1);
    assertThat(queue.preemption())
        .isEqualTo(Preemption.builder()
            .withinClusterQueue(Preemption.Policy.LOWER_PRIORITY)
            .reclaimWithinCohort(Preemption.Policy.ANY)
            .build());
    assertThat(queue.queueingStrategy()).isEqualTo(QueueingStrategy.BEST_EFFORT_FIFO);
  }

  @ParameterizedTest
  @CsvSource({
    "20-jobsets-autopilot, 3",
    "21-jobsets-standard, 3",
    "42-jobset-low-priority-autopilot, 1",
    "43-jobset-low-priority-standard, 1"
  })
  void jobSetsAreReadWithoutNotes(String file, int count) {
    Manifests manifests = read("001-tpu-multislice-jobset/" + file + ".yaml");

    assertThat(manifests.items("jobset.x-k8s.io", "JobSet")).hasSize(count);
    assertThat(manifests.notes()).isEmpty();
  }

  @Test
  void theManifestWithBrokenIndentationIsRefusedWithItsLine() {
    String file = "001-tpu-multislice-jobset/40-kueue-preemption.as-printed.txt";
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith(file + ": document 1, line 2, column 5: not YAML: ");

    String withoutRemark = text(file).substring(text(file).indexOf('\n') + 1);
    assertThatThrownBy(
            () -> ManifestReader.create().read(ManifestSource.of("queue.yaml", withoutRemark)))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith("queue.yaml: document 1, line 3, column 2: not YAML: ");
  }

  @Test
  void kueue080OnGke() {
    String folder = "002-kueue-v080-gke/";
    Manifests manifests = read(
        folder + "00-namespaces.yaml",
        folder + "10-resource-flavor.yaml",
        folder + "20-cluster-queue.yaml",
        folder + "30-local-queues.yaml",
        folder + "40-job-team-a.yaml",
        folder + "41-job-team-b.yaml");

    assertThat(manifests.configObjects())
        .contains(
            ResourceFlavor.of("default-flavor"),
            queue(
                "default-cluster-queue",
                ResourceQuota.of("cpu", "6"),
                ResourceQuota.of("memory", "6Gi")),
            LocalQueue.of("team-b", "localqueue-team-b", "default-cluster-queue"))
        .hasSize(6);
    assertThat(manifests.items("batch", "Job")).hasSize(2);
  }

  @Test
  void kueue010() {
    Manifests manifests =
        read("003-kueue-v010-slides/10-settings.yaml", "003-kueue-v010-slides/20-job.yaml");

    assertThat(manifests.configObjects())
        .containsExactly(
            ResourceFlavor.of("default"),
            LocalQueue.of("default", "main", "cluster-total"),
            ClusterQueue.builder()
                .name("cluster-total")
                .namespaceSelector(LabelSelector.everything())
                .addResourceGroups(
                    ResourceGroup.of(FlavorQuotas.of("default", ResourceQuota.of("cpu", "9"))))
                .build());
    assertThat(manifests.configObjects())
        .flatExtracting(Settings.defaults()::violations)
        .isEmpty();
    assertThat(manifests.items().get(3).namespace()).hasValue("default");
  }

  @Test
  void gpuNodesAndPods() {
    String folder = "004-gpu-operator-binpack/";
    Manifests manifests = read(
        folder + "00-nodes.derived.yaml",
        folder + "10-pods-default-scheduler.yaml",
        folder + "20-pods-binpack-scheduler.yaml",
        folder + "30-pod-denied-by-policy.yaml");

    assertThat(manifests.items("", "Node")).hasSize(7);
    List<Manifest> pods = manifests.items("", "Pod");
    assertThat(pods)
        .extracting(pod -> pod.namespace().orElse(""))
        .containsExactly("gpu-operator", "gpu-operator", "kube-system", "kube-system", "test");
    assertThat(pods.get(2).as(Pod.class).getSpec().getSchedulerName())
        .isEqualTo("gpu-binpack-scheduler");
    assertThat(manifests.notes()).isEmpty();
  }

  @Test
  void otherKindsArePassedOver() {
    String folder = "004-gpu-operator-binpack/";
    Manifests manifests = read(
        folder + "11-scheduler-config.yaml",
        folder + "12-scheduler-config.modern-equivalent.yaml",
        folder + "13-scheduler-deployment.yaml",
        folder + "32-webhook-configuration.yaml",
        folder + "40-servicemonitor.yaml");

    assertThat(manifests.items()).hasSize(6);
    assertThat(manifests.notes())
        .hasSize(6)
        .extracting(ManifestIssue::message)
        .allMatch(message -> message.startsWith("passed over: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "000-gke-batch-jobs/batch-jobs.scenario.yaml",
        "004-gpu-operator-binpack/31-policy.yaml",
        "004-gpu-operator-binpack/41-chart-values.yaml"
      })
  void filesWithoutKubernetesObjectsAreRefused(String file) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("apiVersion: missing; expected text")
        .hasMessageContaining("kind: missing; expected text");
  }
}
