package io.kueue4j.examples.browser;

/** The screens that pages are looked at on. */
public enum Looks {
  WIDE_LIGHT(1280, false),
  WIDE_DARK(1280, true),
  NARROW_LIGHT(390, false),
  NARROW_DARK(390, true);

  private final int width;
  private final boolean dark;

  Looks(int width, boolean dark) {
    this.width = width;
    this.dark = dark;
  }

  int width() {
    return width;
  }

  boolean dark() {
    return dark;
  }
}
