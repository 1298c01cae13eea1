package io.kueue4j.examples.cli;

import io.kueue4j.examples.simulation.ManifestPlayer;
import io.kueue4j.k8s.Manifests;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** The state of a cluster that a command starts from, with its jobs, and how it is decided on. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class SimulatedState {
  @Mixin
  private SettingsOptions settings;

  @Mixin
  private TpuSlicesOption tpuSlices;

  @Mixin
  private StrictOption strict;

  SimulatedState() {}

  /**
   * {@return the state, in which all jobs are created}
   *
   * @param input reads the objects, and passes on what there is to note
   */
  ManifestPlayer read(Function<Notes, Manifests> input) {
    Notes notes = strict.notes();
    Manifests manifests = input.apply(notes);
    ManifestPlayer simulation =
        ManifestPlayer.of(manifests, settings.of(manifests), tpuSlices.isSet());
    simulation.warnings().forEach(notes::addWarning);
    notes.finish();
    simulation.jobs().forEach(simulation::create);
    return simulation;
  }

  /** {@return whether warnings are errors} */
  boolean isStrict() {
    return strict.isSet();
  }
}
