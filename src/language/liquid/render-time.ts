import { AssertionError, type Context } from 'liquidjs';
import { TimeLimit } from '../../platform/runtime/time-limit.js';
import { MAX_RENDER_MS } from '../limits.js';

/** The time of a render that begins now, in the place of liquidjs's own limit; `check` is told what `performance.now()` gives. */
export function startRenderTime(): Context['renderLimit'] {
  const time = new TimeLimit(MAX_RENDER_MS);
  const check = (now: number) => {
    if (time.isOver(now)) throw new AssertionError('The template took too long to render');
  };
  // All that anybody calls of it; liquidjs exports no type for the rest, which is private.
  return { check } as unknown as Context['renderLimit'];
}
