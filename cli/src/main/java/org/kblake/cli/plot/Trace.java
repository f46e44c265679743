package org.kblake.cli.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The curve of a channel as lines through points. In a bin with values the line is vertical and has
 * the first, the least, the greatest and the last value, and the value that is held after it.
 * Between bins it is horizontal: values are held. It is interrupted where no value is known.
 */
final class Trace {

  /**
   * A line.
   *
   * @param connected whether the channel was connected; if not, the value is the last known one
   * @param x positions in bins: 0.5 is the middle of the first bin
   * @param values the values, as many
   */
  record Line(boolean connected, double[] x, double[] values) {}

  private final ChannelBins channel;
  private final BinGaps gaps;
  private final List<Line> lines = new ArrayList<>();

  private double[] x = new double[64];
  private double[] values = new double[64];
  private int points;
  private boolean connected;

  private Trace(ChannelBins channel, BinGaps gaps) {
    this.channel = channel;
    this.gaps = gaps;
  }

  static List<Line> of(ChannelBins channel, BinGaps gaps, int bins) {
    Trace trace = new Trace(channel, gaps);
    trace.draw(bins);
    return trace.lines;
  }

  private void draw(int bins) {
    ChannelBins.Held held = channel.held();
    for (int bin = 0; bin < bins; bin++) {
      double before = held.at(bin);
      if (channel.hasValues(bin)) {
        held.pass(bin);
        drawValues(bin, before, held.at(bin));
      } else if (Double.isNaN(before) || gaps.isUnknown(bin)) {
        end(bin);
      } else {
        hold(bin, before, !channel.isDisconnected(bin));
      }
    }
    end(bins);
  }

  private void drawValues(int bin, double before, double after) {
    double middle = bin + 0.5;
    if (points > 0) {
      add(middle, before);
      if (!connected) {
        end(middle);
      }
    }
    connected = true;
    add(middle, channel.first(bin));
    add(middle, channel.least(bin));
    add(middle, channel.greatest(bin));
    add(middle, channel.last(bin));
    if (after != channel.last(bin)) {
      add(middle, after);
    }
    if (Double.isNaN(after)) {
      end(middle);
    }
  }

  private void hold(int bin, double value, boolean isConnected) {
    if (points > 0 && connected != isConnected) {
      end(bin);
    }
    if (points == 0) {
      connected = isConnected;
      add(bin, value);
    }
  }

  /** Adds a point. NaN is no point. */
  private void add(double at, double value) {
    if (Double.isNaN(value)) {
      return;
    }
    if (points == x.length) {
      x = Arrays.copyOf(x, 2 * points);
      values = Arrays.copyOf(values, 2 * points);
    }
    x[points] = at;
    values[points++] = value;
  }

  /** Ends a line. Its last value was held until there. */
  private void end(double at) {
    if (points > 0) {
      add(at, values[points - 1]);
      lines.add(new Line(connected, Arrays.copyOf(x, points), Arrays.copyOf(values, points)));
      points = 0;
    }
  }
}
