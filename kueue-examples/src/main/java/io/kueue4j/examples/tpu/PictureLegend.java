package io.kueue4j.examples.tpu;

import io.kueue4j.core.tpu.TpuSlice;
import io.kueue4j.examples.picture.SvgPage;
import java.util.ArrayList;
import java.util.List;

/** The meaning of colours and frames, in columns that fit the page: slices, then the rest. */
final class PictureLegend {
  private static final int LINE = 18;
  private static final int COLUMN = 200;
  private static final int MOST_SLICES = 60;
  private static final int LONGEST_NAME = 16;

  /** A symbol and its meaning. */
  private record Entry(String style, String text) {}

  private final SvgPage page;
  private final List<Entry> slices = new ArrayList<>();
  private final List<Entry> signs = new ArrayList<>();
  private int more;
  private int y;

  PictureLegend(SvgPage page, int y) {
    this.page = page;
    this.y = y;
  }

  /** Adds slices of one owner and shape. */
  void addSlices(List<TpuSlice> same, String style) {
    if (slices.size() < MOST_SLICES) {
      TpuSlice first = same.get(0);
      slices.add(new Entry(
          style,
          SvgPage.shortened(first.owner(), LONGEST_NAME)
              + (same.size() == 1 ? "" : " (" + same.size() + ")")
              + "  "
              + first.placement().shape()));
    } else {
      more += same.size();
    }
  }

  void add(String style, String text, boolean isThere) {
    if (isThere) {
      add(style, text);
    }
  }

  void add(String style, String text) {
    signs.add(new Entry(style, text));
  }

  /** {@return the lower edge of the page} */
  int finish() {
    print(signs);
    y += 6;
    print(slices);
    if (more > 0) {
      page.text(SvgPage.MARGIN, y + 11, SvgPage.MUTED, "and " + more + " more slices");
      y += LINE;
    }
    return y + SvgPage.MARGIN;
  }

  private void print(List<Entry> entries) {
    int columns = Math.max(1, (page.width() - SvgPage.MARGIN) / COLUMN);
    int rows = (entries.size() + columns - 1) / columns;
    for (int i = 0; i < entries.size(); i++) {
      int x = SvgPage.MARGIN + i / rows * COLUMN;
      int top = y + i % rows * LINE;
      page.rectangle(x + 1, top, 20, 12, entries.get(i).style());
      page.text(x + 30, top + 10, "", entries.get(i).text());
    }
    y += rows * LINE;
  }
}
