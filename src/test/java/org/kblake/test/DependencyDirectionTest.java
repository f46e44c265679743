package org.kblake.test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.kblake.core.log.LogLayout;

/** Dependencies point one way: cli to ingest and query, these to core. */
@AnalyzeClasses(
    packages = "org.kblake",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      DependencyDirectionTest.WithoutTestJars.class
    })
final class DependencyDirectionTest {

  /** Test jars hold oracles and second layouts, which may know what programs may not. */
  static final class WithoutTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar") && !location.contains("/test-classes/");
    }
  }

  @ArchTest
  static final ArchRule modulesPointOneWay =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("core")
          .definedBy("org.kblake.core..")
          .layer("ingest")
          .definedBy("org.kblake.ingest..")
          .layer("query")
          .definedBy("org.kblake.query..")
          .layer("cli")
          .definedBy("org.kblake.cli..")
          .layer("benchmarks")
          .definedBy("org.kblake.benchmarks..")
          .whereLayer("benchmarks")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("cli")
          .mayOnlyBeAccessedByLayers("benchmarks")
          .whereLayer("ingest")
          .mayOnlyBeAccessedByLayers("cli", "benchmarks")
          .whereLayer("query")
          .mayOnlyBeAccessedByLayers("cli", "benchmarks");

  /** A package below another one is a room of it: core.store and core.store.parquet are one. */
  @ArchTest
  static final ArchRule packagesFormNoCycles =
      slices().matching("org.kblake.(*).(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule modelDependsOnNothingElse =
      noClasses()
          .that()
          .resideInAPackage("org.kblake.core.model..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("org.kblake..")
                  .and(not(resideInAPackage("org.kblake.core.model.."))));

  @ArchTest
  static final ArchRule coreStartsNoThreads =
      noClasses()
          .that()
          .resideInAPackage("org.kblake.core..")
          .should()
          .callConstructor(Thread.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class, String.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Executor.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ForkJoinPool.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(CompletableFuture.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Timer.class);

  @ArchTest
  static final ArchRule onlyTheCommandLineKnowsPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.kblake.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..", "me.tongfei.progressbar..");

  /** Others may hand a layout on and name it; what its methods say of bytes is not for them. */
  @ArchTest
  static final ArchRule onlyTheLogPackageKnowsOffsets =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.kblake.core.log..")
          .should()
          .callMethodWhere(
              describe(
                  "tells where bytes lie",
                  call ->
                      call.getTargetOwner().isAssignableTo(LogLayout.class)
                          && !call.getName().equals("name")
                          && !call.getName().equals("installed")))
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("ReferenceLayout");
}
