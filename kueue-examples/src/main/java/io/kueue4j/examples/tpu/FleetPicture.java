package io.kueue4j.examples.tpu;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.PoolMetrics;
import io.kueue4j.core.tpu.SliceFitter;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceRequest;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import io.kueue4j.examples.picture.SvgPage;
import io.kueue4j.examples.tpu.PoolSheet.Cell;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws a fleet as one self-contained SVG: each pod or cube with its slices in colours and with
 * names, hosts that are down or degraded hatched, and a dashed frame around the largest slice that
 * still fits in a pool.
 */
public final class FleetPicture {
  private static final int LINE = 18;
  private static final int GAP = 28;
  private static final int HEADING = 36;
  private static final int LEAST_POOL_WIDTH = 190;
  private static final int WIDEST_ROW = 1_120;
  private static final int LARGEST_LETTERS = 12;
  private static final int SMALLEST_LETTERS = 8;
  private static final int FEWEST_LETTERS = 4;
  private static final String DARK = "#1a1d23";
  private static final String FREE = "class=\"free\" fill=\"#ffffff\" stroke=\"#c3c8d0\"";
  private static final String DOWN =
      "class=\"down\" fill=\"url(#down)\" stroke=\"#b00020\" stroke-width=\"0.75\"";
  private static final String DEGRADED =
      "class=\"degraded\" fill=\"url(#degraded)\" stroke=\"#a15c00\" stroke-width=\"0.75\"";
  private static final String LARGEST =
      "class=\"largest\" fill=\"none\" stroke=\"#00693e\" stroke-width=\"2.5\" stroke-dasharray=\"6 4\"";
  private static final String HATCHES = "<defs>\n" + hatch("down", "#fbe3e6", "#b00020")
      + hatch("degraded", "#fdf0d9", "#a15c00") + "</defs>\n";

  /**
   * The colours of slices. Colour-blind people cannot distinguish that many; all slices have names,
   * too.
   */
  private static final ImmutableList<String> COLORS = ImmutableList.<String>builder()
      .addAll(SvgPage.COLORS)
      .add("#7a4fa3", "#8c5a2b", "#5f6b7a", "#6b8e23")
      .build();

  private final SvgPage page = new SvgPage(520);
  private final SliceFitter fitter = SliceFitter.create();
  private final TpuFleet fleet;
  private final ImmutableSet<String> fresh;
  private final Map<String, String> colors = new LinkedHashMap<>();
  private int y = SvgPage.MARGIN;

  private FleetPicture(TpuFleet fleet, ImmutableSet<String> fresh) {
    this.fleet = fleet;
    this.fresh = fresh;
    for (TpuSlice slice : fleet.slices()) {
      String color = COLORS.get(colors.size() % COLORS.size());
      colors.putIfAbsent(slice.owner(), color);
    }
  }

  /**
   * {@return the picture}
   *
   * @param fleet what to draw
   * @param fresh the ids of the slices that were just placed, which get a thick frame
   */
  public static String draw(TpuFleet fleet, ImmutableSet<String> fresh) {
    return new FleetPicture(fleet, fresh).draw();
  }

  private static String hatch(String id, String ground, String line) {
    return "<pattern id=\"" + id + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
        + " patternTransform=\"rotate(45)\">"
        + "<rect class=\"ground-" + id + "\" width=\"6\" height=\"6\" fill=\"" + ground + "\"/>"
        + "<rect class=\"line-" + id + "\" width=\"1.6\" height=\"6\" fill=\"" + line
        + "\"/></pattern>\n";
  }

  private String draw() {
    page.addDark(".free", "fill: #1d232c; stroke: #4b5563");
    page.addDark(".fresh", "stroke: #ffffff");
    page.addDark(".new", "fill: #1d232c; stroke: #ffffff");
    page.addDark(".largest", "stroke: #5fd39a");
    page.addDark(".down", "stroke: #ff8a8a");
    page.addDark(".ground-down", "fill: #3b1719");
    page.addDark(".line-down", "fill: #ff8a8a");
    page.addDark(".degraded", "stroke: #e0a44a");
    page.addDark(".ground-degraded", "fill: #35270f");
    page.addDark(".line-degraded", "fill: #e0a44a");
    page.add(HATCHES);
    page.text(
        SvgPage.MARGIN,
        y + 14,
        "font-size=\"15\" font-weight=\"bold\"",
        "TPU " + fleet.generation().name() + ": " + fleet.pools().size()
            + (fleet.pools().size() == 1 ? " pool" : " pools"));
    y += 26;
    PoolSheet first = PoolSheet.of(fleet.pools().get(0), fleet.pools().size());
    for (String line : first.explanation()) {
      page.text(SvgPage.MARGIN, y + 8, SvgPage.MUTED, line);
      y += LINE;
    }
    y += 10;
    drawPools();
    drawLegend();
    return page.finish("Slices in TPU pools, what is free and what is broken", y);
  }

