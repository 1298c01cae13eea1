package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The policy of tutorial 004: jobs with GPUs must name the scheduler that packs. */
class SubmissionPolicyTest {
  private static final String MESSAGE =
      "spec.schedulerName value must be `gpu-binpack-scheduler` when you use nvidia.com/gpu";
  private static final SubmissionPolicy POLICY = SubmissionPolicy.builder()
      .resource("nvidia.com/gpu")
      .schedulerName("gpu-binpack-scheduler")
      .message(MESSAGE)
      .putExemptNamespaceLabels("openpolicyagent.org/webhook", "ignore")
      .build();

  private static Pod seedPod(String file) {
    String path = "/manifests/004-gpu-operator-binpack/" + file;
    try (InputStream stream =
        Objects.requireNonNull(SubmissionPolicyTest.class.getResourceAsStream(path))) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return ManifestReader.create()
          .read(ManifestSource.of(file, text))
          .items("", "Pod")
          .get(0)
          .as(Pod.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<SubmissionPolicy.Denial> check(
      HasMetadata job, SubmissionPolicy... policies) {
    return SubmissionPolicy.check(JobKinds.all(), job, Map.of(), List.of(policies));
  }

  private static GenericKubernetesResource torch(Object scheduler) {
    return KindManifests.with(
        "PyTorchJob", "spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName", scheduler);
  }

  @Test
  void aGpuPodWithoutTheSchedulerIsRefusedInTheTutorialsWords() {
    assertThat(check(seedPod("30-pod-denied-by-policy.yaml"), POLICY))
        .contains(new SubmissionPolicy.Denial(MESSAGE, ImmutableList.of("spec.schedulerName")));
    assertThat(check(seedPod("20-pods-binpack-scheduler.yaml"), POLICY)).isEmpty();
  }

  @Test
  void aNamespaceMayBeExempt() {
    assertThat(SubmissionPolicy.check(
            JobKinds.all(),
            seedPod("30-pod-denied-by-policy.yaml"),
            Map.of("openpolicyagent.org/webhook", "ignore"),
            List.of(POLICY)))
        .isEmpty();
    assertThat(SubmissionPolicy.check(
            JobKinds.all(),
            seedPod("30-pod-denied-by-policy.yaml"),
            Map.of("openpolicyagent.org/webhook", "other"),
            List.of(POLICY)))
        .isPresent();
  }

  @Test
  void everyPodSetOfAJobIsLookedAt() {
    assertThat(check(KindManifests.get("PyTorchJob"), POLICY))
        .map(SubmissionPolicy.Denial::fields)
        .contains(ImmutableList.of("spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName"));
    assertThat(check(torch("other"), POLICY)).isPresent();
    assertThat(check(torch("gpu-binpack-scheduler"), POLICY)).isEmpty();
    assertThat(check(KindManifests.get("TFJob"), POLICY)).as("uses no GPU").isEmpty();
  }

  @Test
  void initContainersAndRequestsAreLookedAtIfAsked() {
    Map<String, Object> init =
        Map.of("name", "i", "resources", Map.of("requests", Map.of("nvidia.com/gpu", 1)));
    GenericKubernetesResource job = KindManifests.with(
        "JAXJob", "spec.jaxReplicaSpecs.Worker.template.spec.initContainers", List.of(init));
    assertThat(check(job, POLICY)).isEmpty();
    SubmissionPolicy thorough = SubmissionPolicy.builder()
        .resource("nvidia.com/gpu")
        .schedulerName("gpu-binpack-scheduler")
        .message(MESSAGE)
        .thorough(true)
        .build();
    assertThat(check(job, thorough)).map(SubmissionPolicy.Denial::message).contains(MESSAGE);
  }

  @Test
  void messagesAreJoinedEachOnce() {
    SubmissionPolicy cpu = SubmissionPolicy.builder()
        .resource("cpu")
        .schedulerName("packing")
        .message("use packing")
        .build();
    assertThat(check(KindManifests.get("PyTorchJob"), POLICY, cpu, POLICY))
        .map(SubmissionPolicy.Denial::message)
        .contains(MESSAGE + ", use packing");
  }
}
