package io.kueue4j.examples.topology;

import com.google.common.collect.ImmutableList;

/**
 * The position of a domain in a picture: boxes fill rows from left to right.
 *
 * @param domain the domain
 * @param x the distance from the left edge of the enclosing box
 * @param y the distance from its upper edge
 * @param width the width
 * @param height the height
 * @param children the boxes in it
 */
record DomainBox(
    DomainCapacity domain, int x, int y, int width, int height, ImmutableList<DomainBox> children) {
  /** Longer names are truncated at the start, since the end distinguishes neighbours. */
  static final int LONGEST_NAME = 18;

  private static final int LEAF_WIDTH = 136;
  private static final int LEAF_HEIGHT = 58;
  private static final int GAP = 10;
  private static final int TITLE = 24;
  private static final int WIDEST_ROW = 1_180;

  /**
   * {@return the box of a whole topology, without frame and name}
   *
   * @param line the height of a further line in each box, 0 if there is none
   */
  static DomainBox of(DomainCapacity root, int line) {
    return of(root, 0, 0, line);
  }

  private static DomainBox of(DomainCapacity domain, int frame, int title, int line) {
    if (domain.children().isEmpty() && !domain.path().isEmpty()) {
      return new DomainBox(domain, 0, 0, LEAF_WIDTH, LEAF_HEIGHT + line, ImmutableList.of());
    }
    ImmutableList.Builder<DomainBox> placed = ImmutableList.builder();
    int widest = columns(domain.children().size()) * (LEAF_WIDTH + GAP);
    int x = frame;
    int y = title;
    int rowHeight = 0;
    int width = 0;
    for (DomainCapacity child : domain.children()) {
      DomainBox box = of(child, GAP, TITLE + line, line);
      boolean leaf = child.children().isEmpty();
      if (x > frame && x + box.width > frame + (leaf ? widest : WIDEST_ROW)) {
        x = frame;
        y += rowHeight + GAP;
        rowHeight = 0;
      }
      placed.add(new DomainBox(box.domain, x, y, box.width, box.height, box.children));
      x += box.width + GAP;
      rowHeight = Math.max(rowHeight, box.height);
      width = Math.max(width, x - GAP + frame);
    }
    return new DomainBox(domain, 0, 0, width, y + rowHeight + frame, placed.build());
  }

  /** {@return the number of columns} A parent is wider than high, but not as wide as a page. */
  private static int columns(int count) {
    return Math.max(1, Math.min(8, (int) Math.ceil(Math.sqrt(1.5 * count))));
  }
}
