package io.kueue4j.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import com.google.common.reflect.ClassPath;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.WorkloadPriorityClass;
import io.kueue4j.k8s.job.JobKinds;
import io.kueue4j.k8s.job.JobWorkloads;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.manifest.ManifestException;
import io.kueue4j.k8s.manifest.ManifestIssue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that a client holds are read as their manifests are. */
class LiveObjectsTest {
  private static final ManifestReader READER =
      ManifestReader.builder().jobKinds(JobKinds.all()).noteUnusedKinds(true).build();

  private static final JobWorkloads WORKLOADS = JobWorkloads.builder()
      .kinds(JobKinds.all())
      .nameGenerator(prefix -> prefix + "x")
      .addWorkloadPriorityClasses(new WorkloadPriorityClass("high", 7))
      .build();

  static List<String> files() throws IOException {
    return ClassPath.from(LiveObjectsTest.class.getClassLoader()).getResources().stream()
        .map(ClassPath.ResourceInfo::getResourceName)
        .filter(
            name -> name.matches("(manifests/.*|objects/.*|jobs/(kinds|serving|jobs?.*))\\.yaml"))
        .filter(name -> isManifest(content(name)))
        .sorted()
        .toList();
  }

  /** Beside manifests there are values of charts, and expected results. */
  private static boolean isManifest(String content) {
    return Pattern.compile("^apiVersion: ", Pattern.MULTILINE).matcher(content).find();
  }

