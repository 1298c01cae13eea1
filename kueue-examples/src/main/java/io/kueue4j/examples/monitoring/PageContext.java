package io.kueue4j.examples.monitoring;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.PreemptionVictim.HeldQuota;
import io.kueue4j.core.resource.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the sections of a page share: its content, what the reader asked for, and the output. */
final class PageContext {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
          "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  final Html html;
  final MonitorView view;
  final PageQuery query;

  /** Whether a server answers links to other addresses of the page. */
  final boolean isServed;

  final JobTexts names;

  PageContext(MonitorView view, PageQuery query, boolean isServed) {
    this.html = new Html();
    this.view = view;
    this.query = query;
    this.isServed = isServed;
    this.names = new JobTexts(view);
  }

  /** The entries of one page of a list. */
  record Part<T>(String list, int first, int total, int size, ImmutableList<T> entries) {}

  /** {@return the requested page of a list; the last one if it has fewer} */
  <T> Part<T> part(String list, List<T> all, int size) {
    int last = Math.max(0, (all.size() - 1) / size);
    int first = Math.min(query.page(list) - 1, last) * size;
    return new Part<>(
        list,
        first,
        all.size(),
        size,
        ImmutableList.copyOf(all.subList(first, Math.min(all.size(), first + size))));
  }

  /** Adds the position of a part in its list, with links to its neighbours. */
  void pager(Part<?> part) {
    if (part.entries.size() == part.total) {
      return;
    }
    html.markup("<p class=\"pager\">")
        .text((part.first + 1) + "–" + (part.first + part.entries.size()) + " of " + part.total);
    if (isServed) {
      int page = part.first / part.size + 1;
      if (part.first > 0) {
        html.markup(" ").link(page(part, page - 1), "← previous");
      }
      if (part.first + part.entries.size() < part.total) {
        html.markup(" ").link(page(part, page + 1), "next →");
      }
    }
    html.markup("</p>\n");
  }

  private String page(Part<?> part, int page) {
    return query.with(part.list, page == 1 ? "" : String.valueOf(page)).address() + "#" + part.list;
  }

  /** Adds a name that leads to a query, if the page is served. */
  void link(PageQuery target, String anchor, String name) {
    if (isServed) {
      html.markup("<a href=\"" + Html.escape(target.address() + anchor) + "\">")
          .name(name)
          .markup("</a>");
    } else {
      html.name(name);
    }
  }

  /** Adds the name of a job, its kind and its LocalQueue; leads to the job alone. */
  void job(JobName job, String localQueue) {
    link(query.withoutFilter().with(PageQuery.JOB, job.toString()), "", job.name());
    html.markup("<span class=\"muted note\">");
    if (!job.kind().isEmpty()) {
      html.name(job.kind()).markup(" in ");
    }
    html.name(job.namespace());
    if (!localQueue.isEmpty()) {
      html.markup(" · queue ").name(localQueue);
    }
    html.markup("</span>");
  }

  /** Adds a time, and how long ago it was. */
  void since(Instant time) {
    html.element(
        "time",
        "datetime=\"" + time + "\" title=\"" + TIME.format(time) + "\"",
        age(Duration.between(time, view.time())));
  }

  /** {@return a time in words} */
  static String format(Instant time) {
    return TIME.format(time);
  }

  private static String age(Duration age) {
    if (age.toDays() > 0) {
      return age.toDays() + " d " + age.toHoursPart() + " h";
    }
    if (age.toHours() > 0) {
      return age.toHours() + " h " + age.toMinutesPart() + " min";
    }
    return age.toMinutes() > 0
        ? age.toMinutes() + " min " + age.toSecondsPart() + " s"
        : Math.max(0, age.toSeconds()) + " s";
  }

  /** {@return held quota in words} */
  static String held(List<HeldQuota> quota) {
    return quota.stream()
        .map(held -> Quantity.format(held.resource(), held.amount()) + " " + held.resource()
            + " of " + held.flavor())
        .collect(Collectors.joining(", "));
  }
}
