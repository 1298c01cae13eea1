package io.kueue4j.k8s.internal.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The same queue, written in every version of the API, is read as the same queue. */
class KueueVersionsProperties {
  /** The quotas of one group: amounts by flavor, then by resource; no limit if negative. */
  record Quotas(List<List<Amounts>> byFlavor) {}

  record Amounts(int nominal, int borrowingLimit) {}

  @Property(tries = 200)
  void quotasAreTheSameInEveryVersion(@ForAll("groups") List<Quotas> groups) {
    ConfigObject expected = model(groups);

    assertThat(read("v1alpha1", "cohort", legacy(groups))).isEqualTo(expected);
    assertThat(read("v1alpha2", "cohort", legacy(groups))).isEqualTo(expected);
    assertThat(read("v1beta1", "cohort", current(groups))).isEqualTo(expected);
    assertThat(read("v1beta2", "cohortName", current(groups))).isEqualTo(expected);
  }

  @Provide
  Arbitrary<List<Quotas>> groups() {
    Arbitrary<Amounts> amounts = Combinators.combine(
            Arbitraries.integers().between(0, 1000), Arbitraries.integers().between(-5, 100))
        .as(Amounts::new);
    Arbitrary<Quotas> quotas = Arbitraries.integers()
        .between(1, 3)
        .flatMap(
            resources -> amounts.list().ofSize(resources).list().ofMinSize(1).ofMaxSize(3))
        .map(Quotas::new);
    return quotas.list().ofMaxSize(3);
  }

  private static ConfigObject read(String version, String cohortField, String quotas) {
    String text = "{apiVersion: kueue.x-k8s.io/%s, kind: ClusterQueue, metadata: {name: q}, "
            .formatted(version)
        + "spec: {%s: all, %s}}".formatted(cohortField, quotas);
    return ManifestReader.create()
        .read(ManifestSource.of("test.yaml", text))
        .configObjects()
        .get(0);
  }

  private static String flavor(int group, int flavor) {
    return "flavor-" + group + "-" + flavor;
  }

  private static String resource(int group, int resource) {
    return "example.com/resource-" + group + "-" + resource;
  }

  private static ConfigObject model(List<Quotas> groups) {
    ClusterQueue.Builder queue = ClusterQueue.builder().name("q").cohort("all");
    for (int g = 0; g < groups.size(); g++) {
      int group = g;
      List<List<Amounts>> flavors = groups.get(g).byFlavor();
      queue.addResourceGroups(ResourceGroup.of(IntStream.range(0, flavors.size())
          .mapToObj(f -> FlavorQuotas.of(
              flavor(group, f),
              IntStream.range(0, flavors.get(f).size())
                  .mapToObj(r -> quota(resource(group, r), flavors.get(f).get(r)))
                  .toArray(ResourceQuota[]::new)))
          .toArray(FlavorQuotas[]::new)));
    }
    return queue.build();
  }

  private static ResourceQuota quota(String resource, Amounts amounts) {
    OptionalLong limit = amounts.borrowingLimit() < 0
        ? OptionalLong.empty()
        : OptionalLong.of(amounts.borrowingLimit());
    return new ResourceQuota(resource, amounts.nominal(), limit, OptionalLong.empty());
  }

  private static String current(List<Quotas> groups) {
    return list("resourceGroups", groups.size(), g -> {
      List<List<Amounts>> flavors = groups.get(g).byFlavor();
      String covered = IntStream.range(0, flavors.get(0).size())
          .mapToObj(r -> resource(g, r))
          .collect(Collectors.joining(", "));
      return "coveredResources: [" + covered + "], "
          + list(
              "flavors",
              flavors.size(),
              f -> "name: " + flavor(g, f) + ", "
                  + list(
                      "resources",
                      flavors.get(f).size(),
                      r -> "name: " + resource(g, r) + current(flavors.get(f).get(r))));
    });
  }

  private static String current(Amounts amounts) {
    String limit =
        amounts.borrowingLimit() < 0 ? "" : ", borrowingLimit: " + amounts.borrowingLimit();
    return ", nominalQuota: " + amounts.nominal() + limit;
  }

  /** The resources of all groups one after the other, each with its flavors. */
  private static String legacy(List<Quotas> groups) {
    return "resources: ["
        + IntStream.range(0, groups.size())
            .boxed()
            .flatMap(g -> {
              List<List<Amounts>> flavors = groups.get(g).byFlavor();
              return IntStream.range(0, flavors.get(0).size())
                  .mapToObj(r -> "{name: " + resource(g, r) + ", "
                      + list(
                          "flavors",
                          flavors.size(),
                          f -> "name: " + flavor(g, f) + ", quota: {"
                              + legacy(flavors.get(f).get(r)) + "}")
                      + "}");
            })
            .collect(Collectors.joining(", "))
        + "]";
  }

  private static String legacy(Amounts amounts) {
    int max = amounts.nominal() + amounts.borrowingLimit();
    return "min: " + amounts.nominal() + (amounts.borrowingLimit() < 0 ? "" : ", max: " + max);
  }

  private interface Item {
    String write(int index);
  }

  private static String list(String name, int size, Item item) {
    return name + ": ["
        + IntStream.range(0, size)
            .mapToObj(index -> "{" + item.write(index) + "}")
            .collect(Collectors.joining(", "))
        + "]";
  }
}
