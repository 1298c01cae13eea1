package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.examples.picture.SvgPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Draws topologies as one self-contained SVG: domains as nested boxes, in each box of the last
 * level a bar with the usage of one resource by jobs and others, and a dashed frame for the usage
 * of a request.
 */
public final class CapacityPicture {
  private static final String OTHERS = "#8a8f98";
  private static final String REQUESTED =
      "class=\"request\" fill=\"#ffffff\" fill-opacity=\"0.6\" stroke=\"#b00020\" stroke-width=\"1.5\""
          + " stroke-dasharray=\"3 2\"";
  private static final String SHORT = "class=\"short\" fill=\"#b00020\"";
  private static final int LINE = 18;
  private static final int ROOM_LINE = 15;
  private static final int LONGEST_LINE = 120;

  private final SvgPage page = new SvgPage(480);
  private final ImmutableList<FlavorCapacity> flavors;
  private final Optional<PlacementAnswer> answer;
  private final Optional<String> chosen;
  private final Map<String, String> colors = new HashMap<>();
  private final ImmutableSortedSet<String> jobs;

  /** Where the pods of a request that does not fit have room. */
  private final Optional<RoomForPods> room;

  private int y = SvgPage.MARGIN;

  private CapacityPicture(
      ImmutableList<FlavorCapacity> flavors,
      Optional<PlacementAnswer> answer,
      Optional<String> resource) {
    this.flavors = flavors;
    this.answer = answer;
    this.chosen = resource;
    this.room = answer.flatMap(RoomForPods::of);
    this.jobs = flavors.stream()
        .flatMap(flavor -> flavor.root().jobs().keySet().stream())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
    for (String job : jobs) {
      colors.put(job, SvgPage.COLORS.get(colors.size() % SvgPage.COLORS.size()));
    }
  }

  /**
   * {@return the picture}
   *
   * @param flavors what to draw
   * @param answer the placement of a request, empty if there is none
   * @param resource the resource of the bars; if empty, the first of each flavor
   */
  public static String draw(
      ImmutableList<FlavorCapacity> flavors,
      Optional<PlacementAnswer> answer,
      Optional<String> resource) {
    return new CapacityPicture(flavors, answer, resource).draw();
  }

  private String draw() {
    room.ifPresent(this::drawRefusal);
    page.addDark(".group", "fill: #ffffff; fill-opacity: 0.06; stroke: #5b6472");
    page.addDark(".bar", "fill: #39424e");
    page.addDark(".request", "fill: #12161c; stroke: #ff8a8a");
    page.addDark(".short", "fill: #ff8a8a");
    for (FlavorCapacity flavor : flavors) {
      String resource = chosen.orElseGet(
          () -> flavor.resources().isEmpty() ? "pods" : flavor.resources().first());
      draw(flavor, resource);
    }
    drawLegend();
    return page.finish("Free and used capacity by topology domain", y);
  }

  private void drawRefusal(RoomForPods missing) {
    String name = answer.map(given -> given.job().name()).orElse("");
    page.text(
        SvgPage.MARGIN,
        y + 14,
        SHORT + " font-size=\"15\" font-weight=\"bold\"",
        "✕ " + name + " does not fit now");
    y += 26;
    for (String line : missing.explanation()) {
      y += LINE * page.paragraph(SvgPage.MARGIN, y + 8, LINE, LONGEST_LINE, "", line);
    }
    y += 14;
  }

  private void draw(FlavorCapacity flavor, String resource) {
    page.text(
        SvgPage.MARGIN,
        y + 14,
        "font-size=\"15\" font-weight=\"bold\"",
        "Topology " + flavor.topology().name() + ", flavor " + flavor.flavor() + ": " + resource
            + ", " + CapacityReport.free(flavor.root(), resource) + " free");
    y += 26;
    page.text(
        SvgPage.MARGIN,
        y + 8,
        SvgPage.MUTED,
        String.join(" > ", flavor.topology().levels()));
    y += LINE;
    DomainBox box = DomainBox.of(flavor.root(), room.isPresent() ? ROOM_LINE : 0);
    Map<List<String>, Long> requested = requested(flavor, resource);
    for (DomainBox child : box.children()) {
      draw(child, SvgPage.MARGIN, y, resource, flavor.topology(), requested);
    }
    y += box.height() + 6;
    page.widenTo(SvgPage.MARGIN + box.width());
    for (Map.Entry<String, String> node : flavor.unused().entrySet()) {
      page.text(
          SvgPage.MARGIN,
          y + 12,
          SvgPage.MUTED,
          "not used: " + node.getKey() + ", " + node.getValue());
      y += LINE;
    }
    y += 10;
  }

  private void draw(
      DomainBox box,
      int left,
      int top,
      String resource,
      Topology topology,
      Map<List<String>, Long> requested) {
    int x = left + box.x();
    int boxTop = top + box.y();
    DomainCapacity domain = box.domain();
    page.add("<g><title>"
        + SvgPage.escape(String.join("/", domain.path()) + ": "
            + CapacityReport.free(domain, resource) + " free")
        + "</title>\n");
    boolean leaf = domain.children().isEmpty();
    page.rectangle(
        x,
        boxTop,
        box.width(),
        box.height(),
        leaf
            ? SvgPage.BOX + " rx=\"4\""
            : "class=\"group\" fill=\"#000000\" fill-opacity=\"0.035\" stroke=\"#aab0ba\" rx=\"6\"");
    page.text(
        x + 8,
        boxTop + 16,
        leaf ? "" : "font-weight=\"bold\"",
        SvgPage.shortened(domain.name(), DomainBox.LONGEST_NAME));
    room.ifPresent(missing -> drawRoom(missing, domain, x + 8, boxTop + (leaf ? 65 : 31)));
    if (leaf) {
      drawBar(domain, x + 8, boxTop + 23, box.width() - 16, resource, topology, requested);
      page.text(
          x + 8,
          boxTop + 50,
          SvgPage.MUTED + " font-size=\"11\"",
          CapacityReport.free(domain, resource) + " free");
    }
    page.add("</g>\n");
    for (DomainBox child : box.children()) {
      draw(child, x, boxTop, resource, topology, requested);
    }
  }

