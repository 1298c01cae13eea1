package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.Arrays;
import java.util.Map;

/** Reads a ResourceFlavor. Rules: M-1, M-2. */
final class FlavorReader {
  private static final ImmutableList<Taint.Effect> EFFECTS =
      ImmutableList.copyOf(Taint.Effect.values());

  private final Fields object;
  private final KueueApiVersion version;
  private final Map<String, String> origins;

  FlavorReader(Fields object, KueueApiVersion version, Map<String, String> origins) {
    this.object = object;
    this.version = version;
    this.origins = origins;
  }

  ResourceFlavor read(String name) {
    ResourceFlavor.Builder flavor = ResourceFlavor.builder().name(name);
    if (VersionDifferences.hasQuotasPerResource(version)) {
      readWithoutSpec(flavor);
    } else {
      Fields spec = object.object("spec");
      flavor
          .putAllNodeLabels(spec.textMap("nodeLabels"))
          .addAllNodeTaints(taints(spec, "nodeTaints"))
          .addAllTolerations(tolerations(spec));
      spec.text("topologyName").filter(text -> !text.isEmpty()).ifPresent(flavor::topologyName);
    }
    return flavor.build();
  }

  private void readWithoutSpec(ResourceFlavor.Builder flavor) {
    // In v1alpha2 the labels of the object are the labels of the nodes. There was no spec; any
    // content of it is unknown.
    var unused = object.object("spec");
    Fields metadata = object.object("metadata");
    metadata.ignoreAll();
    Fields holder = version == KueueApiVersion.V1ALPHA1 ? object : metadata;
    flavor.putAllNodeLabels(holder.textMap("labels")).addAllNodeTaints(taints(object, "taints"));
    origins.put("", "");
    origins.put("nodeLabels", holder.path("labels"));
    origins.put("nodeTaints", "taints");
  }

  static ImmutableList<Taint> taints(Fields holder, String name) {
    ImmutableList.Builder<Taint> taints = ImmutableList.builder();
    for (Fields taint : holder.objects(name)) {
      taint.ignore("timeAdded");
      String key = taint.requiredText("key");
      if (!taint.has("effect")) {
        taint.missing("effect", "one of " + EFFECTS);
      }
      Taint.Effect effect = taint.choice("effect", EFFECTS).orElse(Taint.Effect.NO_SCHEDULE);
      taints.add(new Taint(key, taint.text("value").orElse(""), effect));
    }
    return taints.build();
  }

  static ImmutableList<Toleration> tolerations(Fields spec) {
    ImmutableList.Builder<Toleration> tolerations = ImmutableList.builder();
    for (Fields toleration : spec.objects("tolerations")) {
      tolerations.add(Toleration.builder()
          .key(toleration.text("key").orElse(""))
          .operator(toleration
              .choice(
                  "operator", Arrays.asList(Toleration.Operator.EXISTS, Toleration.Operator.EQUAL))
              .orElse(Toleration.Operator.EQUAL))
          .value(toleration.text("value").orElse(""))
          .effect(toleration.choice("effect", EFFECTS))
          .tolerationSeconds(toleration.wholeNumber("tolerationSeconds"))
          .build());
    }
    return tolerations.build();
  }
}
