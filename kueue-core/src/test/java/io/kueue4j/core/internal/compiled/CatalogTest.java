package io.kueue4j.core.internal.compiled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kueue4j.core.internal.support.RetainedCells;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CatalogTest {
  private final Catalog catalog = new Catalog();

  @Test
  void aForkKnowsTheIdsGivenOutBefore() {
    int flavor = catalog.flavor("a100");
    int resource = catalog.resource("gpu");
    int pair = catalog.pair(flavor, resource);
    Catalog fork = catalog.fork();

    assertThat(fork.flavor("a100")).isEqualTo(flavor);
    assertThat(fork.resource("gpu")).isEqualTo(resource);
    assertThat(fork.pair(flavor, resource)).isEqualTo(pair);
    assertThat(fork.flavorName(flavor)).isEqualTo("a100");
    assertThat(fork.resourceName(fork.resourceOfPair(pair))).isEqualTo("gpu");
    assertThat(fork.flavorOfPair(pair)).isEqualTo(flavor);
  }

  @Test
  void idsGivenOutLaterAreOnesOwn() {
    int resource = catalog.resource("gpu");
    Catalog fork = catalog.fork();
    Catalog forkOfFork = fork.fork();
    int inFork = fork.pair(fork.flavor("only-in-fork"), resource);
    int inCatalog = catalog.pair(catalog.flavor("only-in-catalog"), resource);

    assertThat(catalog.findFlavor("only-in-fork")).isNegative();
    assertThat(fork.findFlavor("only-in-catalog")).isNegative();
    assertThat(forkOfFork.findFlavor("only-in-fork")).isNegative();
    assertThat(fork.flavorName(fork.flavorOfPair(inFork))).isEqualTo("only-in-fork");
    assertThat(catalog.flavorName(catalog.flavorOfPair(inCatalog))).isEqualTo("only-in-catalog");
  }

  @Test
  void resourcesGivenOutLaterHaveAVisitingOrderOfTheirOwn() {
    int cpu = catalog.resource("cpu");
    Catalog fork = catalog.fork();
    int memoryInFork = fork.resource("memory");
    int gpu = catalog.resource("gpu");
    int memory = catalog.resource("memory");

    assertThat(memory).isNotEqualTo(memoryInFork);
    assertThat(Integer.signum(fork.compareVisits(cpu, memoryInFork)))
        .isEqualTo(Integer.signum(catalog.compareVisits(cpu, memory)));
    assertThat(catalog.compareVisits(gpu, memory)).isNotZero();
  }

  @Test
  void lookingForAFlavorGivesOutNoId() {
    assertThat(catalog.findFlavor("unknown")).isNegative();
    assertThat(catalog.flavor("first")).isZero();
  }

  @Nested
  class TakingBack {
    private final int gpu = catalog.resource("gpu");
    private final int gone = catalog.flavor("gone");
    private final int kept = catalog.flavor("kept");
    private final int pairGone = catalog.pair(gone, gpu);
    private final int pairKept = catalog.pair(kept, gpu);

    private void retain(int... pairs) {
      IdsInUse inUse = new IdsInUse();
      inUse.addPairs(pairs);
      catalog.retain(inUse);
    }

    @Test
    void leavesWhatIsInUseAsItIs() {
      retain(pairKept);

      assertThat(catalog.flavor("kept")).isEqualTo(kept);
      assertThat(catalog.flavorName(kept)).isEqualTo("kept");
      assertThat(catalog.resource("gpu")).isEqualTo(gpu);
      assertThat(catalog.pair(kept, gpu)).isEqualTo(pairKept);
      assertThat(catalog.flavorOfPair(pairKept)).isEqualTo(kept);
      assertThat(catalog.size()).isEqualTo(3);
    }

    @Test
    void givesTheOthersOutAgain() {
      retain(pairKept);

      assertThat(catalog.findFlavor("gone")).isNegative();
      assertThatIllegalArgumentException().isThrownBy(() -> catalog.flavorName(gone));
      assertThat(catalog.flavor("new")).isEqualTo(gone);
      assertThat(catalog.pair(gone, catalog.resource("cpu"))).isEqualTo(pairGone);
      assertThat(catalog.resourceName(catalog.resourceOfPair(pairGone))).isEqualTo("cpu");
    }

    @Test
    void doesNotConcernForks() {
      Catalog fork = catalog.fork();
      retain();
      catalog.flavor("new");

      assertThat(fork.flavorName(gone)).isEqualTo("gone");
      assertThat(fork.pair(gone, gpu)).isEqualTo(pairGone);
    }

    @Test
    void needsMemoryForTheNamesInUseOnly() {
      long before = RetainedCells.of(catalog);
      for (int i = 0; i < 10_000; i++) {
        catalog.pair(catalog.flavor("f" + i), catalog.resource("r" + i));
      }
      assertThat(catalog.growth()).isGreaterThan(10_000);
      assertThat(RetainedCells.of(catalog)).isGreaterThan(10 * before);

      retain(pairGone, pairKept);

      assertThat(RetainedCells.of(catalog)).isEqualTo(before);
      assertThat(catalog.growth()).isZero();
    }
  }
}
