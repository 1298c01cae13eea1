package io.kueue4j.examples.monitoring;

import io.kueue4j.core.resource.Quantity;
import java.util.Locale;

/** Draws the used part of a quota, and the usage beyond it. */
final class UsageBar {
  private UsageBar() {}

  /**
   * Adds a bar with the used part of the quota, the usage beyond it, and the limit.
   *
   * @param quota the quota
   * @param used the usage
   */
  static void add(String flavor, String resource, long quota, long used, Html html) {
    long within = Math.min(quota, used);
    double whole = Math.max(1.0, (double) Math.max(quota, used));
    String label = resource + " of " + flavor + ": " + Quantity.format(resource, used) + " of "
        + Quantity.format(resource, quota) + " used"
        + (used > quota ? ", " + Quantity.format(resource, used - quota) + " borrowed" : "");
    html.markup("<svg class=\"bar\" role=\"img\" aria-label=\"" + Html.escape(label)
        + "\" preserveAspectRatio=\"none\" viewBox=\"0 0 100 10\">");
    rectangle("track", 0, 100, html);
    rectangle("used", 0, 100.0 * within / whole, html);
    if (used > quota) {
      rectangle("borrowed", 100.0 * within / whole, 100.0 * (used - quota) / whole, html);
      rectangle("limit", Math.max(0, 100.0 * quota / whole - 0.4), 0.8, html);
    }
    html.markup("</svg>");
  }

  private static void rectangle(String style, double x, double width, Html html) {
    html.markup(String.format(
        Locale.ROOT,
        "<rect class=\"%s\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"10\"/>",
        style,
        x,
        width));
  }
}
