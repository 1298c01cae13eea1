package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quotas of the API of 2022. */
class LegacyQuotaReaderTest {
  private static final String GROUPS = """
      cohort: all
      resources:
      - name: cpu
        flavors:
        - {name: spot, quota: {min: 10, max: 12}}
        - {name: on-demand, quota: {min: 500m}}
      - name: gpu
        flavors:
        - {quota: {min: 1, max: 1}}
      - name: memory
        flavors:
        - {name: spot, quota: {min: 1Gi}}
        - {name: on-demand, quota: {min: 2Gi, max: 3Gi}}
      """;

  private static Manifests read(String version, String spec) {
    String text = """
        apiVersion: kueue.x-k8s.io/%s
        kind: ClusterQueue
        metadata: {name: x}
        spec:
        %s""".formatted(version, spec.indent(2));
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1alpha1", "v1alpha2"})
  void resourcesWithTheSameFlavorsBecomeOneGroup(String version) {
    ClusterQueue queue = (ClusterQueue) read(version, GROUPS).configObjects().get(0);

    assertThat(queue.cohort()).hasValue("all");
    assertThat(queue.resourceGroups())
        .containsExactly(
            ResourceGroup.of(
                FlavorQuotas.of(
                    "spot",
                    ResourceQuota.of("cpu", "10").withBorrowingLimit("2"),
                    ResourceQuota.of("memory", "1Gi")),
                FlavorQuotas.of(
                    "on-demand",
                    ResourceQuota.of("cpu", "500m"),
                    ResourceQuota.of("memory", "2Gi").withBorrowingLimit("1Gi"))),
            ResourceGroup.of(
                FlavorQuotas.of("default", ResourceQuota.of("gpu", "1").withBorrowingLimit("0"))));
  }

  @Test
  void violationsAreFoundWhereTheAmountStands() {
    Manifests manifests = read("v1alpha1", GROUPS);

    assertThat(manifests.locate(new Violation(
            "ClusterQueue x",
            "resourceGroups[0].flavors[1].resources[1].borrowingLimit",
            "too much")))
        .map(ManifestIssue::toString)
        .hasValue("test.yaml: document 1, line 17, column 48: "
            + "spec.resources[2].flavors[1].quota.max: too much");
    assertThat(manifests.locate(
            new Violation("ClusterQueue x", "resourceGroups[0].flavors[0].name", "unknown")))
        .map(ManifestIssue::field)
        .hasValueSatisfying(field -> assertThat(field).startsWith("spec.resources"));
  }

  @Test
  void aMaximumWithoutCohortHasNoEffect() {
    Manifests manifests = read("v1alpha1", GROUPS.replace("cohort: all", "cohort: \"\""));

    ClusterQueue queue = (ClusterQueue) manifests.configObjects().get(0);
    assertThat(queue.resourceGroups().get(0).flavors().get(0).resources().get(0))
        .isEqualTo(ResourceQuota.of("cpu", "10"));
    assertThat(manifests.notes())
        .hasSize(3)
        .extracting(ManifestIssue::message)
        .containsOnly("without effect: the queue is in no cohort to borrow from");
  }

  @Test
  void aMaximumBelowTheMinimumIsAProblem() {
    assertThatThrownBy(() -> read("v1alpha1", GROUPS.replace("max: 12", "max: 9")))
        .isInstanceOf(ManifestException.class)
        .hasMessage("test.yaml: document 1, line 9, column 42: "
            + "spec.resources[0].flavors[0].quota.max: "
            + "9 is less than the min of 10; expected at least that");
  }

  @Test
  void aFlavorInTwoGroupsIsAProblem() {
    assertThatThrownBy(() -> read("v1alpha1", GROUPS.replace("{quota", "{name: spot, quota")))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("spec.resources[1].flavors: flavor \"spot\" is shared with resource "
            + "\"cpu\", whose flavors are [spot, on-demand] and not [spot]; "
            + "expected the same flavors in the same order, or none in common");
  }

  @Test
  void quotasOfTheLaterFormAreNoted() {
    assertThat(read("v1alpha1", "resourceGroups: []").notes())
        .extracting(ManifestIssue::field)
        .containsExactly("spec.resourceGroups");
  }
}
