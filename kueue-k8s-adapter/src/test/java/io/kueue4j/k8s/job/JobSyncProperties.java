package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** For every kind of job: which edits make it differ from its workload, and which do not. */
class JobSyncProperties {
  private static final JobSync SYNC = JobSync.of(KindManifests.KINDS);
  private static final JobEditor EDITOR = JobEditor.of(KindManifests.KINDS);
  private static final Map<String, ResourceFlavor> FLAVORS = Jobs.flavors(ResourceFlavor.builder()
      .name("spot")
      .putNodeLabels("capacity", "spot")
      .addTolerations(Toleration.exists("spot"))
      .build());

  /**
   * Spark has no templates, a TrainJob's are in its runtime: the tests of those kinds cover them.
   */
  @Provide
  static Arbitrary<String> kinds() {
    return Arbitraries.of(KindManifests.kinds().stream()
        .filter(kind -> !kind.equals("SparkApplication") && !kind.equals("TrainJob"))
        .toList());
  }

  @Property(tries = 200)
  void editsOfContainersAndCountsCount(@ForAll("kinds") String kind, @ForAll Random random) {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    JobSync.Form form = SYNC.form(job);
    assertThat(SYNC.differences(job, form)).isEmpty();
    RawPath container = container(job, random);
    String field = List.of("image", "args", "env", "resources").get(random.nextInt(4));
    Object value = Map.of(
            "image", (Object) "edited",
            "args", List.of("edited"),
            "env", List.of(Map.of("name", "EDITED", "value", "1")),
            "resources", Map.of("requests", Map.of("cpu", "7777m")))
        .get(field);
    GenericKubernetesResource edited = KindManifests.with(job, container.field(field), value);
    // The pod that submits a RayJob has the image of the head.
    assertThat(SYNC.differences(edited, form))
        .isNotEmpty()
        .allSatisfy(difference -> assertThat(difference).endsWith(".containers is edited"));
    assertThat(SYNC.differences(job, SYNC.form(edited)))
        .hasSameSizeAs(SYNC.differences(edited, form));
  }

  @Property(tries = 200)
  void editsThatHaveOtherWaysDoNotCount(@ForAll("kinds") String kind, @ForAll Random random) {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    JobSync.Form form = SYNC.form(job);
    RawPath spec = container(job, random).parent().parent();
    GenericKubernetesResource edited = switch (random.nextInt(5)) {
      case 0 ->
        KindManifests.with(
            job, spec.parent().field("metadata").field("labels"), Map.of("edited", "yes"));
      case 1 -> KindManifests.with(job, spec.field("nodeSelector"), Map.of("zone", "edited"));
      case 2 -> KindManifests.with(job, spec.field("priorityClassName"), "edited");
      case 3 -> KindManifests.with(job, spec.field("volumes"), List.of(Map.of("name", "v")));
      default -> KindManifests.with(job, RawPath.of("spec.unknownToAll"), List.of(1, 2));
    };
    assertThat(SYNC.differences(edited, form)).isEmpty();
  }

  @Property(tries = 200)
  void aStartDoesNotMakeItAnotherJob(@ForAll("kinds") String kind, @ForAll Random random) {
    GenericKubernetesResource job = new RandomFields(random).strew(KindManifests.get(kind));
    JobSync.Form form = SYNC.form(job);
    Workload workload = KindManifests.WORKLOADS.convert(job).orElseThrow().workload();
    Admission admission = Jobs.admission(workload, "spot");
    GenericKubernetesResource started = EDITOR.start(job, workload, admission, FLAVORS);
    for (boolean admitted : new boolean[] {true, false}) {
      assertThat(SYNC.differences(started, form, admission, admitted, FLAVORS)).isEmpty();
      assertThat(SYNC.differences(job, form, admission, admitted, FLAVORS))
          .as("suspended it may be as it was")
          .isEmpty();
    }
    GenericKubernetesResource edited =
        KindManifests.with(started, container(started, random).field("image"), "edited");
    assertThat(SYNC.differences(edited, form, admission, true, FLAVORS)).isNotEmpty();
  }

  /** A container of some pod set, except those that the kind adds itself. */
  private static RawPath container(GenericKubernetesResource job, Random random) {
    List<RawPath> containers = new ArrayList<>();
    find(GenericJobKind.root(job), RawPath.ROOT, containers);
    return containers.get(random.nextInt(containers.size()));
  }

  private static void find(Object node, RawPath path, List<RawPath> containers) {
    if (node instanceof Map<?, ?> map) {
      RawTree.mapping(map).forEach((name, value) -> {
        if (name.equals("containers") && value instanceof List<?> list && !list.isEmpty()) {
          containers.add(path.field(name).item(0));
        } else if (value != null) {
          find(value, path.field(name), containers);
        }
      });
    } else if (node instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        find(list.get(i), path.item(i), containers);
      }
    }
  }
}