  /** Says how many pods have room; with a mark that tells domains without room from others. */
  private void drawRoom(RoomForPods missing, DomainCapacity domain, int x, int baseline) {
    boolean none = missing.in(domain) == 0;
    page.add("<g>");
    missing
        .shortage(domain)
        .filter(why -> none && domain.children().isEmpty())
        .ifPresent(why -> page.add("<title>" + SvgPage.escape(why) + "</title>"));
    page.text(
        x,
        baseline,
        (none ? SHORT : "") + " font-size=\"11\"",
        (none ? "✕ " : "") + missing.text(domain));
    page.add("</g>\n");
  }

  private void drawBar(
      DomainCapacity domain,
      int x,
      int top,
      int length,
      String resource,
      Topology topology,
      Map<List<String>, Long> requested) {
    page.rectangle(x, top, length, 13, "class=\"bar\" fill=\"#eceff3\"");
    double scale = (double) length / Math.max(domain.capacity(resource), 1);
    double at = x;
    long others = domain.others().getOrDefault(resource, 0L);
    at = segment(at, top, x + length, others * scale, "fill=\"" + OTHERS + "\"");
    for (Map.Entry<String, JobShare> job : domain.jobs().entrySet()) {
      long amount = job.getValue().amounts().getOrDefault(resource, 0L);
      at = segment(
          at,
          top,
          x + length,
          amount * scale,
          "fill=\"" + colors.getOrDefault(job.getKey(), OTHERS) + "\"");
    }
    Long amount = requested.get(key(domain.path(), topology));
    if (room.isPresent()) {
      drawRoom(room.get(), domain, at, top, x + length, room.get().perPod(resource) * scale);
    } else if (amount != null) {
      // If victims have to stop first, draw the request over them.
      segment(
          Math.max(x, Math.min(at, x + length - amount * scale)),
          top,
          x + length,
          amount * scale,
          REQUESTED);
    }
  }

  /** Draws the pods that have room; if none has, one that ends at a thick line. */
  private void drawRoom(
      RoomForPods missing, DomainCapacity domain, double at, int top, int end, double perPod) {
    long pods = Math.min(missing.in(domain), missing.count());
    segment(at, top, end, perPod * Math.max(1, pods), REQUESTED);
    if (pods == 0) {
      segment(end - 3.0, top, end, 3, SHORT);
    }
  }

  /** {@return the start of the next segment} */
  private double segment(double at, int top, int end, double length, String style) {
    double drawn = Math.min(length, end - at);
    if (drawn > 0) {
      page.add(String.format(
          Locale.ROOT,
          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"13\" %s/>\n",
          at,
          top,
          drawn,
          style));
    }
    return at + Math.max(drawn, 0);
  }

  /** {@return the usage of a resource by the request, by domain} */
  private Map<List<String>, Long> requested(FlavorCapacity flavor, String resource) {
    Map<List<String>, Long> requested = new HashMap<>();
    if (answer.isEmpty() || answer.get().admission().isEmpty()) {
      return requested;
    }
    for (PodSetAssignment podSet : answer.get().admission().get().podSetAssignments()) {
      Optional<TopologyAssignment> assignment = podSet.topologyAssignment();
      if (assignment.isPresent() && podSet.flavors().containsValue(flavor.flavor())) {
        long perPod = answer.get().job().workload().podSets().stream()
            .filter(candidate -> candidate.name().equals(podSet.name()))
            .mapToLong(candidate -> FlavorCapacity.requests(candidate).getOrDefault(resource, 0L))
            .findFirst()
            .orElse(0);
        for (Domain domain : assignment.get().domains()) {
          requested.merge(domain.values(), perPod * domain.count(), Long::sum);
        }
      }
    }
    return requested;
  }

  /** {@return the values of a domain in assignments} */
  private static List<String> key(List<String> path, Topology topology) {
    return topology.endsInHosts() ? path.subList(path.size() - 1, path.size()) : path;
  }

  private void drawLegend() {
    List<String[]> entries = new ArrayList<>();
    for (String job : jobs) {
      entries.add(new String[] {"fill=\"" + colors.get(job) + "\"", job});
    }
    if (flavors.stream().anyMatch(flavor -> !flavor.root().others().isEmpty())) {
      entries.add(new String[] {"fill=\"" + OTHERS + "\"", "pods that no queue knows"});
    }
    answer
        .filter(given -> given.admission().isPresent())
        .ifPresent(given ->
            entries.add(new String[] {REQUESTED, "where " + given.job().name() + " would go"}));
    room.ifPresent(missing -> {
      String pods = "of " + answer.map(PlacementAnswer::podSet).orElse("");
      entries.add(
          new String[] {REQUESTED, "pods " + pods + " that have room, by free capacity alone"});
      entries.add(new String[] {SHORT, "no room for a pod " + pods});
    });
    for (String[] entry : entries) {
      page.rectangle(SvgPage.MARGIN, y, 22, 12, entry[0]);
      page.text(SvgPage.MARGIN + 30, y + 11, "", entry[1]);
      y += LINE;
    }
    y += SvgPage.MARGIN;
  }
}
