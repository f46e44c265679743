/** {@code kblake run}, its settings file, pins and counters. */
@NullMarked
package org.kblake.cli.command.service;

import org.jspecify.annotations.NullMarked;
