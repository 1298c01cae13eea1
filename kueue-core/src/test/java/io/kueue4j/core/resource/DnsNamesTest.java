package io.kueue4j.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsNamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "team-a", "a--b", "0-9"})
  void acceptsLabels(String name) {
    assertThat(DnsNames.isLabel(name)).isTrue();
    assertThat(DnsNames.isSubdomain(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.b", "research.gpu-a.0", "a-b.c-d"})
  void acceptsDotsInSubdomainsOnly(String name) {
    assertThat(DnsNames.isSubdomain(name)).isTrue();
    assertThat(DnsNames.isLabel(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".", "-", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "A", "a_b", "a/b", "a b", "ä",
        "a\n", "`", "{", ":",
      })
  void refusesOtherNames(String name) {
    assertThat(DnsNames.isLabel(name)).isFalse();
    assertThat(DnsNames.isSubdomain(name)).isFalse();
  }

  @Test
  void aLabelHas63CharactersAtMostASubdomain253InAll() {
    assertThat(DnsNames.isLabel("a".repeat(63))).isTrue();
    assertThat(DnsNames.isLabel("a".repeat(64))).isFalse();
    assertThat(DnsNames.isSubdomain("a".repeat(253))).isTrue();
    assertThat(DnsNames.isSubdomain("a".repeat(254))).isFalse();
  }
}
