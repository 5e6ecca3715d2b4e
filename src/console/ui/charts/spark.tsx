import './spark.css';

const WIDTH = 4;
const GAP = 1;
const HEIGHT = 22;

/** Small bars, the oldest first: all of a count, and how many of them were bad. */
export function Spark({ bars, label }: { bars: { all: number; bad: number }[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const places = Math.max(bars.length, 24);
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <svg width={places * (WIDTH + GAP)} height={HEIGHT} role="img" aria-label={label} className="spark">
      {bars.map(({ all, bad }, index) => {
        const x = index * (WIDTH + GAP);
        const [high, low] = [height(all), Math.min(height(bad), height(all))];
        return (
          // The place is the hour: it says all about a bar.
          <g key={x}>
            <rect x={x} y={HEIGHT - 1} width={WIDTH} height={1} fill="var(--line-strong)" />
            <rect x={x} y={HEIGHT - high} width={WIDTH} height={high} fill="var(--chart-ok)" />
            <rect x={x} y={HEIGHT - low} width={WIDTH} height={low} fill="var(--chart-bad)" />
          </g>
        );
      })}
    </svg>
  );
}