  private void drawPools() {
    int x = SvgPage.MARGIN;
    int lowest = y;
    for (TpuPool pool : fleet.pools()) {
      PoolSheet sheet = PoolSheet.of(pool, fleet.pools().size());
      int width = Math.max(sheet.width(), LEAST_POOL_WIDTH);
      if (x > SvgPage.MARGIN && x + width > WIDEST_ROW) {
        x = SvgPage.MARGIN;
        y = lowest + GAP;
      }
      drawPool(sheet, x);
      page.widenTo(x + width);
      lowest = Math.max(lowest, y + HEADING + sheet.height());
      x += width + GAP;
    }
    y = lowest + GAP;
  }

  private void drawPool(PoolSheet sheet, int left) {
    TpuPool pool = sheet.pool();
    PoolMetrics metrics = PoolMetrics.of(fleet, pool.id());
    page.text(left, y + 11, "font-weight=\"bold\"", SvgPage.shortened(pool.id(), 24));
    page.text(
        left,
        y + 26,
        SvgPage.MUTED + " font-size=\"11\"",
        metrics.freeHealthyHosts() + " of " + metrics.hosts() + " free, largest "
            + metrics.largest().map(SliceShape::toString).orElse("none"));
    int top = y + HEADING;
    for (int mesh = 0; mesh < sheet.meshes() && sheet.meshes() > 1; mesh++) {
      page.text(
          left + sheet.left(mesh),
          top + sheet.top(mesh) - 3,
          SvgPage.MUTED + " font-size=\"9\"",
          (pool.kind() == TpuPool.Kind.CUBES_OCS ? "" : "z = ") + mesh);
    }
    for (int host = 0; host < pool.hosts(); host++) {
      if (fleet.health(pool.id(), host) == HostHealth.HEALTHY && !fleet.isTaken(pool.id(), host)) {
        drawBox(sheet, left, top, boxes(sheet, List.of(host)).get(0), FREE);
      }
    }
    for (TpuSlice slice : fleet.slices()) {
      if (slice.placement().pool().equals(pool)) {
        drawSlice(sheet, left, top, slice);
      }
    }
    for (int host = 0; host < pool.hosts(); host++) {
      HostHealth health = fleet.health(pool.id(), host);
      if (health != HostHealth.HEALTHY) {
        String style = health == HostHealth.DOWN ? DOWN : DEGRADED;
        drawBox(sheet, left, top, boxes(sheet, List.of(host)).get(0), style);
      }
    }
    for (CellBox box : boxes(sheet, largest(pool, metrics))) {
      drawBox(sheet, left, top, box, LARGEST);
    }
  }

  private void drawSlice(PoolSheet sheet, int left, int top, TpuSlice slice) {
    String color = colors.getOrDefault(slice.owner(), DARK);
    String edge = fresh.contains(slice.id())
        ? "class=\"fresh\" stroke=\"" + DARK + "\" stroke-width=\"2.5\""
        : "stroke=\"" + color + "\" stroke-width=\"1.25\"";
    ImmutableList<CellBox> boxes = boxes(sheet, slice.placement().hosts());
    page.add("<g><title>"
        + SvgPage.escape(
            slice.id() + " " + slice.placement().shape() + " at " + PlaceText.of(slice.placement()))
        + "</title>\n");
    for (CellBox box : boxes) {
      drawBox(
          sheet, left, top, box, "fill=\"" + color + "\" fill-opacity=\"0.32\" rx=\"3\" " + edge);
    }
    // One name per mesh, where there is most room for it.
    boxes.stream()
        .collect(Collectors.groupingBy(
            CellBox::mesh,
            LinkedHashMap::new,
            Collectors.maxBy(Comparator.comparingInt(box -> box.columns() * box.rows()))))
        .values()
        .forEach(box -> drawName(sheet, left, top, box.orElseThrow(), slice.id()));
    page.add("</g>\n");
  }

