import { AssertionError, type Context } from 'liquidjs';
import { TimeLimit } from '../../platform/runtime/time-limit.js';
import { MAX_RENDER_MS } from '../limits.js';

/** Starts the time limit of a render, which replaces liquidjs's own; `check` expects the value of `performance.now()`. */
export function startRenderTime(): Context['renderLimit'] {
  const time = new TimeLimit(MAX_RENDER_MS);
  const check = (now: number) => {
    if (time.isOver(now)) throw new AssertionError('The template took too long to render');
  };
  // liquidjs calls only `check`; it exports no type without the rest, which is private.
  return { check } as unknown as Context['renderLimit'];
}
