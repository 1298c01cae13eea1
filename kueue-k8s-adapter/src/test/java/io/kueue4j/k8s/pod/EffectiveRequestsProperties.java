package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static io.kueue4j.k8s.pod.Pods.requesting;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.PodSet;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Rule R-2 compared with a simulation of the life of a pod. */
class EffectiveRequestsProperties {
  /** Milli-units of cpu of one container, and whether it is a sidecar. */
  record Step(int milli, boolean sidecar) {
    Container container() {
      return sidecar ? Pods.sidecar("cpu", milli + "m") : requesting("cpu", milli + "m");
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.integers()
        .between(0, 20)
        .flatMap(milli -> Arbitraries.of(true, false).map(sidecar -> new Step(milli, sidecar)))
        .list()
        .ofMaxSize(6);
  }

  @Provide
  Arbitrary<List<Integer>> milli() {
    return Arbitraries.integers().between(0, 20).list().ofMinSize(1).ofMaxSize(4);
  }

  @Property(tries = 200)
  void aPodNeedsWhatItsHungriestMomentNeeds(
      @ForAll("steps") List<Step> init, @ForAll("milli") List<Integer> containers) {
    PodTemplateSpec template = template(init, containers);
    List<Integer> moments = new ArrayList<>();
    int running = 0;
    for (Step step : init) {
      moments.add(running + step.milli());
      running += step.sidecar() ? step.milli() : 0;
    }
    moments.add(running + containers.stream().mapToInt(Integer::intValue).sum());
    long hungriest = moments.stream().mapToInt(Integer::intValue).max().orElseThrow();
    assertThat(PodTemplates.plain().requests(located(template))).containsEntry("cpu", hungriest);
  }

  @Property(tries = 200)
  void containersMayComeInAnyOrder(
      @ForAll("steps") List<Step> init, @ForAll("milli") List<Integer> containers) {
    PodSet one = PodTemplates.plain().convert(template(init, containers)).build();
    PodSet other =
        PodTemplates.plain().convert(template(init, Lists.reverse(containers))).build();
    assertThat(one.requests()).isEqualTo(other.requests());
  }

  @Property(tries = 100)
  void readingChangesNothing(
      @ForAll("steps") List<Step> init, @ForAll("milli") List<Integer> containers) {
    PodTemplateSpec template = template(init, containers);
    var unused = PodTemplates.plain().convert(template);
    assertThat(template).isEqualTo(template(init, containers));
  }

  private static PodTemplateSpec template(List<Step> init, List<Integer> containers) {
    return pod(new PodSpecBuilder()
        .withInitContainers(Lists.transform(init, Step::container))
        .withContainers(Lists.transform(containers, milli -> requesting("cpu", milli + "m")))
        .build());
  }
}
