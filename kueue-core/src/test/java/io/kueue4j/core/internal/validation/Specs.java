package io.kueue4j.core.internal.validation;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.model.Workload;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Small specs that are valid as they are, to be spoilt by tests. */
public final class Specs {
  private Specs() {}

  /** {@return a queue in a cohort with 10 cpu of flavor {@code default}, changed} */
  static ClusterQueue queue(UnaryOperator<ClusterQueue.Builder> change) {
    return change.apply(ClusterQueue.builder().name("queue").cohort("cohort")).build();
  }

  /** {@return a queue in a cohort with one flavor and that quota} */
  static ClusterQueue queueWith(ResourceQuota quota) {
    return queue(queue -> queue.addResourceGroups(ResourceGroup.of(FlavorQuotas.of("f", quota))));
  }

  static ResourceQuota quota(long nominal, OptionalLong borrowing, OptionalLong lending) {
    return new ResourceQuota("cpu", nominal, borrowing, lending);
  }

  /** {@return a group of flavors that offer nothing of each resource} */
  static ResourceGroup group(ImmutableList<String> flavors, ImmutableList<String> resources) {
    ImmutableList<ResourceQuota> quotas = resources.stream()
        .map(resource -> ResourceQuota.ofAmount(resource, 0))
        .collect(ImmutableList.toImmutableList());
    return new ResourceGroup(
        resources,
        flavors.stream()
            .map(flavor -> new FlavorQuotas(flavor, quotas))
            .collect(ImmutableList.toImmutableList()));
  }

  static ImmutableList<String> names(String prefix, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> prefix + i)
        .collect(ImmutableList.toImmutableList());
  }

  static ResourceFlavor flavor(UnaryOperator<ResourceFlavor.Builder> change) {
    return change.apply(ResourceFlavor.builder().name("flavor")).build();
  }

  /** {@return a workload of those pod sets} */
  static Workload workload(PodSet... podSets) {
    return workload(builder -> builder.addPodSets(podSets));
  }

  static Workload workload(UnaryOperator<Workload.Builder> change) {
    return change
        .apply(Workload.builder().namespace("ns").name("job").queueName("queue"))
        .build();
  }

  public static PodSet podSet(UnaryOperator<PodSet.Builder> change) {
    return change.apply(PodSet.builder()).build();
  }

  /** {@return the violations of {@code object}, as {@code field: problem}} */
  static List<String> problems(ConfigObject object) {
    return texts(object.key(), Settings.defaults().violations(object));
  }

  static List<String> problems(Workload workload) {
    return texts("Workload " + workload.id(), Settings.defaults().violations(workload));
  }

  /** {@return the fields of the violations of {@code object}} */
  static List<String> fields(ConfigObject object) {
    return fields(Settings.defaults().violations(object));
  }

  static List<String> fields(Workload workload) {
    return fields(Settings.defaults().violations(workload));
  }

  private static List<String> fields(List<Violation> violations) {
    return violations.stream().map(Violation::field).collect(ImmutableList.toImmutableList());
  }

  private static List<String> texts(String object, List<Violation> violations) {
    violations.forEach(violation -> {
      if (!violation.object().equals(object)) {
        throw new AssertionError("violation of " + violation.object() + ", expected " + object);
      }
    });
    return violations.stream()
        .map(violation -> violation.field() + ": " + violation.problem())
        .collect(ImmutableList.toImmutableList());
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  static <T> ImmutableList<T> list(T... elements) {
    return ImmutableList.copyOf(elements);
  }
}
