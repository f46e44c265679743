/** Code of several commands: opening archive and store, write errors, the choice of groups. */
@NullMarked
package org.kblake.cli.command.shared;

import org.jspecify.annotations.NullMarked;
