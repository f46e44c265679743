package org.kblake.record.ledger;

import java.util.Map;
import org.kblake.core.model.Group;
import org.kblake.record.group.ArchiveLists;

/**
 * What a ledger is told.
 *
 * @param group the ledger: {@code Kblake/Record} or {@code Kblake/Record-NAME}
 * @param canaries by a circuit's address and port, a record of its server that counts up
 * @param mostWaiting the number of statements that may wait before they are merged
 */
public record LedgerSettings(Group group, Map<String, String> canaries, int mostWaiting) {

  private static final int MOST_WAITING = 1000;

  public LedgerSettings {
    canaries = Map.copyOf(canaries);
  }

  /**
   * Returns the usual limits.
   *
   * @param name the recorder's name, or an empty text
   */
  public static LedgerSettings of(String name, Map<String, String> canaries) {
    Group group = new Group(ArchiveLists.LEDGERS, name.isEmpty() ? "Record" : "Record-" + name);
    return new LedgerSettings(group, canaries, MOST_WAITING);
  }
}
