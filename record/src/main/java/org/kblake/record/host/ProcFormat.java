package org.kblake.record.host;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The files of /proc, and what their lines mean (proc(5)). A line without a key, or with fewer
 * numbers than the oldest kernel writes, is left out, and so are numbers after those known here.
 */
enum ProcFormat {
  /** {@code cpu0 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...}; old kernels end earlier. */
  STAT("stat", 4) {
    @Override
    boolean findKey(ProcText text, Rows rows) {
      return text.nextWord()
          && text.keyStartsWith(CPU)
          && text.keyLength() > CPU.length
          && Character.isDigit(text.keyByte(CPU.length));
    }

    @Override
    List<Column> columns(String key) {
      return List.of(
          new Column(0, ":USER", JIFFIES),
          new Column(1, ":NICE", JIFFIES),
          new Column(2, ":SYSTEM", JIFFIES),
          new Column(3, ":IDLE", JIFFIES),
          new Column(4, ":IOWAIT", JIFFIES),
          new Column(5, ":IRQ", JIFFIES),
          new Column(6, ":SOFTIRQ", JIFFIES),
          new Column(7, ":STEAL", JIFFIES));
    }

    @Override
    String label(String key) {
      return key.toUpperCase(Locale.ROOT);
    }
  },

  /** {@code 0.20 0.18 0.12 RUNNABLE/ALL LAST_PID}. */
  LOADAVG("loadavg", 3) {
    @Override
    boolean findKey(ProcText text, Rows rows) {
      return true;
    }

    @Override
    List<Column> columns(String key) {
      return List.of(
          new Column(0, ":1", ""),
          new Column(1, ":5", ""),
          new Column(2, ":15", ""),
          new Column(3, ":RUNNABLE", ""),
          new Column(4, ":TASKS", ""));
    }

    @Override
    String label(String key) {
      return "LOAD";
    }
  },

  /** {@code MemAvailable: 22778600 kB}; counts of pages have no unit. */
  MEMINFO("meminfo", 1, 1) {
    @Override
    boolean findKey(ProcText text, Rows rows) {
      return text.keyBeforeColon();
    }

    @Override
    List<Column> columns(String key) {
      return List.of(new Column(0, "", key.startsWith("HugePages_") ? "pages" : BYTES));
    }

    @Override
    String label(String key) {
      String name = key.startsWith("Mem") ? key.substring(3) : key;
      return "MEM:"
          + name.replaceAll("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+", "_")
              .replaceAll("_+$", "")
              .toUpperCase(Locale.ROOT);
    }
  },

  /** {@code eth0: BYTES PACKETS and 6 others, the same sent}; before Linux 2.2 without bytes. */
  NET_DEV("net/dev", 16) {
    @Override
    boolean findKey(ProcText text, Rows rows) {
      return text.keyBeforeColon();
    }

    @Override
    List<Column> columns(String key) {
      return List.of(
          new Column(0, ":RX_BYTES", BYTES),
          new Column(1, ":RX_PACKETS", "packets"),
          new Column(8, ":TX_BYTES", BYTES),
          new Column(9, ":TX_PACKETS", "packets"));
    }

    @Override
    String label(String key) {
      return "NET:" + key;
    }
  },

  /**
   * {@code MAJOR MINOR vda READS MERGED SECTORS MS WRITES MERGED SECTORS MS ACTIVE BUSY_MS ...}. A
   * sector has 512 bytes. Partitions follow their disk.
   */
  DISKSTATS("diskstats", 11) {
    @Override
    boolean findKey(ProcText text, Rows rows) {
      return text.nextWord(3)
          && !text.keyStartsWith(LOOP)
          && !text.keyStartsWith(RAM)
          && !isPartition(text, rows.lastKey());
    }

    @Override
    List<Column> columns(String key) {
      return List.of(
          new Column(0, ":READS", ""),
          new Column(2, ":READ_BYTES", BYTES, SECTOR),
          new Column(4, ":WRITES", ""),
          new Column(6, ":WRITE_BYTES", BYTES, SECTOR),
          new Column(9, ":BUSY_MS", "ms"));
    }

    @Override
    String label(String key) {
      return "DISK:" + key;
    }
  };

  private static final byte[] CPU = ascii("cpu");
  private static final byte[] LOOP = ascii("loop");
  private static final byte[] RAM = ascii("ram");
  private static final String JIFFIES = "jiffies";
  private static final String BYTES = "bytes";
  private static final int SECTOR = 512;
  private static final int KILOBYTE = 1024;

  private final String file;
  private final int leastNumbers;
  private final int mostNumbers;

  ProcFormat(String file, int leastNumbers) {
    this(file, leastNumbers, Integer.MAX_VALUE);
  }

  ProcFormat(String file, int leastNumbers, int mostNumbers) {
    this.file = file;
    this.leastNumbers = leastNumbers;
    this.mostNumbers = mostNumbers;
  }

  /**
   * A number of a line.
   *
   * @param index its place after the key
   * @param name the last part of the channel's name, or an empty text
   * @param unit at most 8 letters
   * @param factor what the number is multiplied with to have this unit
   */
  record Column(int index, String name, String unit, double factor) {
    Column(int index, String name, String unit) {
      this(index, name, unit, 1);
    }
  }

  /** Returns the file's path below /proc. */
  String file() {
    return file;
  }

  /** Finds the key of a line. Returns false if the line is none of this format. */
  abstract boolean findKey(ProcText text, Rows rows);

  abstract List<Column> columns(String key);

  /** Returns the part of channels' names that a key gives. */
  abstract String label(String key);

  /** Takes the numbers of a whole text. */
  void parse(ProcText text, Rows rows) {
    rows.begin();
    while (text.nextLine()) {
      int numbers = findKey(text, rows) ? text.readNumbers() : 0;
      if (numbers >= leastNumbers && numbers <= mostNumbers) {
        rows.set(text, this == MEMINFO && text.isInKilobytes() ? KILOBYTE : 1);
      }
    }
  }

  /**
   * Returns whether the key is that of a disk and a number, with a p where the disk ends in one.
   */
  private static boolean isPartition(ProcText text, byte[] disk) {
    int from = disk.length;
    if (from == 0 || !text.keyStartsWith(disk)) {
      return false;
    }
    if (Character.isDigit(disk[from - 1])) {
      if (text.keyLength() == from || text.keyByte(from) != 'p') {
        return false;
      }
      from++;
    }
    for (int i = from; i < text.keyLength(); i++) {
      if (!Character.isDigit(text.keyByte(i))) {
        return false;
      }
    }
    return from < text.keyLength();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
