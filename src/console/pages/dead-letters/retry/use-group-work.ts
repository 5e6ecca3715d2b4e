import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sentencesOf } from '../../../api/problems.js';

/** Requests at once: a group of thousands must not take the whole limit of calls. */
const AT_ONCE = 4;
const MOST_FAULTS = 3;

/** How far a work on many letters has come. */
export interface Progress {
  /** In the past tense: `tried again`. */
  did: string;
  done: number;
  of: number;
  /** The first sentences of those that were refused, and how many these are. */
  faults: string[];
  refused: number;
  state: 'works' | 'stopped' | 'ended';
}

/** Does the same to many letters, some at a time. It ends when it is stopped or the page is left. */
export function useGroupWork() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const start = async (did: string, ids: readonly number[], one: (id: number) => Promise<unknown>) => {
    const controller = new AbortController();
    stopping.current = controller;
    const rest = [...ids];
    const present: Progress = { did, done: 0, of: ids.length, faults: [], refused: 0, state: 'works' };
    const tell = () => setProgress({ ...present, faults: [...present.faults] });
    tell();
    const work = async () => {
      for (let id = rest.shift(); id !== undefined && !controller.signal.aborted; id = rest.shift()) {
        try {
          await one(id);
          present.done += 1;
        } catch (error) {
          present.refused += 1;
          if (present.faults.length < MOST_FAULTS)
            present.faults.push(`${id}: ${sentencesOf(error).join(' ')}`);
        }
        tell();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    present.state = controller.signal.aborted ? 'stopped' : 'ended';
    tell();
    await client.invalidateQueries({ queryKey: ['dead-letters'] });
  };
  return { progress, start, stop: () => stopping.current?.abort() };
}
