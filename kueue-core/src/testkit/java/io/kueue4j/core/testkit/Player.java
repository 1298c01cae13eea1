package io.kueue4j.core.testkit;

import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.testkit.StepOutcome.Answered;
import io.kueue4j.core.testkit.StepOutcome.Refusal;
import io.kueue4j.core.testkit.StepOutcome.Refused;
import java.time.Instant;

/** Executes steps on an engine, and controls its clock. */
final class Player {
  private final EngineUnderTest engine;
  private Instant now = Scenario.START;

  Player(EngineUnderTest.Factory factory, Settings settings) {
    engine = factory.create(settings, () -> now);
  }

  Observation observe() {
    return engine.observe();
  }

  /** Executes a step and observes the engine. */
  PlayedStep playAndObserve(Step step) {
    StepOutcome outcome = play(step);
    return new PlayedStep(step, outcome, engine.observe());
  }

  /** Executes a step. Exceptions other than rejections are bugs of the engine and are rethrown. */
  StepOutcome play(Step step) {
    try {
      return run(step);
    } catch (InvalidConfigurationException e) {
      return new Refused(Refusal.INVALID_CONFIGURATION);
    } catch (IllegalArgumentException e) {
      return new Refused(Refusal.ILLEGAL_ARGUMENT);
    } catch (IllegalStateException e) {
      return new Refused(Refusal.ILLEGAL_STATE);
    }
  }

  // An if chain, since Java 17 has no type patterns in switch.
  private StepOutcome run(Step step) {
    if (step instanceof Step.Apply apply) {
      engine.apply(apply.objects());
      return new Answered(true);
    }
    if (step instanceof Step.Remove remove) {
      return new Answered(remove(remove));
    }
    if (step instanceof Step.Submit submit) {
      return new Answered(engine.submit(submit.workload()));
    }
    if (step instanceof Step.Update update) {
      return new Answered(engine.update(update.workload()));
    }
    if (step instanceof Step.TryAdmit tryAdmit) {
      return new StepOutcome.Decided(engine.tryAdmit(tryAdmit.workload(), tryAdmit.evictVictims()));
    }
    if (step instanceof Step.Tell tell) {
      return new Answered(tell(tell));
    }
    if (step instanceof Step.TellOfNode tell) {
      return new Answered(
          tell.failed()
              ? engine.nodeFailed(tell.workload(), tell.host())
              : engine.nodeRecovered(tell.workload(), tell.host()));
    }
    if (step instanceof Step.Restore restore) {
      if (restore.preempted().isPresent()) {
        engine.restore(
            restore.workload(), restore.admission(), restore.preempted().get());
      } else {
        engine.restore(restore.workload(), restore.admission());
      }
      return new Answered(true);
    }
    if (step instanceof Step.RestoreWaiting restore) {
      engine.restoreWaiting(restore.workload(), restore.requeueAt());
      return new Answered(true);
    }
    if (step instanceof Step.SetGate gate) {
      engine.setPreemptionGate(gate.workload(), gate.gate(), gate.open());
      return new Answered(true);
    }
    if (step instanceof Step.SetCheck set) {
      engine.setCheck(set.workload(), set.check());
      return new Answered(true);
    }
    if (step instanceof Step.SetPodsReady set) {
      engine.setPodsReady(set.workload(), set.ready());
      return new Answered(true);
    }
    if (step instanceof Step.SetReclaimablePods set) {
      return new Answered(engine.setReclaimablePods(set.workload(), set.pods()));
    }
    if (step instanceof Step.RestoreUsage restore) {
      engine.restoreConsumedUsage(restore.namespace(), restore.localQueue(), restore.usage());
      return new Answered(true);
    }
    if (step instanceof Step.PassTime passTime) {
      now = now.plus(passTime.duration());
      return new Answered(true);
    }
    return new StepOutcome.Cycled(engine.runCycle());
  }

  private boolean remove(Step.Remove remove) {
    String name =
        remove.namespace().isEmpty() ? remove.name() : remove.namespace() + "/" + remove.name();
    return engine.remove(remove.kind().type(), name);
  }

  private boolean tell(Step.Tell tell) {
    return switch (tell.event()) {
      case FINISHED -> engine.finish(tell.workload());
      case DELETED -> engine.delete(tell.workload());
      case RELEASED -> engine.release(tell.workload());
      case PODS_STOPPED -> engine.podsStopped(tell.workload());
      case ADMISSION_RECORDED -> engine.admissionRecorded(tell.workload());
    };
  }
}
