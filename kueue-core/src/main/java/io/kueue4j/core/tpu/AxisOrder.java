package io.kueue4j.core.tpu;

/**
 * The orientation of a slice in its pool: which axis of the slice lies along which axis of the
 * pool.
 *
 * <p>{@code YXZ} lays the slice's y axis along the pool's x axis and its x axis along y. The order
 * of the constants is the order in which they are tried.
 *
 * <p>Rules: TPU-F-5, TPU-F-7.
 *
 * @since 0.1.0
 */
public enum AxisOrder {
  /** Not turned. */
  XYZ(0, 1, 2),
  /** x and y are swapped. */
  YXZ(1, 0, 2),
  /** y and z are swapped. */
  XZY(0, 2, 1),
  /** The pool's x, y, z carry the slice's z, y, x. */
  ZYX(2, 1, 0),
  /** The pool's x, y, z carry the slice's y, z, x. */
  YZX(1, 2, 0),
  /** The pool's x, y, z carry the slice's z, x, y. */
  ZXY(2, 0, 1);

  private final int onX;
  private final int onY;
  private final int onZ;

  AxisOrder(int onX, int onY, int onZ) {
    this.onX = onX;
    this.onY = onY;
    this.onZ = onZ;
  }

  /**
   * {@return the axis of the slice that lies along an axis of the pool; 0 for x, 1 for y, 2 for z}
   */
  public int sliceAxis(int poolAxis) {
    return poolAxis == 0 ? onX : poolAxis == 1 ? onY : onZ;
  }

  /**
   * {@return the axis of the pool along which an axis of the slice lies; 0 for x, 1 for y, 2 for z}
   */
  public int poolAxis(int sliceAxis) {
    return onX == sliceAxis ? 0 : onY == sliceAxis ? 1 : 2;
  }
}
