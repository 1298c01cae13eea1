package io.kueue4j.examples.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import com.google.common.primitives.ImmutableDoubleArray;
import io.kueue4j.examples.monitoring.Html;
import io.kueue4j.examples.monitoring.MonitorPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A page of a report, with everything that it needs. Charts are drawn by uPlot, which is embedded
 * with its licence; each has its figures as a table, too.
 */
final class Page {
  /** The version of the library, which the POM names, too. */
  private static final String UPLOT_VERSION = "1.6.30";

  /** The folder of the library in its jar. */
  private static final String UPLOT = "META-INF/resources/webjars/uplot/" + UPLOT_VERSION + "/";

  private static final ImmutableList<String> TIMELINE =
      ImmutableList.of("jobs.js", "lanes.js", "painter.js", "timeline.js");
  private static final int TABLE_ROWS = 20;

  /** Cells with up to so many characters are not broken into lines on wide screens. */
  private static final int UNBROKEN = 40;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Html html = new Html();
  private final ArrayNode charts = MAPPER.createArrayNode();

  /** The jobs of the timeline, empty if there is none. */
  private Optional<ObjectNode> jobs = Optional.empty();

  /** Begins a page. */
  Page(About about) {
    html.markup("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>")
        .markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
            + " style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>")
        .element("title", "", about.title())
        .markup("<style>")
        .markup(text(Resources.getResource(MonitorPage.class, "monitor.css")))
        .markup(uplot("dist/uPlot.min.css"))
        .markup(own("report.css"))
        .markup("</style></head><body><header><div>")
        .element("h1", "", about.title());
    about.summary().forEach(line -> html.element("p", "class=\"muted\"", line));
    html.markup("</div></header><main>");
  }

  /**
   * Ends the page with what made it.
   *
   * @param about where the report comes from
   * @param digests the digests of the simulations, by what to call them
   * @return the page
   */
  String end(About about, ImmutableMap<String, String> digests) {
    heading("How this was made");
    html.markup("<dl class=\"facts\">");
    fact("Command", about.command());
    fact("Version", about.version());
    fact("Java", Runtime.version().toString());
    fact("Charts", "uPlot " + UPLOT_VERSION + ", MIT License");
    digests.forEach(this::fact);
    html.markup("</dl></main>");
    data("charts", charts);
    jobs.ifPresent(timeline -> data("jobs", timeline));
    html.markup("<script>\n/*\n")
        .markup(uplot("LICENSE"))
        .markup("*/\n")
        .markup(uplot("dist/uPlot.iife.min.js"))
        .markup("</script><script>\n'use strict';\n(() => {\n");
    html.markup(own("charts.js"));
    jobs.ifPresent(timeline -> TIMELINE.forEach(script -> html.markup(own(script))));
    return html.markup(own("report.js"))
        .markup("})();\n</script></body></html>\n")
        .toString();
  }

  private void data(String id, JsonNode json) {
    html.markup("<script type=\"application/json\" id=\"" + id + "\">")
        // No text in it may end the element.
        .markup(json.toString().replace("<", "\\u003c"))
        .markup("</script>");
  }

  private static String uplot(String file) {
    return text(Resources.getResource(UPLOT + file));
  }

  private static String own(String file) {
    return text(Resources.getResource(Page.class, file));
  }

  private static String text(URL resource) {
    try {
      return Resources.toString(resource, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a fact to an open list of them. */
  private void fact(String name, String value) {
    html.markup("<div>").element("dt", "", name).element("dd", "", value).markup("</div>");
  }

  /** Adds the heading of a section. */
  void heading(String text) {
    html.element("h2", "", text);
  }

  /** Adds a paragraph that explains something. */
  void note(String text) {
    html.element("p", "class=\"muted\"", text);
  }

  /** Adds a table. */
  void table(Table table) {
    html.markup("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
        .text(table.caption())
        .markup("\"><table>")
        .element("caption", "", table.caption())
        .markup("<thead><tr>");
    table.header().forEach(cell -> html.element("th", "scope=\"col\"", cell));
    html.markup("</tr></thead><tbody>");
    for (ImmutableList<String> row : table.rows()) {
      html.markup("<tr><th scope=\"row\">").name(row.get(0)).markup("</th>");
      for (int i = 1; i < row.size(); i++) {
        html.markup(row.get(i).length() > UNBROKEN ? "<td class=\"long\"" : "<td")
            .markup(" data-label=\"")
            .text(table.header().get(i))
            .markup("\">");
        lines(row.get(i));
        html.markup("</td>");
      }
      html.markup("</tr>");
    }
    html.markup("</tbody></table></div>");
  }

  /** Adds a text, as a list if it has several lines. */
  private void lines(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() > 1) {
      html.markup("<ul>");
      lines.forEach(line -> html.element("li", "", line));
      html.markup("</ul>");
    } else {
      html.markup("<span>").text(text).markup("</span>");
    }
  }

  /** Adds tiles with the most important figures. */
  void tiles(Collection<Tile> tiles) {
    html.markup("<dl class=\"tiles\">");
    for (Tile tile : tiles) {
      html.markup("<div>")
          .element("dt", "", tile.name())
          .element("dd", "class=\"count\"", tile.value())
          .element("dd", "class=\"muted\"", tile.more())
          .markup("</div>");
    }
    html.markup("</dl>");
  }

  /** Begins a part that can be opened and closed. */
  void beginDetails(String name, boolean isOpen) {
    html.markup("<details class=\"queue\"" + (isOpen ? " open=\"open\"" : "") + "><summary>")
        .name(name)
        .markup("</summary>");
  }

  /** Ends that part. */
  void endDetails() {
    html.markup("</details>");
  }

  /** Adds charts. */
  void charts(Collection<Chart> figures) {
    html.markup("<div class=\"charts\">");
    figures.forEach(chart -> chart(chart, chart.title(), chart.max()));
    html.markup("</div>");
  }

  /**
   * Adds the charts of two simulations side by side, the charts of one title on one scale.
   *
   * @param titles what to call the simulations
   * @param charts their charts
   */
  void pairs(List<String> titles, List<ImmutableList<Chart>> charts) {
    Map<String, Double> tops = new TreeMap<>();
    charts.forEach(
        list -> list.forEach(chart -> tops.merge(chart.title(), chart.max(), Math::max)));
    html.markup("<div class=\"pairs\">");
    ImmutableList<String> order = charts.stream()
        .flatMap(List::stream)
        .map(Chart::title)
        .distinct()
        .collect(ImmutableList.toImmutableList());
    for (String title : order) {
      for (int i = 0; i < charts.size(); i++) {
        String full = title + ", " + titles.get(i);
        charts.get(i).stream()
            .filter(chart -> chart.title().equals(title))
            .findFirst()
            .ifPresentOrElse(
                chart -> chart(chart, full, tops.getOrDefault(title, 0.0)),
                () -> html.markup("<figure>")
                    .element("figcaption", "", full)
                    .element("p", "class=\"muted\"", "There is none.")
                    .markup("</figure>"));
      }
    }
    html.markup("</div>");
  }

  private void chart(Chart chart, String title, double top) {
    html.markup("<figure>")
        .element("figcaption", "", title)
        .markup("<div class=\"chart\" role=\"img\" data-chart=\"" + charts.size() + "\"")
        .markup(" aria-label=\"")
        .text(title)
        .markup("; the table below has the figures\">")
        .markup("</div>");
    ObjectNode json = charts.addObject().put("time", chart.isTime()).put("top", top);
    if (chart.axis() instanceof Chart.Values values) {
      json.put("axis", values.name()).put("connected", values.areAmounts());
      ArrayNode labels = json.putArray("labels");
      values.labels().forEach(labels::add);
    }
    numbers(chart.x(), json.putArray("x"));
    ArrayNode lines = json.putArray("lines");
    for (Chart.Line line : chart.lines()) {
      ObjectNode added = lines.addObject().put("label", line.label());
      numbers(line.values(), added.putArray("y"));
    }
    html.markup("<details><summary>Figures</summary>");
    table(figures(chart, title));
    html.markup("</details></figure>");
  }

  private static void numbers(ImmutableDoubleArray values, ArrayNode json) {
    for (double value : values.asList()) {
      if (Double.isNaN(value)) {
        json.addNull();
      } else if (value == Math.rint(value)) {
        json.add((long) value);
      } else {
        json.add(Math.round(value * 1000) / 1000.0);
      }
    }
  }

  private static Table figures(Chart chart, String title) {
    List<String> header = new ArrayList<>();
    header.add(columnOf(chart.axis()));
    chart.lines().forEach(line -> header.add(line.label()));
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    // The last point is the end, with the values of the interval before.
    int points = chart.isTime() ? chart.x().length() - 1 : chart.x().length();
    int every = chart.axis() instanceof Chart.Values ? 1 : Math.max(1, points / TABLE_ROWS);
    for (int i = 0; i < points; i += every) {
      ImmutableList.Builder<String> row = ImmutableList.builder();
      row.add(position(chart, i));
      for (Chart.Line line : chart.lines()) {
        row.add(Texts.ratio(line.values().get(i)));
      }
      rows.add(row.build());
    }
    return new Table("Figures: " + title, ImmutableList.copyOf(header), rows.build());
  }

  private static String columnOf(Chart.Axis axis) {
    return axis instanceof Chart.Values values
        ? values.name()
        : axis instanceof Chart.Time ? "From" : "Percent";
  }

  private static String position(Chart chart, int point) {
    long x = Math.round(chart.x().get(point));
    return chart.axis() instanceof Chart.Values values
        ? values.labels().get(point)
        : chart.isTime() ? Instant.ofEpochSecond(x).toString() : Texts.number(x);
  }

  /** Adds the timeline of jobs, as {@link Timeline} describes them. */
  void timeline(ObjectNode timeline) {
    heading("Jobs over time");
    html.markup(own("timeline.html"));
    jobs = Optional.of(timeline);
  }

  /**
   * A tile.
   *
   * @param name what it shows
   * @param value the value
   * @param more what else there is to say
   */
  record Tile(String name, String value, String more) {}

  /**
   * A table. A cell with several lines is a list.
   *
   * @param caption what it shows
   * @param header the names of the columns
   * @param rows the cells; the first of each row is its name
   */
  record Table(
      String caption, ImmutableList<String> header, ImmutableList<ImmutableList<String>> rows) {}
}
