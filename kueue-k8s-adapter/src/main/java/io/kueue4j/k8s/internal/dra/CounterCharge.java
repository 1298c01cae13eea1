package io.kueue4j.k8s.internal.dra;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What a request for devices is charged for one counter: the greatest amount that any matching
 * device consumes, for each device requested. Upstream cannot know either which devices the pods
 * will get.
 *
 * <p>Rules: D-3.
 */
final class CounterCharge {
  private final CounterSource source;
  private final ImmutableList<DeviceSelector> selectors;

  /**
   * Creates the charge for devices that meet the condition of {@code source} and all others.
   *
   * @throws SelectorException if a condition is invalid or uses what is not supported
   */
  CounterCharge(CounterSource source, List<String> classSelectors, List<String> requestSelectors) {
    this.source = source;
    ImmutableList.Builder<DeviceSelector> all = ImmutableList.builder();
    all.add(compile("deviceSelector of the counter " + source.name(), source.deviceSelector()));
    classSelectors.forEach(text -> all.add(compile("selector of the DeviceClass", text)));
    requestSelectors.forEach(text -> all.add(compile("selector", text)));
    this.selectors = all.build();
  }

  /**
   * {@return the charge for {@code count} devices of {@code resource}}
   *
   * @throws SelectorException if there is none; says why
   */
  long amount(DeviceInventory inventory, String resource, long count) {
    List<Device> matching =
        inventory.devices(source.driver()).stream().filter(this::matches).toList();
    if (matching.size() < count) {
      throw new SelectorException(matching.size() + " devices of the driver " + source.driver()
          + " in complete pools of ResourceSlices match; expected " + count);
    }
    BigDecimal greatest = matching.stream()
        .flatMap(device -> Optional.ofNullable(device.counters().get(source.name())).stream())
        .max(BigDecimal::compareTo)
        .orElseThrow(() ->
            new SelectorException("no matching device consumes the counter " + source.name()));
    return Amount.multiply(Math.max(0, Quantity.amount(resource, greatest)), count);
  }

  private boolean matches(Device device) {
    try {
      return selectors.stream().allMatch(selector -> selector.matches(device));
    } catch (SelectorException e) {
      throw new SelectorException(
          "a selector has no value for the device " + device.name() + ": " + e.problem());
    }
  }

  private static DeviceSelector compile(String what, String expression) {
    try {
      return DeviceSelector.compile(expression);
    } catch (SelectorException e) {
      throw new SelectorException("the " + what + " " + e.problem());
    }
  }
}
