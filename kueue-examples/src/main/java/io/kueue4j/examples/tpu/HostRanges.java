package io.kueue4j.examples.tpu;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Hosts in the notation of users: numbers, ranges such as {@code 16-31}, names of nodes. */
final class HostRanges {
  private HostRanges() {}

  /**
   * {@return the hosts}
   *
   * @param pool the pool that they belong to
   * @param text a number, a range, or the name of a node
   * @throws IllegalArgumentException if the pool has no such hosts; says what was expected
   */
  static ImmutableList<Integer> parse(TpuPool pool, String text) {
    int node = pool.nodes().indexOf(text);
    if (node >= 0) {
      return ImmutableList.of(node);
    }
    List<String> parts = Splitter.on('-').trimResults().splitToList(text);
    Integer first = number(parts.get(0));
    Integer last = number(parts.get(parts.size() - 1));
    if (parts.size() > 2 || first == null || last == null || first > last || last >= pool.hosts()) {
      throw new IllegalArgumentException(
          "\"%s\" is no host of pool %s; expected numbers from 0 to %d, ranges such as 4-7%s"
              .formatted(
                  text,
                  pool.id(),
                  pool.hosts() - 1,
                  pool.nodes().isEmpty() ? "" : ", or names of its nodes"));
    }
    return IntStream.rangeClosed(first, last).boxed().collect(ImmutableList.toImmutableList());
  }

  private static @Nullable Integer number(String text) {
    boolean digits = !text.isEmpty() && CharMatcher.inRange('0', '9').matchesAllOf(text);
    return digits ? Ints.tryParse(text) : null;
  }

  /** {@return numbers in ascending order, with ranges: {@code 0-3,8}} */
  static String format(Iterable<Integer> numbers) {
    List<String> ranges = new ArrayList<>();
    int first = -1;
    int last = -2;
    for (int number : ImmutableList.sortedCopyOf(numbers)) {
      if (number != last + 1) {
        if (first >= 0) {
          ranges.add(range(first, last));
        }
        first = number;
      }
      last = number;
    }
    if (first >= 0) {
      ranges.add(range(first, last));
    }
    return Joiner.on(',').join(ranges);
  }

  private static String range(int first, int last) {
    return first == last ? String.valueOf(first) : first + "-" + last;
  }
}
