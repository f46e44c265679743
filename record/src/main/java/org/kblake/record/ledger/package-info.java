/**
 * The ledger of losses: a group in which the recorder records what it may have lost
 * (docs/design/losses.md).
 */
@NullMarked
package org.kblake.record.ledger;

import org.jspecify.annotations.NullMarked;
