package org.kblake.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {

  /** JDK 17 prints bytes, later ones KB. The compiler has given back most of its memory by then. */
  @Test
  void dividesTheReportOfAJvm() throws IOException {
    NativeMemory memory =
        NativeMemory.of(
            """
            Native Memory Tracking:

            Total: reserved=1843941479, committed=89628775
            -                 Java Heap (reserved=536870912, committed=3000)
                                        (mmap: reserved=536870912, committed=3000)

            -                      Code (reserved=101653120, committed=40)
            -                  Compiler (reserved=174864, committed=7)
                                        (malloc=6 #60) (peak=500 #78)
                                        (arena=1 #5) (peak=6000 #13)

            -                     Other (reserved=10485768, committed=2KB)
                                        (malloc=10485768 #13) (peak=99999999 #16)

            -        Shared class space (reserved=33554432, committed=33161216)
            """);
    assertThat(memory).isEqualTo(new NativeMemory(3000 + 2048, 40 + 500 + 6000));
  }

  @Test
  void refusesAnOutputWithoutAReport() {
    assertThatThrownBy(() -> NativeMemory.of("done")).isInstanceOf(IOException.class);
  }
}
