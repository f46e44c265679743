package groovy.lang;

/**
 * Replaces Groovy's class of this name, which picocli searches when it starts. Without it the JVM
 * opens all jars of the class path in this search. There are no instances.
 */
public final class Closure {

  private Closure() {}
}
