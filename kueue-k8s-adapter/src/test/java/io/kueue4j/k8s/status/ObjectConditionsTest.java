package io.kueue4j.k8s.status;

import static io.kueue4j.k8s.status.KueueObjects.condition;
import static io.kueue4j.k8s.status.KueueObjects.object;
import static io.kueue4j.k8s.status.KueueObjects.status;
import static io.kueue4j.k8s.status.KueueObjects.stored;
import static io.kueue4j.k8s.status.TestEngine.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectConditionsTest {
  private final GenericKubernetesResource check =
      object("{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: c},"
          + " spec: {controllerName: c}}");

  @Test
  void areSetChangedAndRemoved() {
    GenericKubernetesResource active =
        ObjectConditions.set(check, "Active", true, "Active", "The controller runs", START);
    assertThat(condition(active, "Active")).isEqualTo("True Active @12:00:00: The controller runs");
    assertThat(ObjectConditions.isTrue(active, "Active")).isTrue();
    assertThat(ObjectConditions.isTrue(check, "Active")).isFalse();
    assertThat(check.getAdditionalProperties()).doesNotContainKey("status");

    GenericKubernetesResource still =
        ObjectConditions.set(active, "Active", true, "StillActive", "m", START.plusSeconds(5));
    assertThat(condition(still, "Active")).isEqualTo("True StillActive @12:00:00: m");
    GenericKubernetesResource asleep =
        ObjectConditions.set(still, "Active", false, "Asleep", "m", START.plusSeconds(5));
    assertThat(condition(asleep, "Active")).isEqualTo("False Asleep @12:00:05: m");
    assertThat(ObjectConditions.isTrue(asleep, "Active")).isFalse();
    assertThat(status(ObjectConditions.remove(asleep, "Active"), "conditions")).isNull();
  }

  @Test
  void areFoundByTheirType() {
    GenericKubernetesResource stored = object("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: c, generation: 3}
        spec: {controllerName: c}
        status:
          conditions:
          - {type: Other, status: 3, message: [], observedGeneration: many}
        """);
    GenericKubernetesResource active =
        ObjectConditions.set(stored, "Active", true, "Active", "The controller runs", START);
    assertThat(ObjectConditions.find(active, "Active"))
        .hasValue(new ConditionBuilder()
            .withType("Active")
            .withStatus("True")
            .withReason("Active")
            .withMessage("The controller runs")
            .withLastTransitionTime(START.toString())
            .withObservedGeneration(3L)
            .build());
    assertThat(ObjectConditions.find(active, "Other"))
        .as("what cannot be read is absent")
        .hasValue(new ConditionBuilder().withType("Other").build());
    assertThat(ObjectConditions.find(active, "Absent")).isEmpty();
  }

  @Test
  void ofWhichTheFirstOfATypeCounts() {
    GenericKubernetesResource twice = object("""
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: AdmissionCheck
        metadata: {name: c}
        spec: {controllerName: c}
        status:
          conditions:
          - {type: A, status: "True"}
          - {type: A, status: "False"}
          - {type: B, status: "True", lastTransitionTime: nonsense}
        """);
    assertThat(ObjectConditions.isTrue(twice, "A")).isTrue();
    assertThat(condition(ObjectConditions.set(twice, "B", true, "R", "m", START), "B"))
        .isEqualTo("True R @12:00:00: m");
    assertThat((List<?>)
            status(stored(ObjectConditions.set(twice, "C", true, "R", "m", START)), "conditions"))
        .hasSize(3);
  }

  @Test
  void areCutWhereTheServerWouldRefuseThem() {
    String exact = "m".repeat(32_768);
    assertThat(condition(ObjectConditions.set(check, "A", true, "R", exact, START), "A"))
        .endsWith(": " + exact);
    String longer = condition(ObjectConditions.set(check, "A", true, "R", exact + "m", START), "A");
    assertThat(longer).hasSize("True R @12:00:00: ".length() + 32_768).endsWith("m ...");
  }
}
