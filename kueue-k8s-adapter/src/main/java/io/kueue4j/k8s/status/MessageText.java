package io.kueue4j.k8s.status;

import com.google.common.base.Utf8;

/** Truncates messages to the length that the API server accepts. */
final class MessageText {
  private static final int CONDITION_BYTES = 32_768;
  private static final int EVENT_BYTES = 1024;
  private static final String CUT = " ...";

  private MessageText() {}

  /** {@return a message in the form that a condition accepts} */
  static String ofCondition(String message) {
    return cut(message, CONDITION_BYTES);
  }

  /** {@return a message in the form that an event accepts} */
  static String ofEvent(String message) {
    return cut(message, EVENT_BYTES);
  }

  private static String cut(String message, int maxBytes) {
    // A character takes at most 3 bytes, a surrogate pair 4, so short texts need no check.
    String whole = wellFormed(message);
    if (whole.length() <= maxBytes / 3 || Utf8.encodedLength(whole) <= maxBytes) {
      return whole;
    }
    int bytes = 0;
    int end = 0;
    while (true) {
      int codePoint = whole.codePointAt(end);
      bytes += bytes(codePoint);
      if (bytes > maxBytes - CUT.length()) {
        return whole.substring(0, end) + CUT;
      }
      end += Character.charCount(codePoint);
    }
  }

  private static int bytes(int codePoint) {
    if (codePoint < 0x80) {
      return 1;
    }
    if (codePoint < 0x800) {
      return 2;
    }
    return codePoint < 0x10000 ? 3 : 4;
  }

  /** {@return the text with a replacement character for every unpaired surrogate} */
  private static String wellFormed(String text) {
    if (text.codePoints().noneMatch(MessageText::isHalf)) {
      return text;
    }
    StringBuilder repaired = new StringBuilder();
    text.codePoints().forEach(each -> repaired.appendCodePoint(isHalf(each) ? 0xFFFD : each));
    return repaired.toString();
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
