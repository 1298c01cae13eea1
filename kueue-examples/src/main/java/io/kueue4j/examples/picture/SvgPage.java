package io.kueue4j.examples.picture;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.xml.XmlEscapers;

/**
 * A self-contained SVG on a ground of its own: dark text on white, or light text on black where the
 * reader prefers dark colours. Grows with its content; distances are in pixels from the upper left
 * corner.
 *
 * <p>Attributes have the colours for white, which programs without style sheets use, too; classes
 * have others for black. A class of a picture is defined by {@link #addDark}.
 */
public final class SvgPage {
  /**
   * The colours of Okabe and Ito, which colour-blind people can distinguish; reused from the start
   * if there are not enough.
   */
  public static final ImmutableList<String> COLORS =
      ImmutableList.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442");

  /** The colour of less important text. */
  public static final String MUTED = "class=\"muted\" fill=\"#555b66\"";

  /** The colours of a box with content, or of something free. */
  public static final String BOX = "class=\"box\" fill=\"#ffffff\" stroke=\"#6b7280\"";

  /** The distance of the content from the edges. */
  public static final int MARGIN = 16;

  private static final String DARK = """
        text { fill: #e6eaef }
        .page { fill: #12161c }
        .muted { fill: #a6afbb }
        .box { fill: #1d232c; stroke: #8a94a3 }
      """;

  private final StringBuilder svg = new StringBuilder();
  private final StringBuilder dark = new StringBuilder();
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

  /** Defines a class of elements, such as {@code .bar}, where dark colours are preferred. */
  public void addDark(String selector, String declarations) {
    dark.append("  " + selector + " { " + declarations + " }\n");
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

  /**
   * Adds text in lines of at most that many characters.
   *
   * @return the number of lines
   */
  public int paragraph(
      int x, int baseline, int lineHeight, int longest, String style, String text) {
    StringBuilder line = new StringBuilder();
    int lines = 0;
    for (String word : Splitter.on(' ').split(text)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > longest) {
        text(x, baseline + lines * lineHeight, style, line.toString());
        lines++;
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    text(x, baseline + lines * lineHeight, style, line.toString());
    return lines + 1;
  }

  /** {@return the picture} */
  public String finish(String title, int height) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
        + "\" viewBox=\"0 0 " + width + " " + height
        + "\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n"
        + "<title>" + escape(title) + "</title>\n"
        + "<style>\n@media (prefers-color-scheme: dark) {\n" + DARK + dark + "}\n</style>\n"
        + "<rect class=\"page\" width=\"" + width + "\" height=\"" + height
        + "\" fill=\"#ffffff\"/>\n" + svg
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
