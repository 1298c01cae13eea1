package io.kueue4j.core.compiled;

import static org.assertj.core.api.Assertions.assertThat;

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
}
