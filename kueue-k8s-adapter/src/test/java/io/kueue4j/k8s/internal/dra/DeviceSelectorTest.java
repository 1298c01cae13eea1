package io.kueue4j.k8s.internal.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Selectors of devices, written in CEL. */
class DeviceSelectorTest {
  private static final Device GPU = Device.read(
      "gpu.nvidia.com",
      Map.of(
          "name", "gpu-0-mig-1",
          "attributes",
              Map.of(
                  "profile", Map.of("string", "1g.10gb"),
                  "index", Map.of("int", 3),
                  "shared", Map.of("bool", true),
                  "productName", Map.of("string", "NVIDIA A100-SXM4"),
                  "driverVersion", Map.of("version", "550.54.15"),
                  "other.com/numa", Map.of("int", 1L)),
          "capacity", Map.of("memory", Map.of("value", "9856Mi")),
          "consumesCounters", List.of()));

  private static boolean matches(String expression) {
    return DeviceSelector.compile(expression).matches(GPU);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "device.driver == 'gpu.nvidia.com'",
        "device.attributes['gpu.nvidia.com'].profile == \"1g.10gb\"",
        "device.attributes[\"gpu.nvidia.com\"].index >= 3 && !(device.driver == 'x')",
        "device.attributes[device.driver].index != -3",
        "device.attributes['other.com'].numa in [0, 1]",
        "'profile' in device.attributes['gpu.nvidia.com']",
        "!('gpu.amd.com' in device.attributes)",
        "!has(device.attributes['gpu.amd.com'].profile)",
        "has(device.attributes['gpu.nvidia.com'].shared)",
        "device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$')",
        "device.attributes['gpu.nvidia.com'].productName.matches(r'A\\d+')",
        "device.attributes['gpu.nvidia.com'].productName.startsWith('NVIDIA')",
        "device.attributes['gpu.nvidia.com'].productName.endsWith('4')",
        "device.attributes['gpu.nvidia.com'].productName.contains('SXM')",
        "size(device.attributes['gpu.nvidia.com'].profile) == 7",
        "device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('9Gi')) >= 0",
        "device.capacity['gpu.nvidia.com'].memory == quantity('9856Mi')",
        "device.capacity['gpu.nvidia.com'].memory.isLessThan(quantity('10Gi'))",
        "device.attributes['gpu.nvidia.com'].driverVersion.isGreaterThan(semver('550.54.15-rc.2'))",
        "semver('1.0.0-alpha.2').isLessThan(semver('1.0.0-alpha.10'))",
        "device.attributes['x'].missing == 1 || true",
        "true || device.attributes['x'].missing == 1",
        "!(device.attributes['x'].missing == 1 && false)",
        "cel.bind(gpu, device.attributes['gpu.nvidia.com'], gpu.shared && gpu.index == 3)",
        "device.attributes['gpu.nvidia.com'].index == 3 ? true : false",
        "device.attributes['gpu.nvidia.com'].profile != 1",
        "'a\\'b' == \"a'b\"",
      })
  void aDeviceMatches(String expression) {
    assertThat(matches(expression)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "device.attributes['x'].missing == 1; no such key: missing",
        "device.attributes['gpu.nvidia.com'].gone && true; no such key: gone",
        "device.driver; uses \"gpu.nvidia.com\" as a condition",
        "device.driver < 3; compares \"gpu.nvidia.com\" with 3",
        "quantity('5Gb') == 1; \"5Gb\" is not a quantity",
        "device.driver.matches('(a'); has an invalid pattern",
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.matches('a*a*a*a*a*a*b'); has a pattern that takes too long",
      })
  void anExpressionMayHaveNoValue(String expression, String problem) {
    DeviceSelector selector = DeviceSelector.compile(expression);
    assertThatThrownBy(() -> selector.matches(GPU))
        .isInstanceOf(SelectorException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "device.driver ==; has the end at character 17, expected a value",
        "gpu.driver == 'x'; uses gpu at character 1, which is not supported",
        "device.driver.reverse(); uses reverse with 0 arguments, which is not supported",
        "device.driver == 'x; has a text without an end at character 18",
        "1.5 < 2; has a number at character 1 that is not supported",
        "99999999999999999999 > 1; has a number at character 1 that is not supported",
        "true); has ) at character 5, expected the end",
        "true % b; has \"%\" at character 6, which is not supported",
        "``; has the end at character 1, expected a value",
      })
  void otherTextsAreRefused(String expression, String problem) {
    assertThatThrownBy(() -> DeviceSelector.compile(expression))
        .isInstanceOf(SelectorException.class)
        .hasMessageStartingWith(problem);
  }

  @Test
  void hugeExpressionsAreRefused() {
    assertThatThrownBy(() -> DeviceSelector.compile("(".repeat(5000)))
        .hasMessage("is nested too deeply");
    assertThatThrownBy(() -> DeviceSelector.compile(" ".repeat(11_000)))
        .hasMessageContaining("expected at most 10240");
    assertThat(matches("true" + " && true".repeat(1200))).isTrue();
  }
}
