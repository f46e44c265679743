package org.kblake.core.internal.parquet.page;

import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Chooses between a native library and pure Java, and says once if it has to be Java. */
final class NativeLibrary {

  private NativeLibrary() {}

  /**
   * Returns what a native library gives, or what Java gives if the library does not load.
   *
   * @param codec the name of the codec in the message
   */
  static <T> T orJava(String codec, Supplier<T> library, Supplier<T> java) {
    try {
      return library.get();
    } catch (LinkageError | RuntimeException e) {
      LoggerFactory.getLogger(NativeLibrary.class)
          .warn(
              "{} IS SLOW: its native library cannot be loaded ({}). Pure Java is used, and reads"
                  + " are several times slower. If there is a library for this system, name a"
                  + " temporary directory where the JVM may write and run code:"
                  + " -Djava.io.tmpdir=DIR",
              codec,
              e.toString());
      return java.get();
    }
  }
}
