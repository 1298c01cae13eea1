package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.AdmissionCheckState;
import io.kueue4j.core.model.AdmissionCheckState.CheckState;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.PreemptedCondition;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.StopPolicy;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.core.testkit.ScenarioOptions.Feature;
import io.kueue4j.core.testkit.reference.ReferenceEngine;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scenarios are about each feature, and the reference model knows it: ignoring it is noticed. */
class ComparedFeaturesTest {
  private static final long STEPS = 20_000;

  private static final ImmutableSet<Feature> BASICS =
      ImmutableSet.of(Feature.PREEMPTION, Feature.PRIORITIES, Feature.FUNGIBILITY);

  /** Engines that ignore a feature. */
  enum Ignorance {
    OF_STRICT_PLACES(Feature.TOPOLOGY, Feature.SETTINGS, Feature.POD_SETS) {
      @Override
      Settings of(Settings right) {
        Settings.Builder lenient = Settings.builder()
            .quotaCheckStrategy(right.quotaCheckStrategy())
            .strictQuota(right.strictQuota())
            .holdsQuotaUntilStopped(right.holdsQuotaUntilStopped())
            .strictBorrowing(right.strictBorrowing());
        right.featureGates().forEach(lenient::putFeatureGates);
        return lenient.build();
      }
    },
    OF_STRICT_BORROWING(Feature.SETTINGS) {
      @Override
      Settings of(Settings right) {
        return Settings.builder().from(right).strictBorrowing(false).build();
      }
    },
    OF_QUOTA_THAT_STOPPING_PODS_HOLD(Feature.SETTINGS, Feature.PODS_READY) {
      @Override
      Settings of(Settings right) {
        return Settings.builder().from(right).holdsQuotaUntilStopped(false).build();
      }
    },
    OF_PREEMPTION_GATES(Feature.GATES) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void setPreemptionGate(WorkloadId workload, String gate, boolean open) {}
        };
      }
    },
    OF_ALLOWED_FLAVORS(Feature.GATES) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return changing(
            right,
            workload -> Workload.builder()
                .from(workload)
                .allowedFlavors(ImmutableSet.of())
                .build());
      }
    },
    OF_CHECKS_THAT_FAIL(Feature.CHECKS) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void setCheck(WorkloadId workload, AdmissionCheckState check) {
            if (check.state() == CheckState.READY || check.state() == CheckState.PENDING) {
              super.setCheck(workload, check);
            }
          }
        };
      }
    },
    OF_READY_PODS(Feature.PODS_READY) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void setPodsReady(WorkloadId workload, boolean ready) {
            if (!ready) {
              super.setPodsReady(workload, ready);
            }
          }
        };
      }
    },
    OF_LOST_PODS(Feature.PODS_READY) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void setPodsReady(WorkloadId workload, boolean ready) {
            if (ready) {
              super.setPodsReady(workload, ready);
            }
          }
        };
      }
    },
    OF_EXECUTION_TIMES(Feature.PODS_READY) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return changing(
            right,
            workload -> Workload.builder()
                .from(workload)
                .maximumExecutionTime(Optional.empty())
                .build());
      }
    },
    OF_DRAINS(Feature.DRAINS) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void apply(List<ConfigObject> objects) {
            super.apply(objects.stream().map(Ignorance::withoutDrain).collect(toImmutableList()));
          }
        };
      }
    },
    OF_EVICTIONS_BEFORE_THE_START(Feature.RESTORE) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void restore(
              Workload workload, Admission admission, PreemptedCondition preempted) {
            restore(workload, admission);
          }
        };
      }
    },
    OF_SLICES_TO_REPLACE(Feature.ELASTIC_JOBS) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return changing(
            right,
            workload ->
                Workload.builder().from(workload).replaces(Optional.empty()).build());
      }
    },
    OF_TOLERATIONS_OF_FLAVORS(Feature.SELECTORS) {
      @Override
      EngineUnderTest of(EngineUnderTest right) {
        return new ForwardingEngine(right) {
          @Override
          public void apply(List<ConfigObject> objects) {
            super.apply(objects.stream()
                .map(object -> object instanceof ResourceFlavor flavor ? strict(flavor) : object)
                .collect(ImmutableList.toImmutableList()));
          }
        };
      }
    };

    private final ImmutableSet<Feature> features;

    Ignorance(Feature... features) {
      this.features = ImmutableSet.copyOf(features);
    }

    EngineUnderTest of(EngineUnderTest right) {
      return right;
    }

    Settings of(Settings right) {
      return right;
    }

    private static ConfigObject withoutDrain(ConfigObject object) {
      return object instanceof ClusterQueue queue && queue.stopPolicy() == StopPolicy.HOLD_AND_DRAIN
          ? ClusterQueue.builder().from(queue).stopPolicy(StopPolicy.HOLD).build()
          : object;
    }

    private static ResourceFlavor strict(ResourceFlavor flavor) {
      return ResourceFlavor.builder()
          .name(flavor.name())
          .putAllNodeLabels(flavor.nodeLabels())
          .addAllNodeTaints(flavor.nodeTaints())
          .build();
    }

    private static EngineUnderTest changing(EngineUnderTest right, UnaryOperator<Workload> change) {
      return new ForwardingEngine(right) {
        @Override
        public boolean submit(Workload workload) {
          return super.submit(change.apply(workload));
        }

        @Override
        public boolean update(Workload workload) {
          return super.update(change.apply(workload));
        }

        @Override
        public WorkloadDecision tryAdmit(Workload workload, boolean evictVictims) {
          return super.tryAdmit(change.apply(workload), evictVictims);
        }

        @Override
        public void restore(Workload workload, Admission admission) {
          super.restore(change.apply(workload), admission);
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource(Ignorance.class)
  void anEngineThatIgnoresItDiffersFromTheModel(Ignorance ignorance) {
    HarnessRun run = HarnessRun.of((settings, clock) ->
            ignorance.of(AdmissionEngineUnderTest.create(ignorance.of(settings), clock)))
        .against(ReferenceEngine::new)
        .invariants(Set.of())
        .options(ScenarioOptions.builder()
            .features(ImmutableSet.<Feature>builder()
                .addAll(BASICS)
                .addAll(ignorance.features)
                .build())
            .build())
        .seed(180);

    HarnessResult result = run.steps(STEPS).run();

    assertThat(result.failure())
        .as("%s within %s steps", ignorance, result.steps())
        .isPresent();
    assertThat(result.failure().orElseThrow().cause()).isEqualTo(HarnessFailure.DIVERGENCE);
  }

  @Test
  void theEngineDecidesAsTheModelDoesWithAllFeatures() {
    HarnessResult result = HarnessRun.of(AdmissionEngineUnderTest::create)
        .against(ReferenceEngine::new)
        .options(ScenarioOptions.compared())
        .invariants(Set.of())
        .steps(STEPS / 2)
        .seed(7)
        .run();

    assertThat(result.failure()).isEmpty();
  }
}
