package groovy.lang;

/**
 * Stands for Groovy's class of this name, which picocli looks up when it starts. Without it the JVM
 * opens all jars of the class path in this search. There are no instances.
 */
public final class Closure {

  private Closure() {}
}
