package io.kueue4j.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.resource.Amount;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sentences that reasons make. */
class ReasonTest {
  private static Reason shortage(ReasonCode code) {
    return Reason.builder()
        .code(code)
        .podSet("main")
        .flavor("spot")
        .resource("cpu")
        .asked(6000)
        .used(5500)
        .available(4500)
        .limit(10_000)
        .build();
  }

  static Stream<Arguments> shortages() {
    String figures = "pod set main: cpu in flavor spot: requests 6, 4500m available,"
        + " 1500m more needed (in use 5500m, nominal quota 10)";
    return Stream.of(
        Arguments.of(ReasonCode.INSUFFICIENT_QUOTA, figures),
        Arguments.of(
            ReasonCode.NO_PREEMPTION_CANDIDATES,
            figures + ", and no workload may be preempted for it"),
        Arguments.of(
            ReasonCode.TAKEN_IN_CYCLE, figures + " after earlier workloads of the same cycle"),
        Arguments.of(
            ReasonCode.EXCEEDS_MAXIMUM,
            "pod set main: cpu in flavor spot: requests 6, more than the queue could ever"
                + " get (10)"));
  }

  @ParameterizedTest
  @MethodSource("shortages")
  void shortagesNameEveryFigure(ReasonCode code, String message) {
    assertThat(shortage(code).message()).isEqualTo(message);
    assertThat(shortage(code)).hasToString(message);
  }

  @Test
  void requestsBeyondTheRangeAreNotCalledUnlimited() {
    Reason reason = Reason.builder()
        .code(ReasonCode.EXCEEDS_MAXIMUM)
        .resource("memory")
        .asked(Amount.UNLIMITED)
        .limit(1 << 30)
        .build();
    assertThat(reason.message())
        .isEqualTo("memory: requests too much to count, more than the queue could ever get (1Gi)");
  }

  @Test
  void aReasonOfTheWholeWorkloadIsItsDetail() {
    assertThat(Reason.of(ReasonCode.DEACTIVATED, "the workload is not active"))
        .hasToString("the workload is not active");
  }

  @Test
  void namesTheResourceWhereThereIsNoFlavor() {
    Reason reason = Reason.builder()
        .code(ReasonCode.RESOURCE_NOT_COVERED)
        .podSet("main")
        .resource("memory")
        .detail("no quota")
        .build();
    assertThat(reason).hasToString("pod set main: memory: no quota");
  }

  @Test
  void namesTheFlavorWhereThereIsNoResource() {
    Reason reason = Reason.builder()
        .code(ReasonCode.UNTOLERATED_TAINT)
        .podSet("main")
        .flavor("spot")
        .detail("has a taint")
        .build();
    assertThat(reason).hasToString("pod set main: flavor spot: has a taint");
  }

  @Test
  void reasonsOfEqualContentAreEqual() {
    assertThat(shortage(ReasonCode.INSUFFICIENT_QUOTA))
        .isEqualTo(shortage(ReasonCode.INSUFFICIENT_QUOTA))
        .isNotEqualTo(shortage(ReasonCode.TAKEN_IN_CYCLE));
  }
}
