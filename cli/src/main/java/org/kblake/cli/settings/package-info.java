/** Settings of all commands, and where each value comes from. */
@NullMarked
package org.kblake.cli.settings;

import org.jspecify.annotations.NullMarked;
