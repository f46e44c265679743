/** Commands that show contents: channels, inspect, files, sql, compare. */
@NullMarked
package org.kblake.cli.command.look;

import org.jspecify.annotations.NullMarked;
