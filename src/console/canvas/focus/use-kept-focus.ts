import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Flow, isFocusLost, keyAt, screenOf, showPart } from './canvas-screen.js';

/** What takes the focus on purpose has it by then. */
const LOST_MS = 150;

interface KeptFocusParts {
  flow: RefObject<Flow | null>;
  frame: RefObject<HTMLElement | null>;
  /** Is called when a part, or the canvas itself, has the focus. */
  onFocus: (key: string | undefined) => void;
  /** Is called when the focus leaves the canvas. */
  onLeave: () => void;
}

/**
 * Keeps the focus in a canvas, which is one tab stop: it hands the focus on to the part that had it last, and takes it when
 * that part goes. Returns what its frame hears, and `keep`, to be called when the view has moved.
 */
export function useKeptFocus({ flow, frame, onFocus, onLeave }: KeptFocusParts) {
  const isPressed = useRef(false);
  /** The part that has the focus, or had it when it was drawn last; '': the canvas itself. Undefined: the focus is elsewhere. */
  const inside = useRef<string>(undefined);
  /** The part that has the focus, or had it last. */
  const last = useRef<string>(undefined);
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    if (frame.current === null) return undefined;
    // The inspector takes a part of the width: what has the focus, or what the inspector shows, is to stay in sight.
    const own = screenOf(flow, frame);
    const watcher = new ResizeObserver(() => {
      const isThere = flow.current?.getInternalNode(inside.current ?? '') !== undefined;
      if (inside.current && isThere && isFocusLost()) own.focus(inside.current);
      else showPart(flow.current, frame.current, last.current);
    });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, [flow, frame]);
  /** A part that leaves the view or the story takes the focus with it: the keys of the canvas are to work all the same. */
  const keep = useCallback(() => {
    if (inside.current === undefined || !isFocusLost()) return;
    isPressed.current = true;
    frame.current?.focus({ preventScroll: true });
    isPressed.current = false;
  }, [frame]);
  useEffect(() => {
    const timer = setTimeout(keep, LOST_MS);
    return () => clearTimeout(timer);
  });
  return {
    keep,
    /** Nothing in the canvas is a tab stop while it has the focus. */
    tabIndex: hasFocus ? -1 : 0,
    handlers: {
      onFocus: ({ target }: FocusEvent) => {
        setFocus(true);
        const key = keyAt(target);
        inside.current = key ?? '';
        if (key !== undefined) {
          last.current = key;
          return onFocus(key);
        }
        if (target === frame.current && !isPressed.current) onFocus(undefined);
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        const isInside = currentTarget.contains(relatedTarget);
        setFocus(isInside);
        if (!isInside && relatedTarget !== null) inside.current = undefined;
        if (!isInside) onLeave();
      },
      onPointerDownCapture: ({ target }: PointerEvent) => {
        isPressed.current = true;
        requestAnimationFrame(() => (isPressed.current = false));
        // What is no part, such as a link, takes no focus: the keys of the canvas are to work after a press on it.
        if ((target as Element).closest('.react-flow__node, button, textarea, a') === null) {
          frame.current?.focus({ preventScroll: true });
        }
      },
    },
  };
}
