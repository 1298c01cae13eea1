package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.io.Resources;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class ManifestReaderProperties {
  private static final String KUEUE = "kueue.x-k8s.io/";

  private static final Map<String, Object> QUEUE = Map.of(
      "apiVersion",
      KUEUE + "v1beta1",
      "kind",
      "ClusterQueue",
      "metadata",
      Map.of("name", "research", "labels", Map.of("a.b/c", "1")),
      "spec",
      Map.of(
          "cohort",
          "all",
          "namespaceSelector",
          Map.of(
              "matchLabels",
              Map.of("team", "a"),
              "matchExpressions",
              List.of(Map.of("key", "tier", "operator", "In", "values", List.of("gold", "1")))),
          "resourceGroups",
          List.of(
              Map.of(
                  "coveredResources",
                  List.of("cpu", "memory"),
                  "flavors",
                  List.of(Map.of(
                      "name",
                      "spot",
                      "resources",
                      List.of(
                          Map.of("name", "cpu", "nominalQuota", 10, "borrowingLimit", "500m"),
                          Map.of("name", "memory", "nominalQuota", "1.5Gi"))))),
              Map.of("coveredResources", List.of(), "flavors", List.of())),
          "preemption",
          Map.of("borrowWithinCohort", Map.of("policy", "LowerPriority")),
          "flavorFungibility",
          Map.of()));

  private static final Map<String, Object> FLAVOR = Map.of(
      "apiVersion",
      KUEUE + "v1beta2",
      "kind",
      "ResourceFlavor",
      "metadata",
      Map.of("name", "spot"),
      "spec",
      Map.of(
          "nodeLabels",
          Map.of("zone", "a", "cloud.google.com/gke-spot", "true"),
          "nodeTaints",
          List.of(Map.of("key", "gpu", "value", "", "effect", "NoSchedule"))));

  private static final Map<String, Object> JOB = Map.of(
      "apiVersion",
      "batch/v1",
      "kind",
      "Job",
      "metadata",
      Map.of("generateName", "train-"),
      "spec",
      Map.of(
          "parallelism",
          3,
          "suspend",
          true,
          "template",
          Map.of(
              "spec",
              Map.of(
                  "containers",
                  List.of(Map.of(
                      "name",
                      "main",
                      "args",
                      List.of("10s", "- x: y", "#"),
                      "resources",
                      Map.of("limits", Map.of("cpu", "500m", "nvidia.com/gpu", 1))))))));

  /** Three objects; the style of a text does not shrink, but the text is the sample. */
  @Provide
  Arbitrary<String> styledObjects() {
    return Arbitraries.randomValue(random -> RandomStyle.write(FLAVOR, random)
        + "---\n" + RandomStyle.write(QUEUE, random)
        + "---\n" + RandomStyle.write(JOB, random));
  }

  /** A list of two objects, in any style as well. */
  @Provide
  Arbitrary<String> styledLists() {
    Map<String, Object> list =
        Map.of("apiVersion", "v1", "kind", "List", "items", List.of(QUEUE, FLAVOR));
    return Arbitraries.randomValue(random -> RandomStyle.write(list, random));
  }

  @Property(tries = 300)
  void orderOfFieldsCommentsAndStyleChangeNothing(@ForAll("styledObjects") String styled) {
    String canonical = write(FLAVOR) + "---\n" + write(QUEUE) + "---\n" + write(JOB);

    Manifests manifests = read(styled);

    assertThat(manifests.configObjects()).isEqualTo(read(canonical).configObjects());
    assertThat(manifests.items().get(2).as(Job.class))
        .isEqualTo(read(canonical).items().get(2).as(Job.class));
    assertThat(manifests.notes()).isEmpty();
  }

  @Property(tries = 200)
  void anObjectInAListIsTheSameAsInADocument(@ForAll("styledLists") String list) {
    List<ConfigObject> objects = read(list).configObjects();

    assertThat(objects).isEqualTo(read(write(QUEUE) + "---\n" + write(FLAVOR)).configObjects());
  }

  private static String write(Map<String, Object> object) {
    return RandomStyle.write(object, new Random(1));
  }

  private static Manifests read(String text) {
    return ManifestReader.create().read(ManifestSource.of("test.yaml", text));
  }

  @Property(tries = 300)
  void junkIsReadOrRefusedInOneWay(@ForAll("junk") String junk) {
    assertReadOrRefused(ManifestSource.of("junk", junk));
  }

  @Property(tries = 200)
  void bytesAreReadOrRefusedInOneWay(@ForAll byte[] bytes) throws IOException {
    assertReadOrRefused(ManifestSource.of("junk", new ByteArrayInputStream(bytes)));
  }

  @Property(tries = 300)
  void damagedManifestsAreReadOrRefusedInOneWay(
      @ForAll("seeds") String text,
      @ForAll @IntRange(min = 0, max = 5000) int at,
      @ForAll @IntRange(min = 0, max = 40) int removed,
      @ForAll("tokens") String inserted) {
    int start = Math.min(at, text.length());
    int end = Math.min(start + removed, text.length());

    assertReadOrRefused(
        ManifestSource.of("damaged", text.substring(0, start) + inserted + text.substring(end)));
  }

  private static void assertReadOrRefused(ManifestSource source) {
    try {
      Manifests manifests = ManifestReader.create().read(source);
      assertThat(manifests.notes()).extracting(ManifestIssue::line).allMatch(line -> line > 0);
    } catch (ManifestException e) {
      assertThat(e.problems()).isNotEmpty();
      assertThat(e.problems()).allSatisfy(problem -> {
        assertThat(problem.line()).isPositive();
        assertThat(problem.column()).isPositive();
        assertThat(problem.document()).isPositive();
        assertThat(problem.message()).isNotBlank().doesNotContain("\n");
      });
    }
  }

  @Provide
  Arbitrary<String> tokens() {
    return Arbitraries.of(
            "a",
            "1",
            "-1",
            "1e3",
            ".5",
            "null",
            "true",
            "\"",
            "'",
            "[",
            "]",
            "{",
            "}",
            ",",
            ": ",
            ":",
            "- ",
            "? ",
            "& ",
            "&a ",
            "*a",
            "!",
            "!!str ",
            "!!int ",
            "!x!y ",
            "|",
            ">",
            "|2-",
            "#",
            " #",
            "%",
            "%YAML 1.1",
            "%TAG ! x",
            "@",
            "`",
            "\n",
            "\r",
            "\n  ",
            "\n    ",
            "\t",
            "---",
            "--- ",
            "\n---\n",
            "...",
            "\n...\n",
            "<<: ",
            "\\",
            "\\x41",
            "\\uD800",
            "\\UFFFFFFFF",
            "\u0000",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\uD83D\uDE00",
            "\uDC00",
            "é",
            "apiVersion: ",
            "kind: ",
            "v1",
            "List",
            "items: ",
            "metadata: ",
            "name: ",
            "spec: ")
        .list()
        .ofMaxSize(30)
        .map(tokens -> String.join("", tokens));
  }

  @Provide
  Arbitrary<String> junk() {
    return Arbitraries.oneOf(tokens(), Arbitraries.strings());
  }

  @Provide
  Arbitrary<String> seeds() {
    return Arbitraries.of(
            "000-gke-batch-jobs/20-cluster-queue.yaml",
            "000-gke-batch-jobs/40-job-team-a.yaml",
            "001-tpu-multislice-jobset/00-nodes.derived.yaml",
            "001-tpu-multislice-jobset/40-kueue-preemption.yaml",
            "003-kueue-v010-slides/10-settings.yaml",
            "004-gpu-operator-binpack/20-pods-binpack-scheduler.yaml")
        .map(ManifestReaderProperties::resource);
  }

  private static String resource(String file) {
    try {
      return Resources.toString(Resources.getResource("manifests/" + file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
