package io.kueue4j.k8s.internal.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {
  private static final String JOB = """
      # a job
      apiVersion: batch/v1
      kind: Job
      metadata:
        generateName: train-
        labels: {app: train}
        annotations: {note: "1"}
      spec:
        parallelism: 3
        suspend: true
        template:
          spec:
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              resources:
                requests: {cpu: QUANTITY}
      """;

  private static Manifest manifest(String text) {
    return new ParsedManifests(text).manifests().get(0);
  }

  /** The objects of a text, without a look at their fields. */
  private record ParsedManifests(List<Manifest> manifests) {
    ParsedManifests(String text) {
      this(parse(text));
    }

    private static List<Manifest> parse(String text) {
      ManifestParser parser = new ManifestParser("job.yaml", (group, kind, given) -> given);
      parser.parse(text);
      assertThat(parser.problems()).isEmpty();
      return parser.manifests();
    }
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "1e3, 1e3", "0.5, 0.5", "\"2\", 2", "010, 8", "500m, 500m", "1.50, 1.50"})
  void quantitiesKeepTheirText(String written, String text) {
    Job job = manifest(JOB.replace("QUANTITY", written)).as(Job.class);

    Container container = job.getSpec().getTemplate().getSpec().getContainers().get(0);
    Map<String, Quantity> requests = container.getResources().getRequests();
    assertThat(requests.values()).extracting(Quantity::toString).containsExactly(text);
  }

  @ParameterizedTest
  @CsvSource({
    "abc, '\"abc\" is not a quantity, expected for example 2, 500m, 1.5, 10Gi or 2e3'",
    "1K, '\"1K\" is not a quantity, expected for example 2, 500m, 1.5, 10Gi or 2e3'",
    "true, 'true (a boolean); expected a quantity such as 2, 500m or 10Gi'",
    "[1], 'a list; expected a quantity such as 2, 500m or 10Gi'",
  })
  void namesTheQuantityThatIsNone(String written, String problem) {
    Manifest manifest = manifest(JOB.replace("QUANTITY", written));

    assertThatThrownBy(() -> manifest.as(Job.class))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith("job.yaml: document 1, line 18, column ")
        .hasMessageEndingWith(
            "spec.template.spec.containers[0].resources.requests.cpu: " + problem);
  }

  @ParameterizedTest
  @CsvSource({
    "parallelism: 3, parallelism: many, 'line 9, column 16: spec.parallelism: \"many\"; expected a 32-bit integer'",
    "parallelism: 3, parallelism: \"3\", 'line 9, column 16: spec.parallelism: \"3\"; expected a 32-bit integer'",
    "parallelism: 3, parallelism: 3.5, 'line 9, column 16: spec.parallelism: 3.5 (a number); expected a 32-bit integer'",
    "parallelism: 3, parallelism: 99999999999, 'line 9, column 16: spec.parallelism: 99999999999 (a number); expected a 32-bit integer'",
    "suspend: true, suspend: yep, 'line 10, column 12: spec.suspend: \"yep\"; expected true or false'",
    "image: busybox, image: off, 'line 16, column 16: spec.template.spec.containers[0].image: off (a boolean); expected text, in quotes if it looks like something else'",
    "image: busybox, image: 17, 'line 16, column 16: spec.template.spec.containers[0].image: 17 (a number); expected text, in quotes if it looks like something else'",
    "image: busybox, image: [x], 'line 16, column 9: spec.template.spec.containers[0].image: a list; expected text, in quotes if it looks like something else'",
    "image: busybox, args: sleep, 'line 16, column 15: spec.template.spec.containers[0].args: \"sleep\"; expected a list'",
  })
  void namesPlaceGivenAndExpectedOfAWrongType(String from, String to, String message) {
    Manifest manifest = manifest(JOB.replace("QUANTITY", "1").replace(from, to));

    assertThatThrownBy(() -> manifest.as(Job.class))
        .isInstanceOf(ManifestException.class)
        .hasMessage("job.yaml: document 1, " + message);
  }

  @Test
  void keepsIntegersAndTextsApart() {
    Pod pod = manifest("""
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec:
          containers:
          - name: main
            livenessProbe: {httpGet: {port: 8080}}
            readinessProbe: {httpGet: {port: "http"}}
        """).as(Pod.class);

    Container container = pod.getSpec().getContainers().get(0);
    assertThat(container.getLivenessProbe().getHttpGet().getPort())
        .isEqualTo(new IntOrString(8080));
    assertThat(container.getReadinessProbe().getHttpGet().getPort())
        .isEqualTo(new IntOrString("http"));
  }

  @Test
  void unknownFieldsAreKept() {
    Job job =
        manifest(JOB.replace("QUANTITY", "1").replace("suspend:", "newField:")).as(Job.class);

    assertThat(job.getSpec().getAdditionalProperties()).containsEntry("newField", true);
  }

  @Test
  void knowsItsHeaderAndPlaces() {
    Manifest manifest = manifest(JOB);

    assertThat(manifest.source()).isEqualTo("job.yaml");
    assertThat(manifest.document()).isEqualTo(1);
    assertThat(manifest.line()).isEqualTo(2);
    assertThat(manifest.apiVersion()).isEqualTo("batch/v1");
    assertThat(manifest.group()).isEqualTo("batch");
    assertThat(manifest.version()).isEqualTo("v1");
    assertThat(manifest.is("batch", "Job")).isTrue();
    assertThat(manifest.is("", "Job")).isFalse();
    assertThat(manifest.name()).isEmpty();
    assertThat(manifest.generateName()).hasValue("train-");
    assertThat(manifest.labels()).containsExactly(Map.entry("app", "train"));
    assertThat(manifest.annotations()).containsExactly(Map.entry("note", "1"));
    assertThat(ParsedManifest.of(manifest)
            .locate("spec.template.spec.containers[0].image")
            .line())
        .isEqualTo(16);
    assertThat(manifest.issue("spec.suspend", "why"))
        .hasToString("job.yaml: document 1, line 10, column 12: spec.suspend: why");
    assertThat(manifest).hasToString("Job train- (job.yaml, line 2)");
  }

  @Test
  void bindsEveryKindOfNumberInUntypedPlaces() {
    Pod pod = manifest("""
        apiVersion: v1
        kind: Pod
        metadata: {name: p, extra: [1, 2.5, 1e3, 12345678901234567890]}
        """).as(Pod.class);

    assertThat(pod.getMetadata().getAdditionalProperties().get("extra"))
        .isInstanceOf(List.class)
        .asString()
        .startsWith("[1, 2.5, ");
  }

  @Test
  void theReaderFindsTheSameProblemAtOnce() {
    String text = JOB.replace("QUANTITY", "1").replace("parallelism: 3", "parallelism: many");

    assertThatThrownBy(() -> ManifestReader.create().read(ManifestSource.of("job.yaml", text)))
        .isInstanceOf(ManifestException.class)
        .hasMessageContaining("spec.parallelism: \"many\"; expected a 32-bit integer");
  }
}
