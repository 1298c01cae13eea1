package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request for devices in a ResourceClaimTemplate of any API version.
 *
 * @param path its field in the template, such as {@code devices.requests[0]}
 * @param deviceClass the class of the devices
 * @param count the number of devices
 * @param selectors conditions on each device, in the Common Expression Language (CEL)
 * @param problem why the devices cannot be counted
 */
record DeviceRequest(
    String path,
    String deviceClass,
    long count,
    ImmutableList<String> selectors,
    Optional<String> problem) {
  /**
   * {@return the requests of a template without those for administrative access, which are free of
   * charge}
   */
  static ImmutableList<DeviceRequest> of(GenericKubernetesResource template) {
    Object requests = template.get("spec", "spec", "devices", "requests");
    ImmutableList.Builder<DeviceRequest> found = ImmutableList.builder();
    if (requests instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        String path = "devices.requests[" + i + "]";
        if (list.get(i) instanceof Map<?, ?> request) {
          add(path, request, found);
        } else {
          found.add(unusable(path, "is no mapping; expected a request"));
        }
      }
    } else if (requests != null) {
      found.add(unusable("devices.requests", "is no list; expected requests"));
    }
    return found.build();
  }

  private static void add(
      String path, Map<?, ?> request, ImmutableList.Builder<DeviceRequest> found) {
    if (request.get("firstAvailable") != null) {
      found.add(unusable(
          path + ".firstAvailable",
          "choosing among alternatives is not supported; expected a request for devices of one"
              + " class"));
    } else if (request.get("exactly") instanceof Map<?, ?> exactly) {
      addExact(path + ".exactly", exactly, found);
    } else if (request.get("deviceClassName") != null) {
      // The notation of v1beta1 and older versions.
      addExact(path, request, found);
    } else {
      found.add(unusable(path, "asks for nothing; expected exactly, with a deviceClassName"));
    }
  }

  private static void addExact(
      String path, Map<?, ?> exactly, ImmutableList.Builder<DeviceRequest> found) {
    if (Boolean.TRUE.equals(exactly.get("adminAccess"))) {
      return;
    }
    Object mode = exactly.get("allocationMode");
    if (mode != null && !mode.equals("") && !mode.equals("ExactCount")) {
      found.add(unusable(
          path + ".allocationMode", "\"" + mode + "\" is not supported; expected ExactCount"));
      return;
    }
    String deviceClass = exactly.get("deviceClassName") instanceof String name ? name : "";
    Optional<Long> count = count(exactly.get("count"));
    if (deviceClass.isEmpty()) {
      found.add(unusable(path + ".deviceClassName", "missing; expected the name of a DeviceClass"));
    } else if (count.isEmpty()) {
      found.add(unusable(
          path + ".count", "is " + exactly.get("count") + "; expected a whole number above 0"));
    } else {
      found.add(new DeviceRequest(
          path, deviceClass, count.get(), selectors(exactly.get("selectors")), Optional.empty()));
    }
  }

  /** {@return the expressions among the selectors of a request or of a DeviceClass} */
  static ImmutableList<String> selectors(@Nullable Object given) {
    ImmutableList.Builder<String> expressions = ImmutableList.builder();
    if (given instanceof List<?> list) {
      for (Object selector : list) {
        if (selector instanceof Map<?, ?> fields
            && fields.get("cel") instanceof Map<?, ?> cel
            && cel.get("expression") instanceof String expression) {
          expressions.add(expression);
        }
      }
    }
    return expressions.build();
  }

  /** {@return the number of devices, 1 if it is not specified; empty if it is invalid} */
  private static Optional<Long> count(@Nullable Object count) {
    if (count == null) {
      return Optional.of(1L);
    }
    boolean whole = count instanceof Integer || count instanceof Long;
    return whole && count instanceof Number number && number.longValue() > 0
        ? Optional.of(number.longValue())
        : Optional.empty();
  }

  private static DeviceRequest unusable(String path, String problem) {
    return new DeviceRequest(path, "", 0, ImmutableList.of(), Optional.of(problem));
  }
}
