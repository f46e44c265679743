package org.kblake.core.internal.store.file;

/**
 * SHA-256 (FIPS 180-4) of a few kilobytes. The first use of the JDK's implementation takes 10 to 20
 * ms of a command, because it sets up security providers. This one takes 1 to 5 ms.
 */
public final class Sha256 {

  private static final int BLOCK_BYTES = 64;

  /** The first bits of the fractions of the square roots of the first primes. */
  private static final int[] START = roots(8, 2);

  /** The first bits of the fractions of the cube roots of the first primes. */
  private static final int[] ROUNDS = roots(64, 3);

  private Sha256() {}

  private static int[] roots(int count, int degree) {
    int[] roots = new int[count];
    int prime = 1;
    for (int i = 0; i < count; i++) {
      do {
        prime++;
      } while (!isPrime(prime));
      // A double has 32 bits of the fraction of a number below 20.
      double root = degree == 2 ? Math.sqrt(prime) : Math.cbrt(prime);
      roots[i] = (int) (long) ((root - Math.floor(root)) * 0x1p32);
    }
    return roots;
  }

  private static boolean isPrime(int number) {
    for (int i = 2; i * i <= number; i++) {
      if (number % i == 0) {
        return false;
      }
    }
    return true;
  }

  public static byte[] of(byte[] bytes) {
    int[] state = START.clone();
    int[] words = new int[64];
    int whole = bytes.length / BLOCK_BYTES * BLOCK_BYTES;
    for (int at = 0; at < whole; at += BLOCK_BYTES) {
      add(bytes, at, state, words);
    }
    // A one, zeros, and the number of bits fill the last block, or the last two blocks.
    int rest = bytes.length - whole;
    byte[] last = new byte[rest + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES];
    System.arraycopy(bytes, whole, last, 0, rest);
    last[rest] = (byte) 0x80;
    putLong(last, last.length - 8, 8L * bytes.length);
    for (int at = 0; at < last.length; at += BLOCK_BYTES) {
      add(last, at, state, words);
    }
    byte[] hash = new byte[32];
    for (int i = 0; i < 4; i++) {
      putLong(hash, 8 * i, (long) state[2 * i] << 32 | state[2 * i + 1] & 0xffff_ffffL);
    }
    return hash;
  }

  private static void add(byte[] bytes, int at, int[] state, int[] words) {
    for (int i = 0; i < 16; i++) {
      int word = at + 4 * i;
      words[i] =
          bytes[word] << 24
              | (bytes[word + 1] & 0xff) << 16
              | (bytes[word + 2] & 0xff) << 8
              | bytes[word + 3] & 0xff;
    }
    for (int i = 16; i < 64; i++) {
      int near = words[i - 2];
      int far = words[i - 15];
      int s1 = Integer.rotateRight(near, 17) ^ Integer.rotateRight(near, 19) ^ near >>> 10;
      int s0 = Integer.rotateRight(far, 7) ^ Integer.rotateRight(far, 18) ^ far >>> 3;
      words[i] = s1 + words[i - 7] + s0 + words[i - 16];
    }
    int a = state[0];
    int b = state[1];
    int c = state[2];
    int d = state[3];
    int e = state[4];
    int f = state[5];
    int g = state[6];
    int h = state[7];
    for (int i = 0; i < 64; i++) {
      int s1 = Integer.rotateRight(e, 6) ^ Integer.rotateRight(e, 11) ^ Integer.rotateRight(e, 25);
      int t1 = h + s1 + (e & f ^ ~e & g) + ROUNDS[i] + words[i];
      int s0 = Integer.rotateRight(a, 2) ^ Integer.rotateRight(a, 13) ^ Integer.rotateRight(a, 22);
      int t2 = s0 + (a & b ^ a & c ^ b & c);
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }

  private static void putLong(byte[] bytes, int at, long value) {
    for (int i = 0; i < 8; i++) {
      bytes[at + i] = (byte) (value >>> 56 - 8 * i);
    }
  }
}
