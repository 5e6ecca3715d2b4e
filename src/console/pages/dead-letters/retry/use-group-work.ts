import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sentencesOf } from '../../../text/problems.js';
import { ofKind } from '../../../api/keys.js';

/** How far a work on many letters has come. */
export interface Progress {
  /** In the past tense: `tried again`. */
  did: string;
  done: number;
  of: number;
  /** Why it ended too early. */
  faults: string[];
  state: 'works' | 'stopped' | 'failed' | 'ended';
}

/** The result of one request: letters done, and letters left. */
export interface Step {
  done: number;
  remaining: number;
}

/** A work on `count` letters, in steps until none remains. */
export interface Work {
  did: string;
  count: number;
  step: () => Promise<Step>;
}

/** Does a work step by step, and tells how far it has come. It ends when it is stopped or the page is left. */
export function useGroupWork() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const start = async ({ did, count, step }: Work) => {
    const controller = new AbortController();
    stopping.current = controller;
    let present: Progress = { did, done: 0, of: count, faults: [], state: 'works' };
    const tell = (change: Partial<Progress>) => {
      present = { ...present, ...change };
      setProgress(present);
    };
    tell({});
    try {
      for (let remaining = 1; remaining > 0 && !controller.signal.aborted; ) {
        const stepped = await step();
        remaining = stepped.remaining;
        tell({ done: present.done + stepped.done });
      }
      tell({ state: controller.signal.aborted ? 'stopped' : 'ended' });
    } catch (error) {
      tell({ state: 'failed', faults: sentencesOf(error) });
    }
    await client.invalidateQueries({ queryKey: ofKind('dead-letters') });
  };
  return { progress, start, stop: () => stopping.current?.abort() };
}
