package io.kueue4j.k8s.internal.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.kueue4j.core.decision.KueueVersion;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Violation;
import io.kueue4j.k8s.job.JobConversion;
import io.kueue4j.k8s.job.JobReferences;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyAnnotationsTest {
  private static final String PREFIX = "kueue.x-k8s.io/podset-";
  private static final String OFFSET =
      "spec.template.metadata.annotations[kueue.x-k8s.io/pod-index-offset]";

  private static PodTemplateSpec template(String... keysAndValues) {
    Map<String, String> annotations = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      annotations.put(PREFIX + keysAndValues[i], keysAndValues[i + 1]);
    }
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withAnnotations(annotations)
        .endMetadata()
        .build();
  }

  private static TopologyRequest request(String... keysAndValues) {
    assertThat(problems(keysAndValues)).isEmpty();
    return TopologyAnnotations.request(template(keysAndValues)).build();
  }

  /** The violations of a template for four pods, as {@code field: problem}. */
  private static List<String> problems(String... keysAndValues) {
    return problems(true, keysAndValues);
  }

  private static List<String> problems(boolean slicedGroups, String... keysAndValues) {
    return TopologyAnnotations.violations(
            new PodTemplates.Located("Job ns/j", "ns", "spec.template", template(keysAndValues)),
            4,
            slicedGroups)
        .stream()
        .peek(violation -> assertThat(violation.object()).isEqualTo("Job ns/j"))
        .map(violation -> shortened(violation) + ": " + violation.problem())
        .toList();
  }

  /** The violations of a template for ten pods whose last slice may be smaller. */
  private static List<String> partialProblems(boolean hasMinCount, String... keysAndValues) {
    return TopologyAnnotations.partialSliceViolations(
            new PodTemplates.Located("Job ns/j", "ns", "spec.template", template(keysAndValues)),
            10,
            hasMinCount)
        .stream()
        .map(violation -> shortened(violation) + ": " + violation.problem())
        .toList();
  }

  private static String shortened(Violation violation) {
    assertThat(violation.field()).startsWith("spec.template.metadata.annotations");
    return violation.field().substring("spec.template.metadata.".length()).replace(PREFIX, "");
  }

  @Test
  void levelsAreNamed() {
    assertThat(request("required-topology", "rack")).isEqualTo(TopologyRequest.required("rack"));
    assertThat(request("preferred-topology", "cloud/rack"))
        .isEqualTo(TopologyRequest.preferred("cloud/rack"));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "1,true", "T,true", "false,false", "0,false", "F,false"})
  void unconstrainedIsWhatKueueTakesForABoolean(String text, boolean expected) {
    assertThat(request("unconstrained-topology", text).unconstrained()).contains(expected);
  }

  @Test
  void slicesAreALevelAndASize() {
    assertThat(request(
            "required-topology", "block", "slice-required-topology", "rack", "slice-size", "2"))
        .isEqualTo(TopologyRequest.builder()
            .required("block")
            .sliceTopology("rack")
            .sliceSize(2)
            .build());
    assertThat(request("slice-required-topology", "rack", "slice-size", "+4").sliceSize())
        .hasValue(4);
  }

  @Test
  void slicesMayBeMadeOfSlices() {
    assertThat(request("slice-required-topology-constraints", """
            [{"topology": "rack", "size": 4}, {"topology": "kubernetes.io/hostname", "size": 2}]""").sliceConstraints())
        .containsExactly(
            new SliceConstraint("rack", 4), new SliceConstraint("kubernetes.io/hostname", 2));
  }

  @Test
  void withoutAnnotationsNothingIsAsked() {
    assertThat(TopologyAnnotations.request(new PodTemplateSpec()).build())
        .isEqualTo(TopologyRequest.none());
    assertThat(request()).isEqualTo(TopologyRequest.none());
    assertThat(TopologyAnnotations.group(new PodTemplateSpec())).isEmpty();
    assertThat(TopologyAnnotations.group(template("group-name", ""))).isEmpty();
  }

  @Test
  void aGroupGoesWithALevel() {
    assertThat(problems("group-name", "ring", "required-topology", "rack")).isEmpty();
    assertThat(problems("group-name", "ring", "preferred-topology", "rack")).isEmpty();
    assertThat(TopologyAnnotations.group(template("group-name", "ring"))).contains("ring");
    assertThat(problems("group-name", "ring"))
        .containsExactly("annotations[group-name]: expected together with " + PREFIX
            + "required-topology or " + PREFIX + "preferred-topology");
    assertThat(problems("group-name", "ring", "unconstrained-topology", "true")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "17", "18446744073709551615"})
  void theNameOfAGroupIsNoNumber(String name) {
    assertThat(problems("group-name", name, "required-topology", "rack"))
        .containsExactly("annotations[group-name]: \"" + name + "\" is a number; expected a name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a1", "-1", "+1", "1.5", "18446744073709551616"})
  void aNameMayLookLikeANumber(String name) {
    assertThat(problems("group-name", name, "required-topology", "rack")).isEmpty();
  }

  @Test
  void aGroupHasNoSlicesBefore020() {
    String[] size = {
      "group-name",
      "g",
      "required-topology",
      "block",
      "slice-required-topology",
      "rack",
      "slice-size",
      "2"
    };
    String[] layers = {
      "group-name",
      "g",
      "required-topology",
      "block",
      "slice-required-topology-constraints",
      "[{\"topology\": \"rack\", \"size\": 2}]"
    };
    assertThat(problems(false, size))
        .containsExactly(
            "annotations[group-name]: not together with " + PREFIX
                + "slice-required-topology; remove one of the annotations",
            "annotations[group-name]: not together with " + PREFIX
                + "slice-size; remove one of the annotations");
    assertThat(problems(false, layers))
        .containsExactly("annotations[group-name]: not together with " + PREFIX
            + "slice-required-topology-constraints; remove one of the annotations");
    assertThat(problems(size)).isEmpty();
    assertThat(problems(layers)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"V0_19, false", "V0_19_7, false", "V0_20, true"})
  void theVersionDecidesOnSlicesOfGroups(KueueVersion version, boolean allowed) {
    Settings settings = Settings.builder().kueueVersion(version).build();

    assertThat(JobReferences.create(settings).workloads().build().slicedGroups())
        .isEqualTo(allowed);
  }

  @Test
  void severalLayersOfSlicesDivideTheNumberOfPods() {
    String key = "slice-required-topology-constraints";
    String rack = "{\"topology\": \"rack\", \"size\": %d}";
    String layers = "[" + rack + ", {\"topology\": \"kubernetes.io/hostname\", \"size\": 1}]";

    assertThat(partialProblems(false, key, layers.formatted(4)))
        .containsExactly("annotations[slice-required-topology-constraints]: 4; expected a divisor"
            + " of the number of pods, 10, with several layers of slices");
    assertThat(partialProblems(false, key, layers.formatted(5))).isEmpty();
    assertThat(partialProblems(false, key, ("[" + rack + "]").formatted(4))).isEmpty();
  }

  @Test
  void aSmallerSliceNeedsAFixedNumberOfPods() {
    String[] four = {"slice-required-topology", "rack", "slice-size", "4"};
    String[] five = {"slice-required-topology", "rack", "slice-size", "5"};
    String[] layer = {
      "slice-required-topology-constraints", "[{\"topology\": \"rack\", \"size\": 4}]"
    };
    String problem = ": 4; expected a divisor of the number of pods, 10, in a job that may start"
        + " with fewer pods";

    assertThat(partialProblems(true, four)).containsExactly("annotations[slice-size]" + problem);
    assertThat(partialProblems(true, layer))
        .containsExactly("annotations[slice-required-topology-constraints]" + problem);
    assertThat(partialProblems(false, four)).isEmpty();
    assertThat(partialProblems(true, five)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"V0_19, true", "V0_19_7, true", "V0_20, false"})
  void theVersionDecidesOnSmallerSlices(KueueVersion version, boolean accepted) {
    PodTemplateSpec fours = template(
        "required-topology", "block", "slice-required-topology", "rack", "slice-size", "4");

    assertThat(isAccepted(version, fours)).isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({"V0_19, true", "V0_19_7, true", "V0_20, false"})
  void theVersionDecidesOnIndexOffsets(KueueVersion version, boolean accepted) {
    PodTemplateSpec negative = new PodTemplateSpecBuilder(template())
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/pod-index-offset", "-1")
        .endMetadata()
        .build();

    assertThat(isAccepted(version, negative)).isEqualTo(accepted);
  }

  /** Whether a Job of ten pods, of which five may start, is valid. */
  private static boolean isAccepted(KueueVersion version, PodTemplateSpec template) {
    Job job = new JobBuilder()
        .withNewMetadata()
        .withName("j")
        .withNamespace("ns")
        .addToLabels("kueue.x-k8s.io/queue-name", "q")
        .addToAnnotations("kueue.x-k8s.io/job-min-parallelism", "5")
        .endMetadata()
        .withNewSpec()
        .withSuspend(true)
        .withParallelism(10)
        .withTemplate(new PodTemplateSpecBuilder(template)
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .endContainer()
            .endSpec()
            .build())
        .endSpec()
        .build();
    JobConversion conversion = JobReferences.create(
            Settings.builder().kueueVersion(version).build())
        .workloads()
        .build()
        .convert(job);

    return !(conversion instanceof JobConversion.Invalid);
  }

  @ParameterizedTest
  @CsvSource({"0, true", "+1, true", "2147483647, true", "-1, false", "one, false", "'', false"})
  void anIndexOffsetIsANumber(String offset, boolean accepted) {
    assertThat(offsetProblems(offset))
        .isEqualTo(
            accepted
                ? List.of()
                : List.of(OFFSET + ": \"" + offset + "\"; expected an integer of 0 or more"));
  }

  @Test
  void aPodSetOfAGroupHasNoIndexOffset() {
    assertThat(offsetProblems("one", "group-name", "ring", "required-topology", "rack"))
        .containsExactly(
            OFFSET + ": not together with " + PREFIX + "group-name; remove one of the annotations");
    assertThat(offsetProblems("1", "required-topology", "rack")).isEmpty();
  }

  private static List<String> offsetProblems(String offset, String... keysAndValues) {
    PodTemplateSpec template = new PodTemplateSpecBuilder(template(keysAndValues))
        .editMetadata()
        .addToAnnotations("kueue.x-k8s.io/pod-index-offset", offset)
        .endMetadata()
        .build();
    return TopologyAnnotations.indexOffsetViolations(
            new PodTemplates.Located("Job ns/j", "ns", "spec.template", template))
        .stream()
        .map(violation -> violation.field() + ": " + violation.problem())
        .toList();
  }

  /** Such annotations are violations already, with or without smaller slices. */
  @ParameterizedTest
  @ValueSource(strings = {"x", "0", "11"})
  void anImpossibleSizeIsReportedOnce(String size) {
    assertThat(partialProblems(true, "slice-required-topology", "rack", "slice-size", size))
        .isEmpty();
  }

  @Test
  void thereIsOneMode() {
    assertThat(problems("required-topology", "rack", "unconstrained-topology", "true"))
        .containsExactly("annotations: both " + PREFIX + "required-topology and " + PREFIX
            + "unconstrained-topology; expected at most one of them");
    assertThat(problems(
            "required-topology", "a", "preferred-topology", "b", "unconstrained-topology", "1"))
        .singleElement()
        .asString()
        .contains("required-topology and ", "preferred-topology and ", "unconstrained-topology;");
  }

  @ParameterizedTest
  @ValueSource(strings = {"required-topology", "preferred-topology", "slice-required-topology"})
  void levelsAreKeysOfLabels(String annotation) {
    assertThat(problems(annotation, "no level", "slice-size", "1"))
        .contains("annotations[" + annotation + "]: \"no level\" is no key of node labels");
    assertThat(problems(annotation, "", "slice-size", "1"))
        .contains("annotations[" + annotation + "]: \"\" is no key of node labels");
  }

  @Test
  void unconstrainedIsABoolean() {
    assertThat(problems("unconstrained-topology", "yes"))
        .containsExactly("annotations[unconstrained-topology]: \"yes\"; expected true or false");
  }

  @Test
  void levelAndSizeOfSlicesGoTogether() {
    assertThat(problems("slice-required-topology", "rack"))
        .containsExactly("annotations[slice-size]: missing; expected together with " + PREFIX
            + "slice-required-topology");
    assertThat(problems("required-topology", "rack", "slice-size", "2"))
        .containsExactly("annotations[slice-required-topology]: missing; expected together with "
            + PREFIX + "slice-size");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0", "-1", "5", "1.5", "+-2", "3000000000"})
  void aSliceHasAtLeastOneAndAtMostAllPods(String size) {
    assertThat(problems("slice-required-topology", "rack", "slice-size", size))
        .containsExactly("annotations[slice-size]: \"" + size
            + "\"; expected an integer from 1 to the number of pods, 4");
  }

  @Test
  void slicesAreGivenOnce() {
    assertThat(problems(
            "slice-required-topology",
            "rack",
            "slice-size",
            "2",
            "slice-required-topology-constraints",
            "[{\"topology\": \"rack\", \"size\": 2}]"))
        .containsExactly("annotations[slice-required-topology-constraints]: not together with "
            + PREFIX + "slice-required-topology; remove one of the annotations");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{                                  | is not JSON",
        "[] []                              | is not JSON",
        "{}                                 | is no list",
        "[1]                                | \"1\" is no slice",
        "[{\"topology\": \"rack\"}]         | is no slice",
        "[{\"topology\": \"r\", \"size\": 1.5}]  | is no slice",
        "[{\"topology\": \"r\", \"size\": 3000000000}] | is no slice",
        "[{\"topology\": 1, \"size\": 1}]   | is no slice",
        "[]                                 | 0 slices; expected 1 to 3",
      })
  void layersThatCannotBeReadAreRefused(String text, String problem) {
    assertThat(problems("slice-required-topology-constraints", text))
        .singleElement()
        .asString()
        .startsWith("annotations[slice-required-topology-constraints]: ")
        .contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a 4, b 2, c 2, d 1 | : 4 slices; expected 1 to 3",
        "a 4, a 2           | [1].topology: \"a\" is used twice",
        "a 4, b! 2          | [1].topology: \"b!\" is no key of node labels",
        "a 0                | [0].size: 0; expected 1 or more",
        "a 4, b -1          | [1].size: -1; expected 1 or more",
        "a 5                | [0].size: 5; expected at most the number of pods, 4",
        "a 4, b 3           | [1].size: 3; expected a divisor of the 4 pods of the slice that it is part of",
        "a 4, b 8           | [1].size: 8; expected a divisor of the 4 pods of the slice that it is part of",
      })
  void layersDivideEachOther(String layers, String problem) {
    StringBuilder json = new StringBuilder();
    for (String layer : layers.split(", ", -1)) {
      String[] parts = layer.split(" ", -1);
      json.append(json.isEmpty() ? "[" : ",")
          .append("{\"topology\":\"" + parts[0] + "\",\"size\":" + parts[1] + "}");
    }
    assertThat(problems("slice-required-topology-constraints", json + "]"))
        .containsExactly("annotations[slice-required-topology-constraints]" + problem);
  }

  @ParameterizedTest
  @CsvSource({
    "required-topology,true",
    "preferred-topology,true",
    "unconstrained-topology,true",
    "slice-required-topology,true",
    "slice-required-topology-constraints,true",
    "slice-size,false",
    "group-name,false",
  })
  void podsThatArePlacedAreKnownByTheirAnnotations(String annotation, boolean placed) {
    assertThat(TopologyAnnotations.isPlaced(
            new ObjectMetaBuilder().addToAnnotations(PREFIX + annotation, "x").build()))
        .isEqualTo(placed);
    assertThat(TopologyAnnotations.isPlaced(null)).isFalse();
    assertThat(TopologyAnnotations.isPlaced(new ObjectMetaBuilder().build())).isFalse();
  }
}
