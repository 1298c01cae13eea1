package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class NodeQuotaProperties {
  private static final ResourceFlavor ANY = ResourceFlavor.of("any");

  private static long quota(
      List<Long> amounts, long usedByOthers, long heldBack, int percent, boolean leavesOut) {
    List<Node> nodes = new ArrayList<>();
    for (long amount : amounts) {
      nodes.add(Node.builder()
          .name("node-" + nodes.size())
          .ready(true)
          .allocatableAmount("x", amount)
          .usedByOthersAmount("x", usedByOthers)
          .build());
    }
    return NodeQuota.builder()
        .addResources("x")
        .putHeldBack("x", heldBack)
        .putPercentHeldBack("x", percent)
        .leavesOutOthers(leavesOut)
        .build()
        .quotas(ImmutableList.of(ANY), nodes)
        .get(0)
        .resources()
        .get(0)
        .nominalQuota();
  }

  @Property(tries = 300)
  void isWhatArithmeticWithoutLimitsSays(
      @ForAll @Size(max = 5) List<@LongRange(min = 0) Long> amounts,
      @ForAll @LongRange(min = 0) long usedByOthers,
      @ForAll @LongRange(min = 0) long heldBack,
      @ForAll @IntRange(min = 0, max = 100) int percent,
      @ForAll boolean leavesOut) {
    BigDecimal offered = BigDecimal.ZERO;
    BigDecimal free = BigDecimal.ZERO;
    for (long amount : amounts) {
      offered = offered.add(BigDecimal.valueOf(amount));
      free = free.add(BigDecimal.valueOf(amount)
          .subtract(BigDecimal.valueOf(leavesOut ? usedByOthers : 0))
          .max(BigDecimal.ZERO));
    }
    BigDecimal expected = free.subtract(offered
            .multiply(BigDecimal.valueOf(percent))
            .movePointLeft(2)
            .setScale(0, RoundingMode.CEILING))
        .subtract(BigDecimal.valueOf(heldBack))
        .max(BigDecimal.ZERO)
        .min(BigDecimal.valueOf(Long.MAX_VALUE));
    assertThat(BigDecimal.valueOf(quota(amounts, usedByOthers, heldBack, percent, leavesOut)))
        .isEqualByComparingTo(expected);
  }

  @Property(tries = 300)
  void moreHeadRoomNeverMeansMoreQuota(
      @ForAll @Size(max = 5) List<@LongRange(min = 0, max = 1_000_000) Long> amounts,
      @ForAll @LongRange(min = 0, max = 1_000_000) long heldBack,
      @ForAll @IntRange(min = 0, max = 99) int percent) {
    long quota = quota(amounts, 0, heldBack, percent, false);
    assertThat(quota(amounts, 0, heldBack + 1, percent, false)).isLessThanOrEqualTo(quota);
    assertThat(quota(amounts, 0, heldBack, percent + 1, false)).isLessThanOrEqualTo(quota);
  }
}
