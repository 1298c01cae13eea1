package io.kueue4j.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules N-1 and M-6. */
class ResourceNamesTest {
  @Test
  void onlyCpuIsCountedInMilliUnits() {
    assertThat(ResourceNames.isCountedInMilliUnits("cpu")).isTrue();
    assertThat(ResourceNames.isCountedInMilliUnits("memory")).isFalse();
    assertThat(ResourceNames.isCountedInMilliUnits("requests.cpu")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu",
        "pods",
        "hugepages-2Mi",
        "nvidia.com/gpu",
        "google.com/tpu",
        "a",
        "A_b.c-9",
        "nvidia.com/mig-1g.5gb",
        "x/y",
        "a-b.c-d/e",
      })
  void acceptsQualifiedNames(String name) {
    assertThat(ResourceNames.isQualifiedName(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/gpu",
        "nvidia.com/",
        "a/b/c",
        "-cpu",
        "cpu-",
        ".cpu",
        "a b",
        "NVIDIA.com/gpu",
        "nvidia..com/gpu",
        "-nvidia.com/gpu",
        "nvidia.com-/gpu",
        "nvi_dia.com/gpu",
        "gpu!",
        "cpu\n",
      })
  void refusesOtherNames(String name) {
    assertThat(ResourceNames.isQualifiedName(name)).isFalse();
  }

  @Test
  void limitsTheNameTo63AndThePrefixTo253Characters() {
    String prefix = ("a".repeat(62) + ".").repeat(4);
    assertThat(ResourceNames.isQualifiedName("a".repeat(63))).isTrue();
    assertThat(ResourceNames.isQualifiedName("a".repeat(64))).isFalse();
    assertThat(ResourceNames.isQualifiedName(prefix + "a/gpu")).isTrue();
    assertThat(ResourceNames.isQualifiedName(prefix + "aa/gpu")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "v1.2_3-x", "A100"})
  void acceptsLabelValues(String value) {
    assertThat(ResourceNames.isLabelValue(value)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-a", "a-", "a/b", "a b", " ", "ä"})
  void refusesOtherLabelValues(String value) {
    assertThat(ResourceNames.isLabelValue(value)).isFalse();
  }

  @Test
  void limitsLabelValuesTo63Characters() {
    assertThat(ResourceNames.isLabelValue("a".repeat(63))).isTrue();
    assertThat(ResourceNames.isLabelValue("a".repeat(64))).isFalse();
  }
}
