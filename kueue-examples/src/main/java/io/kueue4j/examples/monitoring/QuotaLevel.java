package io.kueue4j.examples.monitoring;

/** How much of a quota is in use, in words and as a style of the page. */
enum QuotaLevel {
  /** There is room. */
  ROOM("", ""),
  /** At least {@value #NEARLY} percent are in use. */
  NEARLY_FULL("▲ nearly full", "warn"),
  /** All of it is in use. */
  FULL("■ full", "bad"),
  /** More than the quota is in use: the rest is borrowed. */
  BORROWING("◆ borrowing", "warm"),
  /** It is not in use, but hardly anything is available: others borrow it. */
  LENT("▼ lent out", "warn");

  private static final int NEARLY = 90;
  private static final int WHOLE = 100;

  private final String mark;
  private final String style;

  QuotaLevel(String mark, String style) {
    this.mark = mark;
    this.style = style;
  }

  /** {@return the level of a quota of which {@code used} is in use} */
  static QuotaLevel of(long quota, long used) {
    if (used > quota) {
      return BORROWING;
    }
    if (quota > 0 && used == quota) {
      return FULL;
    }
    return quota > 0 && percent(quota, used) >= NEARLY ? NEARLY_FULL : ROOM;
  }

  /** {@return the level of the quota of a ClusterQueue} */
  static QuotaLevel of(QuotaLine line) {
    long nominal = line.usage().nominal();
    QuotaLevel level = of(nominal, line.usage().used());
    boolean isScarce =
        nominal > 0 && percent(nominal, Math.max(0, nominal - line.usage().available())) >= NEARLY;
    return level == ROOM && isScarce && line.lentAtMost() > 0 ? LENT : level;
  }

  /** {@return the used part of a positive quota in percent, rounded down} */
  static int percent(long quota, long used) {
    return (int) Math.min(Integer.MAX_VALUE, Math.floor((double) used / quota * WHOLE));
  }

  /** {@return whether an operator should look at it} */
  boolean isTight() {
    return this != ROOM;
  }

  /** {@return the mark, empty if there is room} */
  String mark() {
    return mark;
  }

  /** {@return the style of the mark} */
  String style() {
    return style;
  }
}
