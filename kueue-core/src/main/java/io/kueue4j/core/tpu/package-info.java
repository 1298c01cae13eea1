/**
 * Decides where TPU slices fit: in pods that are grids, in pods of cubes joined by optical
 * switches, and in fixed three-dimensional tori.
 *
 * <p>Usable on its own: describe {@link io.kueue4j.core.tpu.TpuPool pools}, keep slices in use and
 * health in an immutable {@link io.kueue4j.core.tpu.TpuFleet}, and ask a
 * {@link io.kueue4j.core.tpu.SliceFitter} where a {@link io.kueue4j.core.tpu.SliceRequest} fits.
 * Shapes are given in chips, positions in hosts, unless stated otherwise.
 */
@CheckReturnValue
@NullMarked
@ValueStyle
package io.kueue4j.core.tpu;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
