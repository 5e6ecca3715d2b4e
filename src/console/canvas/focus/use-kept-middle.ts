import { type RefObject, useEffect } from 'react';
import type { Flow } from './canvas-screen.js';

/** Keeps what is in the middle of a canvas there when it becomes higher or lower, as when a panel opens below it. */
export function useKeptMiddle(flow: RefObject<Flow | null>, frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const by = (element.clientHeight - height) / 2;
      height = element.clientHeight;
      if (by === 0 || flow.current === null) return;
      const { x, y, zoom } = flow.current.getViewport();
      void flow.current.setViewport({ x, y: y + by, zoom });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [flow, frame]);
}
