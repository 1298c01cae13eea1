package io.kueue4j.core.internal.validation;

import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates TPU pools and requests for TPU slices. Rules: TPU-U-19, TPU-F-6, TPU-F-22. */
final class SliceValidator {
  private SliceValidator() {}

  static void validate(TpuPoolSet set, Violations violations) {
    violations.checkName("name", set.name());
    violations.check(
        set.fleet().slices().isEmpty(),
        "fleet",
        "%s slices in use; expected none, the engine gives them",
        set.fleet().slices().size());
    List<SliceShape> boxes =
        set.fleet().pools().stream().map(TpuPool::hostBox).distinct().toList();
    violations.check(
        boxes.size() == 1,
        "fleet",
        "pools with hosts of %s chips; expected hosts of one size, or a pool set for each",
        boxes);
    List<String> ids = set.fleet().pools().stream().map(TpuPool::id).toList();
    for (String id : set.wholePools()) {
      violations.check(
          ids.contains(id), "wholePools", "\"%s\" is no pool; expected some of %s", id, ids);
    }
    Set<String> nodes = new HashSet<>();
    for (TpuPool pool : set.fleet().pools()) {
      for (String node : pool.nodes()) {
        violations.check(nodes.add(node), "fleet", "node \"%s\" is named twice; keep one", node);
      }
    }
  }

  static void validate(PodSet podSet, SliceRequest slices, Violations violations) {
    String field = ".sliceRequest";
    violations.check(
        podSet.minCount().isEmpty(), field, "given with minCount; slices are given whole or not");
    violations.check(
        !podSet.topologyRequest().isExplicit(),
        field,
        "given with a topologyRequest; slices place their pods themselves, keep one");
    violations.check(
        slices.avoid().isEmpty() && slices.pin().isEmpty(),
        field,
        "names hosts to avoid or to be confined to; use node selectors and flavors");
    List<Integer> sizes =
        slices.shapes().stream().map(SliceShape::chips).distinct().toList();
    violations.check(
        sizes.size() == 1,
        field,
        "shapes of %s chips; expected alternatives of as many chips each",
        sizes);
    validateChips(podSet, slices, violations.at(".requests", ResourceNames.TPU));
  }

  private static void validateChips(PodSet podSet, SliceRequest slices, Violations violations) {
    long perPod =
        podSet.podRequests().orElse(podSet.requests()).getOrDefault(ResourceNames.TPU, 0L);
    long chips = (long) slices.count() * slices.shapes().get(0).chips();
    if (perPod > 0 && Amount.multiply(perPod, podSet.count()) != chips) {
      String asked = slices.count() == 1
          ? "a slice " + slices.shapes().get(0) + " has"
          : slices.count() + " slices " + slices.shapes().get(0) + " have";
      violations.add(
          "",
          "%d pods of %d chips for %d chips that %s; expected %s"
              .formatted(
                  podSet.count(),
                  perPod,
                  chips,
                  asked,
                  chips % perPod == 0
                      ? chips / perPod + " pods"
                      : "pods of as many chips as a host has"));
    }
    violations.check(
        perPod > 0, "", "%s chips per pod; expected the number of chips of a host", perPod);
  }
}
