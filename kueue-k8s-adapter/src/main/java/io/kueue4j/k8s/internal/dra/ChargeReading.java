package io.kueue4j.k8s.internal.dra;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.k8s.pod.PodTemplates;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the devices of one pod. Not thread-safe. Rules: D-1, D-2, D-3. */
final class ChargeReading {
  private final ResourceClaims claims;
  private final PodTemplates.Located template;
  private final PodSpec spec;
  private final TreeMap<String, Long> charges = new TreeMap<>();
  private final TreeMap<String, Long> replaced = new TreeMap<>();
  private final ImmutableList.Builder<Violation> violations = ImmutableList.builder();

  ChargeReading(ResourceClaims claims, PodTemplates.Located template) {
    this.claims = claims;
    this.template = template;
    this.spec = Objects.requireNonNullElseGet(template.template().getSpec(), PodSpec::new);
  }

  DeviceCharges read() {
    List<PodResourceClaim> named = orEmpty(spec.getResourceClaims());
    for (int i = 0; i < named.size(); i++) {
      if (named.get(i) == null) {
        add("resourceClaims[" + i + "]", "empty; expected an element, or none at all");
      } else {
        read(named.get(i), "resourceClaims[" + i + "]");
      }
    }
    claims.extendedResources().classes().forEach(this::readExtended);
    return new DeviceCharges(
        ImmutableSortedMap.copyOf(charges),
        ImmutableSortedMap.copyOf(replaced),
        violations.build());
  }

  private void read(PodResourceClaim claim, String path) {
    if (!Strings.isNullOrEmpty(claim.getResourceClaimName())) {
      add(
          path + ".resourceClaimName",
          "claims that pods share are not supported; expected a resourceClaimTemplateName");
      return;
    }
    String name = Strings.nullToEmpty(claim.getResourceClaimTemplateName());
    if (name.isEmpty()) {
      return;
    }
    Optional<GenericKubernetesResource> found = claims.template(template.namespace(), name);
    if (found.isEmpty()) {
      add(
          path + ".resourceClaimTemplateName",
          "there is no ResourceClaimTemplate " + name + " in namespace " + template.namespace());
      return;
    }
    for (DeviceRequest request : DeviceRequest.of(found.get())) {
      String from = "ResourceClaimTemplate " + name + ": " + request.path();
      if (request.problem().isPresent()) {
        add(path, from + " " + request.problem().get());
      } else {
        charge(request, path, from);
      }
    }
  }

  private void charge(DeviceRequest request, String path, String from) {
    String deviceClass = request.deviceClass();
    List<DeviceClassMapping> mappings = claims.byClass().get(deviceClass);
    if (mappings.isEmpty()) {
      add(
          path,
          from + ": DeviceClass " + deviceClass + " is not mapped to a resource; add it to"
              + " resources.deviceClassMappings of Kueue's Configuration");
    } else if (mappings.get(0).hasCapacities()) {
      add(
          path,
          from + ": devices of DeviceClass " + deviceClass
              + " are counted by capacities, which is not supported");
    } else if (mappings.get(0).counters().isEmpty()) {
      charges.merge(mappings.get(0).name(), request.count(), Amount::add);
    } else {
      try {
        chargeCounters(request, mappings);
      } catch (SelectorException e) {
        add(path, from + ": " + e.problem());
      }
    }
  }

  private void chargeCounters(DeviceRequest request, List<DeviceClassMapping> mappings) {
    ImmutableList<String> classSelectors = claims
        .classSelectors(request.deviceClass())
        .orElseThrow(
            () -> new SelectorException("there is no DeviceClass " + request.deviceClass()));
    for (DeviceClassMapping mapping : mappings) {
      for (CounterSource counter : mapping.counters()) {
        CounterCharge charge = new CounterCharge(counter, classSelectors, request.selectors());
        charges.merge(
            mapping.name(),
            charge.amount(claims.inventory(), mapping.name(), request.count()),
            Amount::add);
      }
    }
  }

  // ----- extended resources

  private void readExtended(String resource, String deviceClass) {
    boolean addsToRequests = KueueFix.DEVICES_BESIDE_REQUESTS.isIn(claims.kueueVersion());
    BigDecimal running = BigDecimal.ZERO;
    List<Container> containers = orEmpty(spec.getContainers());
    for (int i = 0; i < containers.size(); i++) {
      running = running.add(amount(containers.get(i), "containers[" + i + "]", resource));
    }
    BigDecimal sidecars = BigDecimal.ZERO;
    BigDecimal peak = BigDecimal.ZERO;
    List<Container> initContainers = orEmpty(spec.getInitContainers());
    for (int i = 0; i < initContainers.size(); i++) {
      Container init = initContainers.get(i);
      BigDecimal started = sidecars.add(amount(init, "initContainers[" + i + "]", resource));
      peak = peak.max(started);
      if (addsToRequests && "Always".equals(init.getRestartPolicy())) {
        sidecars = started;
      }
    }
    BigDecimal requested = running.add(sidecars).max(peak);
    if (requested.signum() <= 0) {
      return;
    }
    if (requested.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      add("containers", resource + " adds up to " + requested + ", which is more than can be");
      return;
    }
    DeviceClassMapping mapping = Iterables.getFirst(claims.byClass().get(deviceClass), null);
    if (mapping != null && mapping.hasSources()) {
      add(
          "containers",
          resource + " stands for devices of DeviceClass " + deviceClass
              + ", which are counted by counters or capacities; claim them by a"
              + " ResourceClaimTemplate");
      return;
    }
    replaced.put(resource, addsToRequests ? requested.longValue() : Long.MAX_VALUE);
    charges.merge(mapping == null ? resource : mapping.name(), requested.longValue(), Amount::add);
  }

  /**
   * {@return the amount that a container requests; 0 after reporting a violation if it is not a
   * whole number}
   */
  private BigDecimal amount(Container container, String path, String resource) {
    ResourceRequirements resources =
        Objects.requireNonNullElseGet(container.getResources(), ResourceRequirements::new);
    Quantity requested = quantity(resources.getRequests(), resource);
    Quantity given = requested == null ? quantity(resources.getLimits(), resource) : requested;
    if (given == null) {
      return BigDecimal.ZERO;
    }
    String text = Strings.nullToEmpty(given.getAmount()) + Strings.nullToEmpty(given.getFormat());
    Optional<BigDecimal> amount = whole(text);
    if (amount.isEmpty()) {
      add(
          path + ".resources.requests[" + resource + "]",
          text + "; expected a whole number of devices");
    }
    return amount.orElse(BigDecimal.ZERO).max(BigDecimal.ZERO);
  }

  private static @Nullable Quantity quantity(
      @Nullable Map<String, Quantity> quantities, String resource) {
    return quantities == null ? null : quantities.get(resource);
  }

  private static Optional<BigDecimal> whole(String text) {
    try {
      BigDecimal amount = io.kueue4j.core.resource.Quantity.parse(text);
      return amount.stripTrailingZeros().scale() <= 0 ? Optional.of(amount) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void add(String path, String problem) {
    String specPath = template.path().isEmpty() ? "spec" : template.path() + ".spec";
    violations.add(new Violation(template.object(), specPath + "." + path, problem));
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
