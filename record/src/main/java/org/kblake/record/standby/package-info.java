/**
 * Taking over from another recorder: who is active, and what it has written of a channel. Knows no
 * groups that are recorded.
 */
@NullMarked
package org.kblake.record.standby;

import org.jspecify.annotations.NullMarked;
