package io.kueue4j.examples.monitoring;

import com.google.common.xml.XmlEscapers;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Collection;

/** HTML that is well-formed XML, written piece by piece; text of others is escaped. */
public final class Html {
  private final StringBuilder html = new StringBuilder();

  /** Creates empty HTML. */
  public Html() {}

  /** Adds markup as it is. */
  @CanIgnoreReturnValue
  public Html markup(String markup) {
    html.append(markup);
    return this;
  }

  /** Adds text. */
  @CanIgnoreReturnValue
  public Html text(Object text) {
    html.append(escape(text.toString()));
    return this;
  }

  /** Adds a name, isolated so that right-to-left text does not affect its neighbours. */
  @CanIgnoreReturnValue
  public Html name(String name) {
    return markup("<bdi>").text(name).markup("</bdi>");
  }

  /** Adds an element with text. */
  @CanIgnoreReturnValue
  public Html element(String tag, String attributes, Object text) {
    html.append('<').append(tag);
    if (!attributes.isEmpty()) {
      html.append(' ').append(attributes);
    }
    html.append('>').append(escape(text.toString())).append("</").append(tag).append(">");
    return this;
  }

  /** Adds a link to another address of the page. */
  @CanIgnoreReturnValue
  Html link(String address, Object text) {
    return element("a", "href=\"" + escape(address) + "\"", text);
  }

  /** Adds a mark, a few words in a box. */
  @CanIgnoreReturnValue
  Html badge(String style, Object text) {
    return element("span", "class=\"badge " + style + "\"", text);
  }

  /** Adds a list of texts, if there are any. */
  @CanIgnoreReturnValue
  Html list(Collection<String> texts) {
    if (texts.isEmpty()) {
      return this;
    }
    markup("<ul>");
    texts.forEach(text -> element("li", "", text));
    return markup("</ul>");
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
