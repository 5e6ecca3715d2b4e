import { useMemo } from 'react';
import { BarChart } from '../../../ui/charts/bar-chart.js';
import { spanWords } from '../../../ui/words/since.js';
import type { TimeBars as Bars } from './record-bars.js';
import { isolated } from '../../../text/isolated.js';

/** Bars over the time of creation. */
export function TimeBars({ bars, measure }: { bars: Bars; measure: string }) {
  const data = useMemo((): [number[], number[]] => [bars.times, bars.heights], [bars]);
  const series = useMemo((): [string, string][] => [[measure, '--gray-10']], [measure]);
  const span = spanWords(bars.barSeconds * 1_000);
  return (
    <BarChart
      data={data}
      series={series}
      barSeconds={bars.barSeconds}
      label={`${isolated(measure)} over time, one bar per ${span}; highest: ${Math.max(...bars.heights, 0)}`}
    />
  );
}
