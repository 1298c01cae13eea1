/**
 * Where slices of TPU chips fit: pods that are grids, pods made of cubes that optical switches
 * join, and fixed three-dimensional tori.
 *
 * <p>Usable alone: describe {@link io.kueue4j.core.tpu.TpuPool pools}, keep what is taken and what
 * is broken in an immutable {@link io.kueue4j.core.tpu.TpuFleet}, and ask a
 * {@link io.kueue4j.core.tpu.SliceFitter} where a {@link io.kueue4j.core.tpu.SliceRequest} fits.
 * Whether something fits is decided exactly. Shapes are in chips, positions in hosts unless said
 * otherwise.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core.tpu;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
