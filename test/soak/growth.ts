import type { Sample } from './soak-samples.js';

/** The growth that a figure may have from the middle to the end: a part of it, and so much besides. */
const MAY_GROW = { times: 1.2, plus: { memory: 16, 'open files': 10, rows: 500, keys: 500 } } as const;

/** A figure's highest values over the soak. */
export interface Growth {
  figure: string;
  /** In the second quarter: caches are warm, and retention deletes. */
  early: number;
  /** In the last quarter. */
  late: number;
  grew: boolean;
}

/** Compares the highest value of each figure in the second and the last quarter. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const quarter = Math.floor(samples.length / 4);
  const figures = new Set(samples.flatMap((sample) => [...sample.keys()]));
  return [...figures].map((figure) => {
    const early = highest(samples.slice(quarter, 2 * quarter), figure);
    const late = highest(samples.slice(3 * quarter), figure);
    return { figure, early, late, grew: late > early * MAY_GROW.times + slackOf(figure) };
  });
}

function highest(samples: readonly Sample[], figure: string): number {
  return samples.reduce((most, sample) => Math.max(most, sample.get(figure) ?? 0), 0);
}

function slackOf(figure: string): number {
  const found = Object.entries(MAY_GROW.plus).find(([kind]) => figure.startsWith(kind));
  return found?.[1] ?? 0;
}
