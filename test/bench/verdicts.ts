import type { Verdict } from './measure.js';

export function atLeast(value: number, least: number): Verdict {
  return value >= least ? 'reached' : 'missed';
}

export function atMost(value: number, most: number): Verdict {
  return value <= most ? 'reached' : 'missed';
}
