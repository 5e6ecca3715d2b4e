import { useRef, useState } from 'react';
import type { Place } from '../../../../story-model/story-draft.js';
import { IMPORT_SOURCES, type ImportSource } from '../../request-import/request-import-dialog.js';
import type { AddPlace, CanvasWork } from '../canvas-work.js';
import type { Step } from '../../../../../../clients/typescript/api.js';
import { useStepsToAdd } from '../../steps/use-steps-to-add.js';
import { useKindsToAdd } from '../use-drawn-draft.js';
import type { KindToAdd } from './action-kinds-to-add.js';

/** In narrower windows the actions to add open when they are asked for. */
const WIDE_PX = 1_100;

/** Returns the actions to add, and what opens them and adds one. `refusal`: why nothing is added. */
export function useAdding(work: CanvasWork, refusal: string | undefined) {
  const kinds = useKindsToAdd();
  const { steps, stepsFailed, addStep } = useStepsToAdd(work);
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(() => innerWidth >= WIDE_PX);
  const [place, setPlace] = useState<AddPlace>();
  const [importing, setImporting] = useState<ImportSource>();
  const open = (next: AddPlace | undefined) => {
    if (refusal !== undefined) return work.tell(refusal);
    setPlace(next);
    setOpen(true);
    // The field is drawn with the palette.
    requestAnimationFrame(() => field.current?.focus());
  };
  return {
    kinds,
    steps,
    stepsFailed,
    field,
    isOpen,
    setOpen,
    /** The action behind which the next one is added. */
    behind: place?.behind,
    importing,
    setImporting,
    open,
    /** What is asked for by a key stays in this place: the focus goes to the palette, and what is chosen is as it was. */
    openBehindTarget: () => {
      const [source, ...others] = work.targets().actions;
      const isOne = source !== undefined && others.length === 0;
      open(isOne ? { behind: { source, kind: 'DEFAULT' } } : undefined);
    },
    add: (kind: KindToAdd) => {
      if (innerWidth < WIDE_PX) setOpen(false);
      work.add(kind, place);
      setPlace(undefined);
    },
    addStep: (step: Step) => {
      if (innerWidth < WIDE_PX) setOpen(false);
      void addStep(step, place);
      setPlace(undefined);
    },
    /** Adds what was dragged to a place: a kind, or a request that is described elsewhere. */
    drop: (id: string, at: Place) => {
      const kind = kinds.find((each) => each.id === id);
      if (kind !== undefined) return work.add(kind, { at });
      const step = steps.find(({ guid }) => guid === id);
      if (step !== undefined) return void addStep(step, { at });
      setPlace({ at });
      setImporting(IMPORT_SOURCES.find(([source]) => source === id)?.[0]);
    },
    leave: () => {
      setPlace(undefined);
      if (innerWidth < WIDE_PX) setOpen(false);
    },
  };
}
