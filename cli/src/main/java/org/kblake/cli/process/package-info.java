/**
 * The surroundings of a run of the program: standard streams, environment, its own process, the
 * logs of libraries.
 */
@NullMarked
package org.kblake.cli.process;

import org.jspecify.annotations.NullMarked;
