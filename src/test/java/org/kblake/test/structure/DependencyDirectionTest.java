package org.kblake.test.structure;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.kblake.core.layout.LogLayout;

/** What some packages may not use, beside the layers that {@link RoomsTest} checks. */
@AnalyzeClasses(
    packages = "org.kblake",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      DependencyDirectionTest.WithoutTestJars.class
    })
final class DependencyDirectionTest {

  /** Test jars contain oracles and second layouts, to which the rules for programs do not apply. */
  static final class WithoutTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar") && !location.contains("/test-classes/");
    }
  }

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
  static final ArchRule onlyTheCommandLineUsesPicocli =
      noClasses()
          .that()
          .resideOutsideOfPackage("org.kblake.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..", "me.tongfei.progressbar..");

  /**
   * Options are declared in code. The JVM makes classes for annotations at each start, which takes
   * longer than most answers.
   */
  @ArchTest
  static final ArchRule nothingHasAnnotationsOfPicocli =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("picocli..").and(describe("annotations", JavaClass::isAnnotation)));

  /**
   * Other packages may pass a layout to methods and print its name, but must not use its byte
   * offsets.
   */
  @ArchTest
  static final ArchRule onlyTheLogPackagesUseOffsets =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "org.kblake.core.layout..", "org.kblake.core.log..", "org.kblake.core.internal.log..")
          .should()
          .callMethodWhere(
              describe(
                  "returns byte offsets",
                  call ->
                      call.getTargetOwner().isAssignableTo(LogLayout.class)
                          && !call.getName().equals("name")
                          && !call.getName().equals("installed")))
          .orShould()
          .dependOnClassesThat()
          .haveSimpleName("ReferenceLayout");
}
