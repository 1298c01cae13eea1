package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;

/**
 * Writes a section with one table. On a narrow screen each row becomes a card, in which each cell
 * has its heading before it; so cells carry headings, and roles, which the other layout would
 * remove.
 */
final class PageTable {
  private final Html html;
  private final ImmutableList<String> headings;
  private int column;

  private PageTable(Html html, ImmutableList<String> headings) {
    this.html = html;
    this.headings = headings;
  }

  /** Begins a section with a table. */
  static PageTable begin(Html html, String id, String heading, String caption, String... headings) {
    return begin(html, id, heading, caption, ImmutableList.copyOf(headings));
  }

  /** Begins a section with a table. */
  static PageTable begin(
      Html html, String id, String heading, String caption, ImmutableList<String> headings) {
    html.markup("<section aria-labelledby=\"" + id + "\">\n")
        .element("h2", "id=\"" + id + "\"", heading)
        .markup("\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"" + id
            + "\"><table role=\"table\">\n")
        .element("caption", "", caption)
        .markup("\n<thead role=\"rowgroup\"><tr role=\"row\">");
    for (String each : headings) {
      html.element("th", "role=\"columnheader\" scope=\"col\"", each);
    }
    html.markup("</tr></thead>\n");
    return new PageTable(html, headings);
  }

  /** Begins the rows. */
  void beginRows() {
    html.markup("<tbody role=\"rowgroup\">");
  }

  /** Ends the rows. */
  void endRows() {
    html.markup("</tbody>\n");
  }

  /** Begins a row with a heading that spans it; its content follows. */
  void beginWideRow() {
    html.markup(
        "<tr role=\"row\" class=\"wide\"><th role=\"rowheader\" scope=\"rowgroup\" colspan=\""
            + headings.size() + "\">");
  }

  /** Ends such a row. */
  void endWideRow() {
    html.markup("</th></tr>\n");
  }

  /** Begins a row. */
  void beginRow() {
    column = 0;
    html.markup("<tr role=\"row\">");
  }

  /** Begins a row whose card has three columns, except for cells of the style {@code long}. */
  void beginCompactRow() {
    column = 0;
    html.markup("<tr role=\"row\" class=\"compact\">");
  }

  /** Ends a row. */
  void endRow() {
    html.markup("</tr>\n");
  }

  /** Begins the cell that names its row; its content follows. */
  void beginName() {
    column++;
    html.markup("<th role=\"rowheader\" scope=\"row\">");
  }

  /** Ends that cell. */
  void endName() {
    html.markup("</th>");
  }

  /** Begins a cell; its content follows. */
  @CanIgnoreReturnValue
  Html beginCell(String style) {
    String heading = headings.get(column++);
    return html.markup("<td role=\"cell\" data-label=\"" + Html.escape(heading) + "\""
        + (style.isEmpty() ? "" : " class=\"" + style + "\"") + "><div>");
  }

  /** Ends a cell. */
  void endCell() {
    html.markup("</div></td>");
  }

  /** Adds a cell with text. */
  void cell(String style, Object text) {
    beginCell(style).text(text);
    endCell();
  }

  /** Adds a cell with a name. */
  void nameCell(String name) {
    beginCell("").name(name);
    endCell();
  }

  /** Adds a row that says why there are none. */
  void remark(String remark) {
    html.markup("<tr role=\"row\">")
        .element("td", "role=\"cell\" class=\"muted\" colspan=\"" + headings.size() + "\"", remark)
        .markup("</tr>\n");
  }

  /** Ends the table; more may follow before the end of the section. */
  void end() {
    html.markup("</table></div>\n");
  }
}
