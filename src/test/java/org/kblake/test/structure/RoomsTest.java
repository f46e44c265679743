package org.kblake.test.structure;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Packages use only those of lower layers, and the Java API stays small. The packages of tests form
 * no circle, too.
 */
final class RoomsTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final List<String> MODULES =
      List.of(
          "core",
          "simulate",
          "ingest",
          "query",
          "format",
          "server",
          "transfer",
          "cli",
          "lake",
          "hbase",
          "record",
          "ship");

  /** The modules whose tests are built before this one. */
  private static final List<String> TESTED =
      List.of(
          "core",
          "simulate",
          "ingest",
          "query",
          "format",
          "server",
          "transfer",
          "cli",
          "lake",
          "hbase",
          "record",
          "ship",
          "src/test");

  /** The modules of extensions. They are on no class path, because their libraries are others. */
  private static final List<String> EXTENSIONS = List.of("lake", "hbase", "record", "ship");

  /** The modules that have a module-info.java. */
  private static final List<String> DECLARED = List.of("core", "simulate", "ingest", "query");

  private static final int CLASSES_OF_CIRCLE = 4;
  private static final int PARAMETERS = 5;
  private static final int PUBLIC_TYPES = 116;

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(org\\.kblake(?:\\.[a-z]\\w*)+)\\.", Pattern.MULTILINE);

  private static final Pattern EXPORTS = Pattern.compile("exports (\\S+?)(?:\\s+to\\s+([^;]+))?;");

  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() {
    Set<Location> locations = new HashSet<>(Locations.ofPackage("org.kblake"));
    for (String module : EXTENSIONS) {
      locations.add(Location.of(ROOT.resolve(module).resolve("target/classes")));
    }
    classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new DependencyDirectionTest.WithoutTestJars())
            .importLocations(locations);
    for (String module : EXTENSIONS) {
      assertThat(classes)
          .as(module)
          .anyMatch(each -> moduleOf(each.getPackageName()).equals(module));
    }
  }

  /**
   * Tests of a package may use all programs. Here only the tests' use of each other counts: the
   * fixtures and oracles of the end-to-end tests, and those of each module.
   */
  @Test
  void packagesOfTestsFormNoCircle() {
    List<Path> directories = new ArrayList<>();
    for (String module : TESTED) {
      Path directory = ROOT.resolve(module).resolve("target/test-classes");
      if (Files.isDirectory(directory)) {
        directories.add(directory);
      }
    }
    slices()
        .matching("org.kblake.(**)")
        .should()
        .beFreeOfCycles()
        .check(new ClassFileImporter().importPaths(directories));
  }

  @Test
  void circlesOfClassesAreSmall() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      String from = outermost(each).getName();
      for (JavaClass used : usedBy(each)) {
        uses.computeIfAbsent(from, name -> new TreeSet<>()).add(used.getName());
      }
    }
    assertThat(Circles.of(uses).stream().filter(circle -> circle.size() > CLASSES_OF_CIRCLE))
        .isEmpty();
  }

  /** If there were more, some of them would mean something together. Records are such values. */
  @Test
  void constructorsOfQueryHaveFewParameters() {
    assertThat(
            classes.stream()
                .filter(each -> moduleOf(each.getPackageName()).equals("query"))
                .filter(each -> !each.isRecord() && !each.isEnum() && !each.isAnonymousClass())
                .flatMap(each -> each.getConstructors().stream())
                .filter(each -> each.getRawParameterTypes().size() > PARAMETERS))
        .isEmpty();
  }

  /** A reader who meets a name elsewhere may think of the first. */
  @Test
  void simpleNamesHaveOneMeaning() {
    Map<String, List<String>> named =
        classes.stream()
            .filter(each -> each.isTopLevelClass() && !each.getSimpleName().isEmpty())
            .filter(each -> !each.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    TreeMap::new,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(named.values().stream().filter(names -> names.size() > 1)).isEmpty();
  }

  /** So they form no circle. */
  @Test
  void packagesUseOnlyPackagesOfLowerLayers() throws IOException {
    Layers layers = Layers.read(ROOT);
    Map<String, Set<String>> uses = packagesUsed();
    assertThat(layers.packages()).containsExactlyInAnyOrderElementsOf(uses.keySet());
    List<String> wrong = new ArrayList<>();
    uses.forEach(
        (user, all) ->
            all.stream()
                .filter(used -> !layers.mayUse(user, used))
                .forEach(used -> wrong.add(user + " uses " + used)));
    assertThat(wrong).isEmpty();
  }

  /**
   * javac does not check the exports for cli, which is compiled on the class path. An internal
   * package is exported exactly to the modules that use it. The Java API is exported to all.
   */
  @Test
  void moduleDeclarationsExportPackagesToTheirUsers() throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      String module = moduleOf(each.getPackageName());
      String own = each.getPackageName();
      if (DECLARED.contains(module) && !module.equals("simulate") && !isInternal(each)) {
        uses.put(own, Set.of());
      }
      for (JavaClass used : usedBy(each)) {
        String name = used.getPackageName();
        String other = moduleOf(name);
        if (MODULES.contains(module)
            && DECLARED.contains(other)
            && !other.equals(module)
            && (isInternal(used) || other.equals("simulate"))) {
          uses.computeIfAbsent(name, key -> new TreeSet<>()).add("org.kblake." + module);
        }
      }
    }
    Map<String, Set<String>> exported = new TreeMap<>();
    for (String module : DECLARED) {
      Path file = ROOT.resolve(module).resolve("src/main/java/module-info.java");
      Matcher export = EXPORTS.matcher(Files.readString(file));
      while (export.find()) {
        exported.put(
            export.group(1),
            export.group(2) == null
                ? Set.of()
                : new TreeSet<>(List.of(export.group(2).strip().split(",\\s*"))));
      }
    }
    assertThat(exported).isEqualTo(uses);
  }

  /**
   * The API consists of core, query and ingest outside internal packages, nested types included.
   */
  @Test
  void javaApiIsSmall() {
    List<String> types = new ArrayList<>();
    for (JavaClass each : classes) {
      if (Set.of("core", "query", "ingest").contains(moduleOf(each.getPackageName()))
          && !isInternal(each)
          && isPublic(each)) {
        types.add(each.getName());
      }
    }
    assertThat(types).hasSizeLessThanOrEqualTo(PUBLIC_TYPES);
  }

  /**
   * Returns the packages that each package uses: those that its class files name, and those that
   * its sources import. javac copies constants, so class files do not name the classes of
   * constants.
   */
  private static Map<String, Set<String>> packagesUsed() throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass each : classes) {
      String from = outermost(each).getPackageName();
      if (MODULES.contains(moduleOf(from))) {
        Set<String> used = uses.computeIfAbsent(from, name -> new TreeSet<>());
        usedBy(each).forEach(target -> used.add(target.getPackageName()));
      }
    }
    for (Path file : sources()) {
      Set<String> used = uses.get(packageOf(file));
      Matcher imported = IMPORT.matcher(Files.readString(file));
      while (used != null && imported.find()) {
        used.add(imported.group(1));
      }
    }
    uses.forEach((from, used) -> used.remove(from));
    return uses;
  }

  /** Returns the classes of kblake that a class names, each as its outermost class. */
  private static Set<JavaClass> usedBy(JavaClass user) {
    Set<JavaClass> used = new TreeSet<>((a, b) -> a.getName().compareTo(b.getName()));
    JavaClass self = outermost(user);
    user.getDirectDependenciesFromSelf().stream()
        .map(dependency -> outermost(dependency.getTargetClass()))
        .filter(target -> target.getPackageName().startsWith("org.kblake") && !target.equals(self))
        .forEach(used::add);
    return used;
  }

  private static JavaClass outermost(JavaClass inner) {
    JavaClass outer = inner.getBaseComponentType();
    Optional<JavaClass> enclosing = outer.getEnclosingClass();
    while (enclosing.isPresent()) {
      outer = enclosing.get();
      enclosing = outer.getEnclosingClass();
    }
    return outer;
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(RoomsTest::isPublic).orElse(true);
  }

  private static boolean isInternal(JavaClass type) {
    return isInternal(type.getPackageName());
  }

  static boolean isInternal(String packageName) {
    return (packageName + ".").contains(".internal.");
  }

  static String moduleOf(String packageName) {
    String[] parts = packageName.split("\\.");
    return parts.length > 2 ? parts[2] : "";
  }

  private static String packageOf(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.substring(path.indexOf("org/kblake"), path.lastIndexOf('/')).replace('/', '.');
  }

  private static List<Path> sources() {
    return sources(MODULES.stream().map(module -> module + "/src/main/java"));
  }

  private static boolean isDirectory(String directory) {
    return Files.isDirectory(ROOT.resolve(directory));
  }

  private static List<Path> sources(Stream<String> directories) {
    List<Path> files = new ArrayList<>();
    // A module may have no tests of its own.
    for (String directory : directories.filter(RoomsTest::isDirectory).toList()) {
      try (Stream<Path> walk = Files.walk(ROOT.resolve(directory))) {
        walk.filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.toString().endsWith("-info.java"))
            .forEach(files::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return files;
  }
}
