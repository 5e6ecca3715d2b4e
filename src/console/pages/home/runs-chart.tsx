import { useMemo } from 'react';
import { BarChart } from '../../ui/charts/bar-chart.js';
import { exactWords } from '../../ui/words/time.js';
import { barWords, highestWords, type RunSpan, stackOf } from './chart-data.js';

const SERIES = [
  ['completed', '--chart-ok'],
  ['failed', '--chart-bad'],
  ['cancelled', '--chart-off'],
] as const;

interface RunsChartProps {
  /** The oldest first. */
  spans: RunSpan[];
  /** The time that a bar stands for. */
  unit: string;
  barSeconds: number;
  countedUntil: string;
}

/** Ended runs of each minute or hour: stacked bars of completed, failed and cancelled ones. */
export function RunsChart({ spans, unit, barSeconds, countedUntil }: RunsChartProps) {
  const data = useMemo(() => stackOf(spans, barSeconds), [spans, barSeconds]);
  const reading = {
    wordsOf: (bar: number) => (spans[bar] === undefined ? '' : barWords(spans[bar])),
    note: `Counted until ${exactWords(countedUntil)}`,
  };
  return (
    <div className="runs-chart">
      <BarChart
        data={data}
        series={SERIES}
        barSeconds={barSeconds}
        isWhole
        label={`Runs by ${unit}: ${highestWords(spans, unit)}`}
        reading={reading}
      />
    </div>
  );
}
