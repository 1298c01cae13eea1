package io.kueue4j.core.tpu;

import java.util.List;

/** Cubes with the same owners. */
final class CubeGroup {
  private final List<Owner> owners;
  private int cubes;

  CubeGroup(List<Owner> owners) {
    this.owners = owners;
  }

  void addCube() {
    cubes++;
  }

  /** {@return the owners of each of the cubes} */
  List<Owner> owners() {
    return owners;
  }

  int cubes() {
    return cubes;
  }
}
