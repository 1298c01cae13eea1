package io.kueue4j.examples.controller.event;

import java.util.List;

/** Shortens texts for events. */
public final class EventText {
  private static final int MAX_ITEMS = 3;
  private static final int MAX = 300;

  private EventText() {}

  /** {@return a text of at most 300 characters, cut at the end of a word} */
  public static String shorten(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    if (line.length() <= MAX) {
      return line;
    }
    int space = line.lastIndexOf(' ', MAX - 1);
    return line.substring(0, space <= 0 ? MAX - 1 : space) + "…";
  }

  /** {@return the first of several reasons, and how many others there are} */
  public static String join(List<String> reasons) {
    List<String> distinct = reasons.stream().distinct().toList();
    int shown = Math.min(MAX_ITEMS, distinct.size());
    int others = distinct.size() - shown;
    String text = shorten(String.join("; ", distinct.subList(0, shown)));
    return others == 0 ? text : text + " (and " + others + " more)";
  }
}
