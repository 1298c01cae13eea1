package io.kueue4j.examples.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.kueue4j.examples.controller.object.Json;
import io.kueue4j.k8s.job.DeclaredJobKind;
import io.kueue4j.k8s.job.DeclaredPodSet;
import io.kueue4j.k8s.job.JobKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of jobs that a file declares by the paths of their fields.
 *
 * <pre>{@code
 * kinds:
 * - apiGroup: example.com
 *   kind: Sweep
 *   suspend: spec.paused                       # default: spec.suspend
 *   podSets:
 *   - {name: driver, template: spec.driver.template}
 *   - {name: trials, template: spec.template, count: {path: spec.trials, default: 1}}
 *   succeeded: [{condition: Complete}]
 *   failed: [{path: status.phase, values: [Failed, Aborted], message: status.message}]
 *   active: [{positive: status.running}]
 *   ready: [{condition: Ready}]
 *   reclaimable: {trials: status.done}
 *   priorityClass: spec.priorityClassName
 * }</pre>
 *
 * <p>A pod set with {@code list} stands for one pod set per item of a list, where {@code name} is
 * the path of the name relative to the item; {@code times} multiplies the count, {@code onlyIf} is
 * a path that must exist, {@code index} the label with the index of each pod.
 */
public final class KindDeclarations {
  private KindDeclarations() {}

  private record File(List<Kind> kinds) {}

  private record Kind(
      String apiGroup,
      String kind,
      @Nullable String suspend,
      List<PodSet> podSets,
      @Nullable List<Check> succeeded,
      @Nullable List<Check> failed,
      @Nullable List<Check> active,
      @Nullable List<Check> ready,
      @Nullable Map<String, String> reclaimable,
      @Nullable String priorityClass) {}

  private record PodSet(
      String name,
      String template,
      @Nullable String list,
      @Nullable Count count,
      @Nullable List<Count> times,
      @Nullable String onlyIf,
      @Nullable String index) {}

  private record Count(
      @Nullable String path,
      @JsonProperty("default") @Nullable Integer byDefault) {}

  private record Check(
      @Nullable String condition,
      @Nullable String positive,
      @Nullable String path,
      @Nullable List<String> values,
      @Nullable String message) {}

  /**
   * {@return the kinds that {@code yaml} declares, in its order}
   *
   * @throws IllegalArgumentException if it is malformed; says why
   */
  public static ImmutableList<JobKind<GenericKubernetesResource>> read(String yaml) {
    Object tree;
    try {
      tree = Serialization.unmarshal(yaml, Object.class);
    } catch (RuntimeException e) {
      // Any exception of the client's parser.
      throw new IllegalArgumentException("no YAML: " + e.getMessage(), e);
    }
    File file = Json.as(Json.tree(tree == null ? Map.of() : tree), File.class);
    return given(file.kinds(), "kinds").stream()
        .map(KindDeclarations::kind)
        .collect(ImmutableList.toImmutableList());
  }

  private static <T> T given(@Nullable T value, String field) {
    if (value == null) {
      throw new IllegalArgumentException(field + " is missing");
    }
    return value;
  }

  private static JobKind<GenericKubernetesResource> kind(Kind declared) {
    String name = given(declared.kind(), "kinds[].kind");
    DeclaredJobKind.Builder kind =
        DeclaredJobKind.builder(given(declared.apiGroup(), name + ": apiGroup"), name);
    if (declared.suspend() != null) {
      kind.suspend(declared.suspend());
    }
    given(declared.podSets(), name + ": podSets").forEach(podSet -> kind.podSet(podSet(podSet)));
    checks(declared.succeeded()).forEach(kind::succeeded);
    checks(declared.failed()).forEach(kind::failed);
    checks(declared.active()).forEach(kind::active);
    checks(declared.ready()).forEach(kind::ready);
    Objects.requireNonNullElse(declared.reclaimable(), Map.<String, String>of())
        .forEach(kind::reclaimable);
    if (declared.priorityClass() != null) {
      kind.priorityClass(declared.priorityClass());
    }
    return kind.build();
  }

  private static DeclaredPodSet podSet(PodSet declared) {
    String name = given(declared.name(), "podSets[].name");
    String template = given(declared.template(), "podSets[].template");
    DeclaredPodSet podSet = declared.list() == null
        ? DeclaredPodSet.of(name, template)
        : DeclaredPodSet.each(declared.list(), name, template);
    Count count = declared.count();
    if (count != null) {
      podSet = count.path() == null
          ? podSet.count(byDefault(count))
          : podSet.count(count.path(), byDefault(count));
    }
    for (Count times : Objects.requireNonNullElse(declared.times(), List.<Count>of())) {
      podSet = podSet.times(given(times.path(), "times[].path"), byDefault(times));
    }
    podSet = declared.onlyIf() == null ? podSet : podSet.onlyIf(declared.onlyIf());
    return declared.index() == null ? podSet : podSet.index(declared.index());
  }

  private static int byDefault(Count count) {
    return count.byDefault() == null ? 1 : count.byDefault();
  }

  private static ImmutableList<DeclaredJobKind.StatusCheck> checks(@Nullable List<Check> declared) {
    return Objects.requireNonNullElse(declared, List.<Check>of()).stream()
        .map(KindDeclarations::check)
        .collect(ImmutableList.toImmutableList());
  }

  private static DeclaredJobKind.StatusCheck check(Check declared) {
    DeclaredJobKind.StatusCheck check;
    if (declared.condition() != null) {
      check = DeclaredJobKind.StatusCheck.condition(declared.condition());
    } else if (declared.positive() != null) {
      check = DeclaredJobKind.StatusCheck.positive(declared.positive());
    } else {
      check = DeclaredJobKind.StatusCheck.value(
          given(declared.path(), "a check has none of condition, positive and path: path"),
          given(declared.values(), "a check with a path: values").toArray(String[]::new));
    }
    return declared.message() == null ? check : check.message(declared.message());
  }
}
