package io.kueue4j.core.testkit.text;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.FlavorQuotas;
import io.kueue4j.core.model.ResourceGroup;
import io.kueue4j.core.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The text of resource groups: {@code group(f(flavor cpu(1000 borrow(500) lend(0))) …)}. */
final class QuotaText {
  private QuotaText() {}

  static List<Term> print(List<ResourceGroup> groups) {
    return groups.stream().map(QuotaText::print).toList();
  }

  private static Term print(ResourceGroup group) {
    List<Term> terms = new ArrayList<>();
    boolean isUsual =
        ResourceGroup.of(group.flavors().toArray(FlavorQuotas[]::new)).equals(group);
    if (!isUsual) {
      terms.add(Term.of("covers", group.coveredResources().toArray()));
    }
    group.flavors().forEach(flavor -> terms.add(print(flavor)));
    return Term.of("group", terms);
  }

  private static Term print(FlavorQuotas flavor) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(flavor.flavor()));
    flavor.resources().forEach(quota -> terms.add(print(quota)));
    return Term.of("f", terms);
  }

  private static Term print(ResourceQuota quota) {
    List<Term> terms = new ArrayList<>();
    terms.add(Term.of(Long.toString(quota.nominalQuota())));
    quota.borrowingLimit().ifPresent(limit -> terms.add(Term.of("borrow", limit)));
    quota.lendingLimit().ifPresent(limit -> terms.add(Term.of("lend", limit)));
    return Term.of(quota.resource(), terms);
  }

  static ResourceGroup group(Term term) {
    List<Term> covers = LabelText.named(term, "covers");
    ImmutableList<FlavorQuotas> flavors =
        LabelText.named(term, "f").stream().map(QuotaText::flavor).collect(toImmutableList());
    return covers.isEmpty()
        ? ResourceGroup.of(flavors.toArray(FlavorQuotas[]::new))
        : new ResourceGroup(covers.get(0).words(0), flavors);
  }

  private static FlavorQuotas flavor(Term term) {
    return new FlavorQuotas(
        term.word(0), term.termsFrom(1).stream().map(QuotaText::quota).collect(toImmutableList()));
  }

  private static ResourceQuota quota(Term term) {
    return new ResourceQuota(
        term.word(), term.number(0), limit(term, "borrow"), limit(term, "lend"));
  }

  private static OptionalLong limit(Term term, String word) {
    return LabelText.named(term, word).stream()
        .mapToLong(limit -> limit.number(0))
        .findFirst();
  }
}
