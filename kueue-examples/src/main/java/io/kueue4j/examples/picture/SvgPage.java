package io.kueue4j.examples.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.xml.XmlEscapers;

/**
 * A self-contained SVG: dark text on white. Grows with its content; distances are in pixels from
 * the upper left corner.
 */
public final class SvgPage {
  /**
   * The colours of Okabe and Ito, which colour-blind people can distinguish; reused from the start
   * if there are not enough.
   */
  public static final ImmutableList<String> COLORS =
      ImmutableList.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442");

  /** The colour of less important text. */
  public static final String MUTED = "fill=\"#555b66\"";

  /** The distance of the content from the edges. */
  public static final int MARGIN = 16;

  private final StringBuilder svg = new StringBuilder();
  private int width;

  /** Creates an empty page of at least that width. */
  public SvgPage(int leastWidth) {
    this.width = leastWidth;
  }

  /** {@return the current width} */
  public int width() {
    return width;
  }

  /** Makes the page wide enough for that position and a margin. */
  public void widenTo(int right) {
    width = Math.max(width, right + MARGIN);
  }

  /** Adds SVG as it is. */
  public void add(String markup) {
    svg.append(markup);
  }

  /** Adds a rectangle. */
  public void rectangle(int x, int top, int boxWidth, int height, String style) {
    svg.append("<rect x=\"" + x + "\" y=\"" + top + "\" width=\"" + boxWidth + "\" height=\""
        + height + "\" " + style + "/>\n");
  }

  /** Adds text that starts at x, and makes the page wide enough for it. */
  public void text(int x, int baseline, String style, String text) {
    // The font is unknown; bold headings are the widest.
    widenTo(x + (style.contains("bold") ? 10 : 8) * text.length());
    svg.append(
        "<text x=\"" + x + "\" y=\"" + baseline + "\" " + style + ">" + escape(text) + "</text>\n");
  }

  /** {@return the picture} */
  public String finish(String title, int height) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
        + "\" viewBox=\"0 0 " + width + " " + height
        + "\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n"
        + "<title>" + escape(title) + "</title>\n"
        + "<rect width=\"" + width + "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n" + svg
        + "</svg>\n";
  }

  /** {@return text escaped for XML; control characters are replaced} */
  public static String escape(String text) {
    return XmlEscapers.xmlAttributeEscaper().escape(text);
  }

  /** {@return a name of at most that many characters: its end, which distinguishes neighbours} */
  public static String shortened(String name, int longest) {
    return name.length() <= longest ? name : "…" + name.substring(name.length() - longest + 1);
  }
}
