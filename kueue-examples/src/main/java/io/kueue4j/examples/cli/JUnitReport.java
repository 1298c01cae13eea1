package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import io.kueue4j.examples.story.Story;
import io.kueue4j.examples.story.StoryFailure;
import io.kueue4j.examples.story.StoryResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Scenarios with their failures as JUnit XML, which code hosts show: a test case each, in one
 * suite.
 */
final class JUnitReport {
  /** What XML 1.0 cannot say. */
  private static final CharMatcher FORBIDDEN = CharMatcher.javaIsoControl()
      .and(CharMatcher.noneOf("\t\n\r"))
      .or(CharMatcher.inRange('\ufffe', '\uffff'));

  private final XMLStreamWriter xml;

  private JUnitReport(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /** {@return the document} */
  static String of(List<StoryResult> results) {
    StringWriter text = new StringWriter();
    try {
      JUnitReport report =
          new JUnitReport(XMLOutputFactory.newInstance().createXMLStreamWriter(text));
      report.write(results);
    } catch (XMLStreamException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return text.toString();
  }

  private void write(List<StoryResult> results) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    start("testsuite");
    attribute("name", "kueue4j test");
    attribute("tests", String.valueOf(results.size()));
    attribute(
        "failures",
        String.valueOf(results.stream().filter(result -> !result.isPassed()).count()));
    attribute("errors", "0");
    attribute("skipped", "0");
    for (StoryResult result : results) {
      write(result);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private void write(StoryResult result) throws XMLStreamException {
    Story story = result.story();
    start("testcase");
    attribute("classname", story.file().toString());
    attribute("name", story.name());
    attribute("file", story.file().toString());
    attribute("line", String.valueOf(story.line()));
    if (!result.isPassed()) {
      start("failure");
      attribute("message", result.failures().get(0).message());
      StringWriter text = new StringWriter();
      Screen screen = Screen.plain(new PrintWriter(text));
      for (StoryFailure failure : result.failures()) {
        TestCommand.print(story, failure, screen);
      }
      xml.writeCharacters(clean(text.toString()));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private void start(String element) throws XMLStreamException {
    xml.writeCharacters("\n");
    xml.writeStartElement(element);
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, clean(value));
  }

  private static String clean(String text) {
    return FORBIDDEN.replaceFrom(text, '?');
  }
}
