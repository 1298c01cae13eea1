package io.kueue4j.examples.monitoring;

import com.google.common.xml.XmlEscapers;
import com.google.errorprone.annotations.CanIgnoreReturnValue;

/** HTML that is well-formed XML, written piece by piece; text of others is escaped. */
final class Html {
  private final StringBuilder html = new StringBuilder();

  /** Adds markup as it is. */
  @CanIgnoreReturnValue
  Html markup(String markup) {
    html.append(markup);
    return this;
  }

  /** Adds text. */
  @CanIgnoreReturnValue
  Html text(Object text) {
    html.append(escape(text.toString()));
    return this;
  }

  /** Adds a name, isolated so that right-to-left text does not affect its neighbours. */
  @CanIgnoreReturnValue
  Html name(String name) {
    return markup("<bdi>").text(name).markup("</bdi>");
  }

  /** Adds an element with text. */
  @CanIgnoreReturnValue
  Html element(String tag, String attributes, Object text) {
    html.append('<').append(tag);
    if (!attributes.isEmpty()) {
      html.append(' ').append(attributes);
    }
    html.append('>').append(escape(text.toString())).append("</").append(tag).append(">");
    return this;
  }

  /** Adds a cell with a name. */
  @CanIgnoreReturnValue
  Html nameCell(String name) {
    return markup("<td>").name(name).markup("</td>");
  }

  /** Adds a cell with a name that stays on one line. */
  @CanIgnoreReturnValue
  Html keyCell(String name) {
    return markup("<td class=\"key\">").name(name).markup("</td>");
  }

  /** Adds the headings of a table. */
  @CanIgnoreReturnValue
  Html headings(String... headings) {
    markup("<thead><tr>");
    for (String heading : headings) {
      element("th", "scope=\"col\"", heading);
    }
    return markup("</tr></thead>\n");
  }

  /** {@return text for markup and attributes; characters that XML does not allow are replaced} */
  static String escape(String text) {
    return XmlEscapers.xmlAttributeEscaper().escape(text);
  }

  @Override
  public String toString() {
    return html.toString();
  }
}
