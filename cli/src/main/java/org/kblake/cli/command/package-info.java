/** One class per command. A command parses, calls core, ingest or query, and prints; no more. */
@NullMarked
package org.kblake.cli.command;

import org.jspecify.annotations.NullMarked;
