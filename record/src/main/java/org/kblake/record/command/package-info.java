/** The command {@code kblake record}: its settings, the process, and what it tells. */
@NullMarked
package org.kblake.record.command;

import org.jspecify.annotations.NullMarked;
