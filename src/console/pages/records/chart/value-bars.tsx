import { countWords } from '../../../ui/words/figures.js';
import type { ValueBar } from './record-bars.js';

/** Bars with their names and figures; the list says the same without the bars. */
export function ValueBars({ bars }: { bars: ValueBar[] }) {
  const top = Math.max(...bars.map(({ height }) => height), 0);
  return (
    <ul className="value-bars">
      {bars.map(({ name, height }) => (
        <li key={name}>
          <span className="cut" title={name}>
            {name.slice(0, 200)}
          </span>
          <span className="value-bar" aria-hidden="true">
            <i style={{ width: `${top > 0 ? Math.max((height / top) * 100, 0) : 0}%` }} />
          </span>
          <span className="number">{countWords(Number(height.toFixed(2)))}</span>
        </li>
      ))}
    </ul>
  );
}