  static String content(String file) {
    try {
      return Resources.toString(Resources.getResource(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Manifests text(String file) {
    return READER.read(ManifestSource.of(file, content(file)));
  }

  @Test
  void allFilesAreThere() throws IOException {
    assertThat(files()).hasSizeGreaterThan(40).contains("objects/all-kinds.yaml");
  }

  @ParameterizedTest
  @MethodSource("files")
  void objectsWithoutClassAreTheSameAsText(String file) {
    assertSame(text(file), (item, type) -> item.as(GenericKubernetesResource.class));
  }

  @ParameterizedTest
  @MethodSource("files")
  void objectsOfClassesAreTheSameAsText(String file) {
    assertSame(text(file), (item, type) -> item.as(type));
  }

  private static void assertSame(
      Manifests text, BiFunction<Manifest, Class<? extends HasMetadata>, HasMetadata> asLive) {
    List<HasMetadata> live = new ArrayList<>();
    for (Manifest item : text.items()) {
      live.add(asLive.apply(item, type(item)));
    }

    Manifests read = READER.read(ManifestSource.of(live));

    assertThat(read.configObjects()).isEqualTo(text.configObjects());
    assertThat(read.items())
        .extracting(Manifest::kind)
        .isEqualTo(text.items().stream().map(Manifest::kind).toList());
    assertThat(read.notes())
        .extracting(LiveObjectsTest::withoutPlace)
        .containsExactlyInAnyOrderElementsOf(
            text.notes().stream().map(LiveObjectsTest::withoutPlace).toList());
    for (int i = 0; i < live.size(); i++) {
      Manifest given = text.items().get(i);
      Manifest item = read.items().get(i);
      assertThat(item.namespace()).isEqualTo(given.namespace());
      assertThat(item.name()).isEqualTo(given.name());
      assertThat(item.labels()).isEqualTo(given.labels());
      assertThat(item.annotations()).isEqualTo(given.annotations());
      assertThat(item.isLive()).isTrue();
      Optional<Class<? extends HasMetadata>> kind =
          JobKinds.all().type(given.group(), given.kind());
      if (kind.isPresent()) {
        assertThat(WORKLOADS.convertAll(item.as(kind.get())))
            .isEqualTo(WORKLOADS.convertAll(given.as(kind.get())));
      }
    }
  }

  static Class<? extends HasMetadata> type(Manifest item) {
    Class<?> builtIn = Kinds.BUILT_IN.get(item.group(), item.kind());
    return builtIn == null
        ? GenericKubernetesResource.class
        : builtIn.asSubclass(HasMetadata.class);
  }

  private static String withoutPlace(ManifestIssue issue) {
    return issue.field() + ": " + issue.message();
  }

  @Test
  void anObjectOfAClassOfItsOwnIsReadByItsFields() {
    TypedQueue queue = new TypedQueue();
    queue.getMetadata().setName("research");
    queue.spec.put("cohortName", "all");

    ClusterQueue read =
        (ClusterQueue) READER.read(ManifestSource.of(queue)).configObjects().get(0);

    assertThat(read.name()).isEqualTo("research");
    assertThat(read.cohort()).hasValue("all");
  }

  @Test
  void aJobIsReadAsItselfAndFromAnyOtherClass() {
    Job job = new JobBuilder().withNewMetadata().withName("train").endMetadata().build();
    GenericKubernetesResource generic = new GenericKubernetesResourceBuilder()
        .withApiVersion("batch/v1")
        .withKind("Job")
        .withNewMetadata()
        .withName("train")
        .endMetadata()
        .addToAdditionalProperties("spec", Map.of("parallelism", 3))
        .build();

    assertThat(READER.read(ManifestSource.of(job)).items().get(0).as(Job.class)).isSameAs(job);
    assertThat(READER
            .read(ManifestSource.of(generic))
            .items()
            .get(0)
            .as(Job.class)
            .getSpec()
            .getParallelism())
        .isEqualTo(3);
  }

  @Test
  void itemsOfAListAreObjectsOfTheirOwn() {
    GenericKubernetesResource list = new GenericKubernetesResourceBuilder()
        .withApiVersion("kueue.x-k8s.io/v1beta2")
        .withKind("ResourceFlavorList")
        .addToAdditionalProperties(
            "items",
            List.of(
                Map.of("metadata", Map.of("name", "spot")),
                Map.of("metadata", Map.of("name", "on-demand"))))
        .build();

    assertThat(READER.read(ManifestSource.of(list)).items())
        .extracting(Manifest::source)
        .containsExactly("ResourceFlavor spot", "ResourceFlavor on-demand");
  }

  static Stream<HasMetadata> halfValid() {
    JobSpec withoutTemplate = new JobSpec();
    withoutTemplate.setParallelism(2);
    Map<String, Object> cyclic = new HashMap<>();
    cyclic.put("self", cyclic);
    return Stream.of(
        new LimitRangeBuilder()
            .withNewMetadata()
            .withName("x")
            .withNamespace("team-a")
            .endMetadata()
            .withNewSpec()
            .addNewLimit()
            .withType("Container")
            .addToMax("cpu", new Quantity("much"))
            .endLimit()
            .endSpec()
            .build(),
        queue("x", Map.of("cohortName", 5)),
        queue("x", Map.of("resourceGroups", List.of("none"))),
        queue("x", cyclic),
        queue("x", Map.of("cohortName", new Object())),
        new GenericKubernetesResource(),
        withoutName(),
        withName("x", new GenericKubernetesResource()));
  }

  private static GenericKubernetesResource queue(String name, Map<String, Object> spec) {
    GenericKubernetesResource queue = withName(name, new GenericKubernetesResource());
    queue.setApiVersion("kueue.x-k8s.io/v1beta2");
    queue.setKind("ClusterQueue");
    queue.setAdditionalProperty("spec", spec);
    return queue;
  }

  private static GenericKubernetesResource withoutName() {
    GenericKubernetesResource queue = queue("x", Map.of());
    queue.setMetadata(null);
    return queue;
  }

  private static <T extends HasMetadata> T withName(String name, T object) {
    ObjectMeta metadata = new ObjectMeta();
    metadata.setName(name);
    object.setMetadata(metadata);
    return object;
  }

  @ParameterizedTest
  @MethodSource("halfValid")
  void whatIsWrongIsSaidOfTheObject(HasMetadata object) {
    assertThatThrownBy(() -> READER.read(ManifestSource.of(object)))
        .isInstanceOfSatisfying(
            ManifestException.class,
            e -> assertThat(e.problems()).isNotEmpty().allSatisfy(problem -> {
              assertThat(problem.document()).isZero();
              assertThat(problem.line()).isZero();
              assertThat(problem.toString())
                  .startsWith(problem.source() + ": ")
                  .doesNotContain("document");
              assertThat(problem.message()).isNotBlank();
            }));
  }

  @Test
  void aProblemNamesKindNamespaceNameAndField() {
    Job job = new JobBuilder()
        .withNewMetadata()
        .withNamespace("team-a")
        .withName("train")
        .endMetadata()
        .withNewSpec()
        .withNewTemplate()
        .withNewSpec()
        .addNewContainer()
        .withNewResources()
        .addToRequests("cpu", new Quantity("much"))
        .endResources()
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();

    assertThatThrownBy(() -> READER.read(ManifestSource.of(job)))
        .hasMessageStartingWith(
            "Job team-a/train: " + "spec.template.spec.containers[0].resources.requests.cpu: ");
  }

  @Test
  void unknownKindsAreNotedAndTheirFieldsNotLookedAt() {
    GenericKubernetesResource unknown = queue("x", Map.of("what", new Object()));
    unknown.setKind("ClusterQueu");

    Manifests read = READER.read(ManifestSource.of(unknown));

    assertThat(read.notes())
        .singleElement()
        .hasToString("ClusterQueu x: kind: passed over: ClusterQueu of kueue.x-k8s.io/v1beta2 is"
            + " not known; did you mean \"ClusterQueue\"?");
  }

  @Test
  void nothingIsNoObject() {
    assertThat(READER.read(ManifestSource.of(ImmutableList.of())).items()).isEmpty();
    assertThatThrownBy(() -> ManifestSource.of(new HasMetadata[1]))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("index 0");
  }

  /** As users generate them from a CRD. */
  static final class TypedQueue implements HasMetadata {
    private ObjectMeta metadata = new ObjectMeta();
    private final Map<String, Object> spec = new HashMap<>();

    @Override
    public ObjectMeta getMetadata() {
      return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
      this.metadata = metadata;
    }

    @Override
    public String getKind() {
      return "ClusterQueue";
    }

    @Override
    public String getApiVersion() {
      return "kueue.x-k8s.io/v1beta2";
    }

    @Override
    public void setApiVersion(String version) {}

    public Map<String, Object> getSpec() {
      return spec;
    }
  }
}
