import { useMemo } from 'react';
import type { Statistics } from '../../../../clients/typescript/api.js';
import { BarChart } from '../../ui/charts/bar-chart.js';
import { stackOf } from './chart-data.js';

const HOUR_SECONDS = 3_600;
const SERIES: [string, string][] = [
  ['completed', '--chart-ok'],
  ['failed', '--chart-bad'],
  ['cancelled', '--chart-off'],
];

/** Ended runs of each hour: stacked bars of completed, failed and cancelled ones. */
export function RunsChart({ hours }: { hours: Statistics[] }) {
  const data = useMemo(() => stackOf(hours), [hours]);
  return (
    <div className="runs-chart">
      <BarChart
        data={data}
        series={SERIES}
        barSeconds={HOUR_SECONDS}
        label={`Runs by hour: ${inWords(hours)}`}
      />
    </div>
  );
}

function inWords(hours: Statistics[]): string {
  const most = hours.toSorted((a, b) => (b.runs_ended ?? 0) - (a.runs_ended ?? 0))[0];
  if (most === undefined) return 'none';
  return `the most, ${most.runs_ended ?? 0}, ended in the hour from ${new Date(most.from).toLocaleTimeString()}`;
}
