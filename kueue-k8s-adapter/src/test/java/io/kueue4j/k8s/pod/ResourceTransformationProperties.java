package io.kueue4j.k8s.pod;

import static io.kueue4j.k8s.pod.Pods.located;
import static io.kueue4j.k8s.pod.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Rule R-4 compared with its literal implementation, for integers. */
class ResourceTransformationProperties {
  private static final List<String> RESOURCES = List.of("a", "b", "c", "d");

  @Provide
  Arbitrary<Map<String, Integer>> requests() {
    return Arbitraries.maps(Arbitraries.of(RESOURCES), Arbitraries.integers().between(0, 9));
  }

  @Provide
  Arbitrary<List<PodTemplates.Transformation>> transformations() {
    Arbitrary<Map<String, String>> outputs = Arbitraries.maps(
        Arbitraries.of(RESOURCES), Arbitraries.integers().between(-3, 3).map(String::valueOf));
    return Combinators.combine(
            Arbitraries.of(RESOURCES),
            outputs,
            Arbitraries.of(true, false),
            Arbitraries.of(RESOURCES).optional())
        .as((input, out, retain, factor) -> {
          PodTemplates.Transformation rule = retain
              ? PodTemplates.Transformation.retain(input, out)
              : PodTemplates.Transformation.replace(input, out);
          return factor.map(rule::multipliedBy).orElse(rule);
        })
        .list()
        .uniqueElements(PodTemplates.Transformation::input)
        .ofMaxSize(4);
  }

  @Property(tries = 300)
  void doesWhatTheRuleSays(
      @ForAll("requests") Map<String, Integer> requests,
      @ForAll("transformations") List<PodTemplates.Transformation> rules) {
    assertThat(counted(requests, rules)).isEqualTo(expected(requests, rules));
  }

  @Property(tries = 100)
  void theOrderOfRulesDoesNotMatter(
      @ForAll("requests") Map<String, Integer> requests,
      @ForAll("transformations") List<PodTemplates.Transformation> rules) {
    assertThat(counted(requests, rules)).isEqualTo(counted(requests, Lists.reverse(rules)));
  }

  private static Map<String, Long> counted(
      Map<String, Integer> requests, List<PodTemplates.Transformation> rules) {
    Map<String, Quantity> quantities = new HashMap<>();
    requests.forEach((name, amount) -> quantities.put(name, new Quantity(amount.toString())));
    PodTemplateSpec template = pod(Pods.container(quantities, Map.of()));
    return PodTemplates.builder().addAllTransformations(rules).build().requests(located(template));
  }

  private static Map<String, Long> expected(
      Map<String, Integer> requests, List<PodTemplates.Transformation> rules) {
    Map<String, Long> retained = new HashMap<>();
    requests.forEach((name, amount) -> retained.put(name, (long) amount));
    Map<String, Long> generated = new HashMap<>();
    for (PodTemplates.Transformation rule : rules) {
      Integer input = requests.get(rule.input());
      if (input == null) {
        continue;
      }
      if (rule.strategy() == PodTemplates.Transformation.Strategy.REPLACE) {
        retained.remove(rule.input());
      }
      long factor =
          rule.multiplyBy().map(name -> requests.getOrDefault(name, 1)).orElse(1);
      rule.outputs()
          .forEach((name, perUnit) ->
              generated.merge(name, input * factor * perUnit.longValueExact(), Long::sum));
    }
    generated.forEach((name, amount) -> retained.merge(name, Math.max(amount, 0), Long::sum));
    return retained;
  }
}
