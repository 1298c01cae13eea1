package io.kueue4j.examples.picture;

import com.google.common.collect.ImmutableList;
import com.google.common.xml.XmlEscapers;

/**
 * An SVG that needs nothing else: dark text on white. Grows with what is put on it; distances are
 * in pixels from the upper left corner.
 */
public final class SvgPage {
  /** Okabe and Ito's colours, which colour-blind people can tell apart; then from the start. */
  public static final ImmutableList<String> COLORS =
      ImmutableList.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442");

  /** The colour of text that says less than the rest. */
  public static final String MUTED = "fill=\"#555b66\"";

  /** The distance of what is drawn from the edges. */
  public static final int MARGIN = 16;

  private final StringBuilder svg = new StringBuilder();
  private int width;

  /** Begins with an empty page of at least that width. */
  public SvgPage(int leastWidth) {
    this.width = leastWidth;
  }

  /** {@return the width so far} */
  public int width() {
    return width;
  }

  /** Makes room up to there, and a margin. */
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

  /** Adds text that begins at x, and makes room for it. */
  public void text(int x, int baseline, String style, String text) {
    // No font is known here; bold headings are the widest.
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

  /** {@return text as XML takes it; control characters are replaced} */
  public static String escape(String text) {
    return XmlEscapers.xmlAttributeEscaper().escape(text);
  }

  /** {@return a name of at most so many characters: its end, which tells neighbours apart} */
  public static String shortened(String name, int longest) {
    return name.length() <= longest ? name : "…" + name.substring(name.length() - longest + 1);
  }
}