  /**
   * Draws the whole name, in smaller letters if necessary; otherwise its end; nothing if there is
   * no room.
   */
  private void drawName(PoolSheet sheet, int left, int top, CellBox box, String name) {
    int width = box.columns() * sheet.cell();
    int size = Math.min(LARGEST_LETTERS, sheet.cell() / 2 + 2);
    while (size > SMALLEST_LETTERS && letters(width, size) < name.length()) {
      size--;
    }
    int letters = letters(width, size);
    if (letters < Math.min(FEWEST_LETTERS, name.length())) {
      return;
    }
    int x = left + sheet.left(box.mesh()) + box.column() * sheet.cell() + width / 2;
    int middle = top
        + sheet.top(box.mesh())
        + box.row() * sheet.cell()
        + (box.rows() * sheet.cell() + size * 7 / 10) / 2;
    page.add("<text x=\"" + x + "\" y=\"" + middle + "\" text-anchor=\"middle\" font-size=\"" + size
        + "\" fill=\"" + DARK + "\">" + SvgPage.escape(SvgPage.shortened(name, letters))
        + "</text>\n");
  }

  /** {@return the number of letters that fit; they are slightly wider than half their size} */
  private static int letters(int width, int size) {
    return (int) ((width - 6) / (0.6 * size));
  }

  private void drawBox(PoolSheet sheet, int left, int top, CellBox box, String style) {
    page.rectangle(
        left + sheet.left(box.mesh()) + box.column() * sheet.cell() + 1,
        top + sheet.top(box.mesh()) + box.row() * sheet.cell() + 1,
        box.columns() * sheet.cell() - 2,
        box.rows() * sheet.cell() - 2,
        style);
  }

  private static ImmutableList<CellBox> boxes(PoolSheet sheet, List<Integer> hosts) {
    List<Cell> cells = hosts.stream().map(sheet::cell).toList();
    return CellBox.cover(cells);
  }

  /** {@return the hosts of the largest slice that fits in a pool} */
  private List<Integer> largest(TpuPool pool, PoolMetrics metrics) {
    Optional<SliceShape> shape = metrics.largest();
    if (shape.isEmpty()) {
      return List.of();
    }
    Map<String, Set<Integer>> here =
        ImmutableMap.of(pool.id(), ContiguousSet.closedOpen(0, pool.hosts()));
    return fitter
        .fit(fleet, SliceRequest.of(shape.get()).withTurning().withPin(here))
        .slices()
        .stream()
        .findFirst()
        .map(SlicePlacement::hosts)
        .orElse(List.of());
  }

  private void drawLegend() {
    PictureLegend legend = new PictureLegend(page, y);
    fleet.slices().stream()
        .collect(Collectors.groupingBy(
            slice -> slice.owner() + "  " + slice.placement().shape(),
            LinkedHashMap::new,
            Collectors.toList()))
        .values()
        .forEach(slices -> {
          String color = colors.getOrDefault(slices.get(0).owner(), DARK);
          legend.addSlices(
              slices, "fill=\"" + color + "\" fill-opacity=\"0.32\" stroke=\"" + color + "\"");
        });
    legend.add(FREE, "free");
    if (fleet.pools().stream()
        .anyMatch(pool -> PoolMetrics.of(fleet, pool.id()).largest().isPresent())) {
      legend.add(LARGEST, "largest slice that still fits");
    }
    if (!fresh.isEmpty()) {
      legend.add(
          "class=\"new\" fill=\"#ffffff\" stroke=\"" + DARK + "\" stroke-width=\"2.5\"",
          "placed now");
    }
    legend.add(DOWN, "down", has(HostHealth.DOWN));
    legend.add(DEGRADED, "degraded", has(HostHealth.DEGRADED));
    y = legend.finish();
  }

  private boolean has(HostHealth health) {
    return fleet.pools().stream()
        .anyMatch(pool -> IntStream.range(0, pool.hosts())
            .anyMatch(host -> fleet.health(pool.id(), host) == health));
  }
}
