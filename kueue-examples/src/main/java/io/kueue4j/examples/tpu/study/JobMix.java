package io.kueue4j.examples.tpu.study;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.tpu.SliceShape;
import java.util.Random;

/**
 * The distribution of requested slices.
 *
 * @param shares the shapes with their shares of all jobs, which sum to 100
 */
public record JobMix(ImmutableList<Share> shares) {
  /**
   * A part of all jobs.
   *
   * @param shape the slice of each of them
   * @param percent their percentage
   */
  public record Share(SliceShape shape, int percent) {}

  /** One pod of 16x16 chips: many small slices, few of half a pod. */
  public static final JobMix GRID =
      parse("2x2 30", "2x4 20", "4x4 20", "4x8 15", "8x8 10", "8x16 5");

  /** A superpod: small parts of cubes to 32 cubes. */
  public static final JobMix CUBES = parse(
      "2x2x1 20",
      "2x2x2 10",
      "2x2x4 20",
      "2x4x4 10",
      "4x4x4 15",
      "4x4x8 8",
      "4x8x8 8",
      "8x8x8 5",
      "8x8x16 3",
      "8x16x16 1");

  /** A small fleet that mostly serves models: parts of cubes, rarely more than one cube. */
  public static final JobMix INFERENCE =
      parse("2x2x1 40", "2x2x2 20", "2x2x4 20", "2x4x4 10", "4x4x4 6", "4x4x8 2", "4x8x8 2");

  private static JobMix parse(String... shares) {
    ImmutableList.Builder<Share> parsed = ImmutableList.builder();
    for (String share : shares) {
      int space = share.indexOf(' ');
      parsed.add(new Share(
          SliceShape.parse(share.substring(0, space)),
          Integer.parseInt(share.substring(space + 1))));
    }
    return new JobMix(parsed.build());
  }

  /** {@return a random shape from this distribution} */
  SliceShape draw(Random random) {
    int left = random.nextInt(100);
    for (Share share : shares) {
      left -= share.percent;
      if (left < 0) {
        return share.shape;
      }
    }
    throw new IllegalStateException("shares of " + this + " do not sum to 100");
  }

  /** {@return a description of the shares} */
  @Override
  public String toString() {
    return shares.stream()
        .map(share -> share.shape + " " + share.percent + " %")
        .collect(joining(", "));
  }
}
