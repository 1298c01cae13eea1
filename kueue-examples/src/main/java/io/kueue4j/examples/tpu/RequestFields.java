package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.Issues;
import java.util.OptionalInt;
import java.util.Set;

/** Reads requests. */
final class RequestFields {
  private static final ImmutableMap<String, SliceRequest.Rings> RINGS = ImmutableMap.of(
      "Any", SliceRequest.Rings.ANY,
      "Preferred", SliceRequest.Rings.PREFERRED,
      "Required", SliceRequest.Rings.REQUIRED);
  private static final ImmutableMap<String, SliceRequest.Scope> SCOPES = ImmutableMap.of(
      "Any", SliceRequest.Scope.ANY,
      "SamePool", SliceRequest.Scope.SAME_POOL,
      "SameFabric", SliceRequest.Scope.SAME_FABRIC);
  private static final int MOST_SLICES = 10_000;

  private final TpuFleet fleet;
  private final Issues issues;
  private final Set<String> names;

  /**
   * Creates a reader for a document.
   *
   * @param fleet the fleet of the hosts
   * @param issues receives problems
   * @param names the names in use, to which the names of requests are added
   */
  RequestFields(TpuFleet fleet, Issues issues, Set<String> names) {
    this.fleet = fleet;
    this.issues = issues;
    this.names = names;
  }

  /** {@return the request; unusable if a problem has been added} */
  NamedRequest read(Fields fields) {
    String name = fields.requiredText("name");
    SliceRequest request = SliceRequest.of("1x1").withShapes(shapes(fields));
    int count = positive(fields, "count").orElse(1);
    request = request.withCount(count);
    request = fields.flag("mayTurn").orElse(false) ? request.withTurning() : request;
    request = request.withRings(fields.choice("rings", RINGS).orElse(SliceRequest.Rings.ANY));
    request = fields.flag("twisted").orElse(false) ? request.withTwist() : request;
    request = request.withScope(fields.choice("scope", SCOPES).orElse(SliceRequest.Scope.ANY));
    OptionalInt perPool = positive(fields, "maxPerPool");
    if (perPool.isPresent()) {
      if (fields.has("scope")) {
        fields.problem("maxPerPool", "beside scope; expected one of them");
      }
      request = request.withSpread(perPool.getAsInt());
    }
    request = fields.flag("allowDegraded").orElse(false) ? request.withDegradedHosts() : request;
    request = request
        .withAvoid(HostLists.read(fleet, fields, "avoid", issues))
        .withPin(HostLists.read(fleet, fields, "pin", issues));
    NamedRequest named = new NamedRequest(name, request, fields.flag("movable").orElse(true));
    for (int number = 0; number < count; number++) {
      if (!names.add(named.sliceId(number)) && !name.isEmpty()) {
        fields.problem(
            "name", "a second slice \"" + named.sliceId(number) + "\"; expected another name");
        break;
      }
    }
    return named;
  }

  private static ImmutableList<SliceShape> shapes(Fields fields) {
    if (fields.has("shapes") == fields.has("shape")) {
      fields.problem(
          "shape",
          (fields.has("shape") ? "beside shapes" : "missing")
              + "; expected shape: 4x8, or shapes: [4x8, 8x8] with the best first");
    }
    ImmutableList.Builder<SliceShape> shapes = ImmutableList.builder();
    PoolFields.shape(fields, "shape").ifPresent(shapes::add);
    for (String text : fields.texts("shapes")) {
      try {
        shapes.add(SliceShape.parse(text));
      } catch (IllegalArgumentException e) {
        fields.problem("shapes", String.valueOf(e.getMessage()));
      }
    }
    ImmutableList<SliceShape> all = shapes.build();
    return all.isEmpty() ? ImmutableList.of(SliceShape.of(1, 1)) : all;
  }

  private static OptionalInt positive(Fields fields, String name) {
    OptionalInt number = fields.integer(name);
    if (number.isPresent() && (number.getAsInt() < 1 || number.getAsInt() > MOST_SLICES)) {
      fields.problem(name, number.getAsInt() + "; expected 1 to " + MOST_SLICES);
      return OptionalInt.empty();
    }
    return number;
  }
}
