package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Snapshots as JSON; {@link JobEditorProperties} and {@link JobKindProperties} have all of them.
 */
class JobSnapshotTest {
  private static final String SNAPSHOT = """
      {"podSets": [{"name": "main", "hasMetadata": true, "labels": {"app": "a"},
        "tolerations": [{"key": "spot", "operator": "Exists"}],
        "schedulingGates": [{"name": "example.com/a"}],
        "affinity": {"nodeAffinity": {}},
        "counts": {"parallelism": 3}}],
       "fields": {"spec.template": null, "spec.count": 2}, "present": ["spec"]}
      """;

  @Test
  void aSnapshotIsReadAsItWasWritten() {
    JobSnapshot snapshot = JobSnapshot.ofJson(SNAPSHOT);
    JobSnapshot.PodTemplate main = snapshot.podSets().get(0);
    assertThat(main.labels()).containsEntry("app", "a");
    assertThat(main.tolerations().get(0).getKey()).isEqualTo("spot");
    assertThat(main.affinity()).isPresent();
    assertThat(main.counts().orElseThrow().parallelism()).hasValue(3);
    assertThat(main.counts().orElseThrow().completions()).isEmpty();
    assertThat(snapshot.fields().values()).containsEntry("spec.template", null);
    assertThat(snapshot.fields().present()).containsExactly("spec");
    assertThat(JobSnapshot.ofJson(snapshot.toJson())).isEqualTo(snapshot);
  }

  @Test
  void emptyValuesAreOmitted() {
    JobSnapshot empty = new JobSnapshot(Arrays.asList(), JobSnapshot.SavedFields.none());
    assertThat(empty.toJson()).isEqualTo("{\"podSets\":[]}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
          ''                                                         | podSets is ; expected a list
          {                                                          | no snapshot of a job
          []                                                         | podSets is
          {"podSets": 3}                                             | podSets is 3; expected a list
          {"podSets": [{}]}                                          | needs text
          {"podSets": [{"name": "a", "labels": {"b": 3}}]}           | has 3 where it needs text
          {"podSets": [{"name": "a", "counts": {"parallelism": 3.5}}]} | parallelism is 3.5; expected
          {"podSets": [{"name": "a", "tolerations": [3]}]}           | 3 is no Toleration
          {"podSets": [{"name": "a", "tolerations": [null]}]}        | tolerations of a snapshot contains null
          {"podSets": [], "present": [{}]}                           | has {} where it needs text
          """)
  void whatIsNoneIsRefused(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JobSnapshot.ofJson(json))
        .withMessageContaining(message);
  }
}
