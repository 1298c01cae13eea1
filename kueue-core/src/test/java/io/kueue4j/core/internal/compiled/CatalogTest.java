package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class CatalogTest {
  private static final int ROUNDS = 200;

  private final Catalog catalog = new Catalog();

  @Test
  void equalNamesAreOneObject() {
    String name = "gpu";
    String equalName = String.valueOf(name.toCharArray());

    assertThat(catalog.resource(equalName)).isSameAs(catalog.resource(name));
    assertThat(catalog.pair("a100", equalName)).isSameAs(catalog.pair("a100", name));
    assertThat(catalog.resource("cpu")).isNotSameAs(catalog.resource(name));
    assertThat(catalog.pair("h100", name)).isNotSameAs(catalog.pair("a100", name));
  }

  @Test
  void aPairKnowsItsNames() {
    FlavorResource pair = catalog.pair("a100", "gpu");

    assertThat(pair.flavor()).isEqualTo("a100");
    assertThat(pair.resource()).isSameAs(catalog.resource("gpu"));
    assertThat(pair.resource().name()).isEqualTo("gpu");
    assertThat(pair).hasToString("a100/gpu");
  }

  @Test
  void pairsAreOrderedByFlavorThenResource() {
    FlavorResource first = catalog.pair("a100", "gpu");

    assertThat(first).isLessThan(catalog.pair("h100", "cpu"));
    assertThat(first).isGreaterThan(catalog.pair("a100", "cpu"));
    assertThat(first).isEqualByComparingTo(catalog.pair("a100", "gpu"));
  }

  @Test
  void hashesDependOnTheNameOnly() {
    Catalog other = new Catalog();

    assertThat(other.resource("gpu")).hasSameHashCodeAs(catalog.resource("gpu"));
    assertThat(other.pair("a100", "gpu")).hasSameHashCodeAs(catalog.pair("a100", "gpu"));
  }

  @Test
  void threadsGetOneObjectForAName() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        String name = "r" + round;
        Set<FlavorResource> pairs = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Future<FlavorResource>> asked = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          asked.add(threads.submit(() -> catalog.pair("f", name)));
        }
        for (Future<FlavorResource> each : asked) {
          pairs.add(each.get());
        }

        assertThat(pairs).hasSize(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aNameInUseStaysTheSameObjectWhenOthersAreCollected() {
    FlavorResource used = catalog.pair("a100", "gpu");
    WeakReference<FlavorResource> unused = new WeakReference<>(catalog.pair("gone", "gone"));

    assertThat(isCollected(unused)).isTrue();
    assertThat(catalog.pair("a100", "gpu")).isSameAs(used);
    assertThat(catalog.resource("gpu")).isSameAs(used.resource());
    assertThat(catalog.pair("gone", "gone").resource().name()).isEqualTo("gone");
  }

  @Test
  void aNameThatNobodyUsesIsFreed() {
    WeakReference<ResourceName> resource = new WeakReference<>(catalog.resource("gone"));

    assertThat(isCollected(resource)).isTrue();
  }

  private static boolean isCollected(WeakReference<?> reference) {
    for (int i = 0; i < ROUNDS && reference.get() != null; i++) {
      System.gc();
    }
    return reference.get() == null;
  }
}
