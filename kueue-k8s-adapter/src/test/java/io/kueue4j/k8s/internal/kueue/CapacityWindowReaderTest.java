package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.decision.Settings.Backfill;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.Manifests;
import io.kueue4j.k8s.manifest.ManifestException;
import java.time.Instant;
import java.time.InstantSource;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class CapacityWindowReaderTest {
  private static final String HEADER =
      "apiVersion: kueue4j.io/v1alpha1\nkind: CapacityWindow\nmetadata: {name: w}\nspec:\n";
  private static final String TIMES =
      "  start: 2026-03-01T08:00:00Z\n  end: \"2026-03-01T14:00:00+02:00\"\n";

  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  private static CapacityWindow.Builder window() {
    return CapacityWindow.builder()
        .name("w")
        .start(Instant.parse("2026-03-01T08:00:00Z"))
        .end(Instant.parse("2026-03-01T12:00:00Z"));
  }

  private static AbstractThrowableAssert<?, ?> assertProblem(String spec) {
    return assertThatThrownBy(() -> read(HEADER + spec)).isInstanceOf(ManifestException.class);
  }

  @Test
  void aWindowKeepsAmounts() {
    Manifests manifests = read(HEADER + TIMES + """
        clusterQueue: research
        flavors:
        - name: a100
          resources:
          - {name: cpu, amount: 2}
          - {name: nvidia.com/gpu, amount: 4}
        beneficiaries:
          workloads: [team-a/train]
          localQueues: [team-b/main]
          namespaces: [team-c]
        """.indent(2));

    assertThat(manifests.notes()).isEmpty();
    assertThat(manifests.configObjects())
        .containsExactly(window()
            .clusterQueue("research")
            .keep("a100", "cpu", "2")
            .keep("a100", "nvidia.com/gpu", "4")
            .addWorkloads(WorkloadId.of("team-a", "train"))
            .addLocalQueues("team-b/main")
            .addNamespaces("team-c")
            .build());
  }

  @Test
  void aWindowKeepsNodes() {
    assertThat(read(HEADER + TIMES + "  nodeLabels: {rack: r7}").configObjects())
        .containsExactly(window().putNodeLabels("rack", "r7").build());
  }

  @Test
  void aProblemNamesTheLine() {
    assertProblem("  start: tomorrow\n  nodeLabels: {a: b}")
        .hasMessageContaining("line 5,")
        .hasMessageContaining(
            "spec.start: \"tomorrow\" is not a time; expected one such as 2026-03-01T08:00:00Z")
        .hasMessageContaining("spec.end: missing; expected a time");
    assertProblem(TIMES + "  nodeLabels: {a: b}\n  beneficiaries: {workloads: [train]}")
        .hasMessageContaining("line 8,")
        .hasMessageContaining("\"train\"; expected namespace/name");
  }

  @Test
  void anInvalidWindowNamesTheLine() {
    Settings backfilling = Settings.builder().backfill(Backfill.ofDepth(0)).build();

    assertThat(applied(
            backfilling,
            "  start: 2026-03-01T08:00:00Z\n  end: 2026-03-01T08:00:00Z\n  nodeLabels: {a: b}"))
        .contains("line 6,", "spec.end: 2026-03-01T08:00:00Z; expected a time after the start");
    assertThat(applied(
            backfilling,
            TIMES + "  clusterQueue: q\n  flavors:\n  - name: a\n    resources:\n"
                + "    - {name: cpu, amount: 1}\n    - {name: cpu, amount: 2}\n"))
        .contains("line 12,", "cpu of a a second time", "there is no such ClusterQueue");
    assertThat(applied(Settings.defaults(), TIMES + "  nodeLabels: {a: b}"))
        .contains("line 4,", "set Settings.backfill (--backfill), 0 is enough");
  }

  /** {@return the problems of a window that is applied before it begins} */
  private static String applied(Settings settings, String spec) {
    AdmissionEngine engine = AdmissionEngine.builder()
        .settings(settings)
        .clock(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")))
        .build();
    return KubernetesAdmission.builder()
        .engine(engine)
        .build()
        .apply(ManifestSource.of("test.yaml", HEADER + spec))
        .problems()
        .toString();
  }

  @Test
  void unknownFieldsAreNoted() {
    assertThat(read(HEADER.replace("v1alpha1", "v2") + TIMES
                + "  nodeLabel: {a: b}\n  nodeLabels: {a: b}")
            .notes()
            .toString())
        .contains("version v2 is not known, read as v1alpha1")
        .contains("nodeLabel");
    assertThat(read(HEADER.replace("Window", "Windows") + TIMES).notes().toString())
        .contains("did you mean \"CapacityWindow\"?");
  }
}
