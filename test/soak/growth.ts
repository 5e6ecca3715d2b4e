import type { Sample } from './soak-samples.js';

/** The growth that a figure may have from the middle to the end: a part of it, and so much besides. */
const MAY_GROW = { times: 1.2, plus: { memory: 16, 'open files': 10, rows: 500, keys: 500 } } as const;

/** A figure's medians and highest values over the soak. */
export interface Growth {
  figure: string;
  /** In the second quarter: caches are warm, and retention deletes. */
  early: Spread;
  /** In the last quarter. */
  late: Spread;
  grew: boolean;
}

/** The median of a figure, and the most it was. */
export interface Spread {
  median: number;
  most: number;
}

/**
 * Compares the median of each figure in the second and the last quarter. What leaks raises the median; a busy minute
 * of the machine raises only the highest value.
 */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const quarter = Math.floor(samples.length / 4);
  const figures = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return [...figures].map((figure) => {
    const early = spreadOf(samples.slice(quarter, 2 * quarter), figure);
    const late = spreadOf(samples.slice(3 * quarter), figure);
    return { figure, early, late, grew: late.median > early.median * MAY_GROW.times + slackOf(figure) };
  });
}

function spreadOf(samples: readonly Sample[], figure: string): Spread {
  const values = samples.map((sample) => sample.get(figure) ?? 0).toSorted((one, other) => one - other);
  return { median: values[Math.floor(values.length / 2)] ?? 0, most: values.at(-1) ?? 0 };
}

function slackOf(figure: string): number {
  const found = Object.entries(MAY_GROW.plus).find(([kind]) => figure.startsWith(kind));
  return found?.[1] ?? 0;
}
