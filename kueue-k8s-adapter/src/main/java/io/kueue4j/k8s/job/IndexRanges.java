package io.kueue4j.k8s.job;

import com.google.common.base.Splitter;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import com.google.common.primitives.Ints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the indexes in the status of an Indexed Job, such as {@code 0-3,5}. */
final class IndexRanges {
  private static final Splitter COMMA = Splitter.on(',').omitEmptyStrings().trimResults();
  private static final Splitter DASH = Splitter.on('-').limit(2);

  private IndexRanges() {}

  /**
   * {@return the number of indexes from 0 to below {@code limit} that any of {@code texts}
   * contains}
   *
   * <p>Malformed and descending intervals are ignored, as upstream.
   */
  static int countBelow(int limit, @Nullable String... texts) {
    RangeSet<Integer> indexes = TreeRangeSet.create();
    for (String text : texts) {
      if (text != null) {
        COMMA.split(text).forEach(interval -> addInterval(interval, limit, indexes));
      }
    }
    return indexes.asRanges().stream()
        .mapToInt(range -> range.upperEndpoint() - range.lowerEndpoint())
        .sum();
  }

  private static void addInterval(String interval, int limit, RangeSet<Integer> indexes) {
    List<String> ends = DASH.splitToList(interval);
    Integer first = Ints.tryParse(ends.get(0));
    Integer last = Ints.tryParse(ends.get(ends.size() - 1));
    if (first != null && last != null && first >= 0 && first <= last && first < limit) {
      indexes.add(Range.closedOpen(first, Math.min(last, limit - 1) + 1));
    }
  }
}
