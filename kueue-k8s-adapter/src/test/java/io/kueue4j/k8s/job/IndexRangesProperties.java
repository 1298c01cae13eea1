package io.kueue4j.k8s.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class IndexRangesProperties {
  /** An interval of a status, both ends inclusive. */
  record Interval(int first, int last) {
    @Override
    public String toString() {
      return first == last ? String.valueOf(first) : first + "-" + last;
    }
  }

  @Provide
  Arbitrary<List<Interval>> intervals() {
    Arbitrary<Integer> index = Arbitraries.integers().between(0, 30);
    return index
        .flatMap(first ->
            Arbitraries.integers().between(0, 6).map(more -> new Interval(first, first + more)))
        .list()
        .ofMaxSize(6);
  }

  @Property(tries = 300)
  void countsTheUnion(
      @ForAll("intervals") List<Interval> completed,
      @ForAll("intervals") List<Interval> failed,
      @ForAll @IntRange(max = 40) int completions) {
    BitSet indexes = new BitSet();
    completed.forEach(interval -> indexes.set(interval.first(), interval.last() + 1));
    failed.forEach(interval -> indexes.set(interval.first(), interval.last() + 1));
    assertThat(IndexRanges.countBelow(completions, text(completed), text(failed)))
        .isEqualTo(indexes.get(0, completions).cardinality());
  }

  private static String text(List<Interval> intervals) {
    return intervals.stream().map(Interval::toString).collect(Collectors.joining(","));
  }
}
