import { useMemo } from 'react';
import { BarChart } from '../../ui/charts/bar-chart.js';
import { exactWords } from '../../ui/words/time.js';
import {
  barWords,
  firstKept,
  gapWords,
  highestWords,
  noFiguresWords,
  type RunSpan,
  stackOf,
} from './chart-data.js';

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
  countedSince: string | null;
  countedUntil: string;
}

/** Ended runs of each minute or hour: stacked bars of completed, failed and cancelled ones. */
export function RunsChart({ spans, unit, barSeconds, countedSince, countedUntil }: RunsChartProps) {
  const data = useMemo(() => stackOf(spans, barSeconds), [spans, barSeconds]);
  const first = firstKept(spans, barSeconds, countedSince);
  const gap = first > 0 && spans[first] !== undefined ? gapWords(spans[first].from) : undefined;
  const wordsOf = (bar: number) => {
    const span = spans[bar];
    if (span === undefined) return '';
    return bar < first ? noFiguresWords(span) : barWords(span);
  };
  const note = `Data until ${exactWords(countedUntil)}`;
  return (
    <div className="runs-chart">
      <BarChart
        data={data}
        series={SERIES}
        barSeconds={barSeconds}
        isWhole
        gap={first}
        label={[`Runs by ${unit}: ${highestWords(spans, unit)}`, gap].filter(Boolean).join('. ')}
        reading={{ wordsOf, note: [note, gap].filter(Boolean).join('. ') }}
      />
    </div>
  );
}
