/** Tests of the command {@code kblake record}. */
@NullMarked
package org.kblake.record.command;

import org.jspecify.annotations.NullMarked;
