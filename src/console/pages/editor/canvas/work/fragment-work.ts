import { cornerOf, freeShift, onGrid, placesInDraft } from '../../../../canvas/canvas-layout.js';
import { GRID, NODE } from '../../../../canvas/nodes/sizes.js';
import { wordsOf } from '../../../../story-model/commands/selection-commands.js';
import {
  copied,
  duplicate,
  type Fragment,
  paste,
  pastedNames,
} from '../../../../story-model/fragment/fragment.js';
import { fromGraph } from '../../../../story-model/graph-draft.js';
import { connect, WEBHOOK_TYPE } from '../../../../story-model/commands/link-commands.js';
import {
  type Edited,
  type LinkKind,
  newGuid,
  type Place,
  type Selection,
} from '../../../../story-model/story-draft.js';
import { sentencesOf } from '../../../../text/problems.js';
import { referencedNames, withNewNames } from '../pasted-references.js';
import type { WorkBase } from './work-base.js';

/** How far a copy is put beside what it is a copy of. */
const BESIDE = 2 * GRID;

/** Returns what copies and pastes parts of a story. */
export function createFragmentWork(base: WorkBase) {
  const { editor, draft, boxes, boxesOf, targets, asSelection, choose, focus, runPlaced, screen, tell } =
    base;

  function duplicateTargets() {
    const { actions, notes } = targets();
    const own = [...boxesOf([...actions, ...notes]).values()];
    if (own.length === 0) return;
    const shift = freeShift(own, [...boxes().values()], { x: BESIDE, y: BESIDE });
    const fragment = copied(draft(), { actions, notes }, boxes());
    const words = wordsOf(draft(), { actions, notes });
    named(fragment, (own) => {
      const { made, guid } = createGuids();
      runPlaced(duplicate(own, shift, words, guid));
      chooseMade(made);
    });
  }

  /**
   * Goes on with the fragment, in which references follow the names that its actions get. At once if nothing names an action
   * that gets another name: only the server can read templates. Names that are taken by then, as by a paste just before, are
   * asked for again.
   */
  function named(fragment: Fragment, goOn: (fragment: Fragment) => void) {
    const renames = referencedNames(draft(), fragment);
    if (renames.length === 0 || editor.readOnly !== undefined) return goOn(fragment);
    void withNewNames(editor.draftId ?? editor.storyId, fragment, renames).then(
      (own) => {
        const names = pastedNames(draft(), own.agents);
        const isFree = renames.every(({ index, name }) => names[index] === name);
        return isFree ? goOn(own) : named(fragment, goOn);
      },
      (error: unknown) => {
        goOn(fragment);
        tell(`References to the renamed actions were not changed. ${sentencesOf(error).join(' ')}`);
      },
    );
  }

  const pasteFragment = (fragment: Fragment, at: Place | undefined) =>
    named(fragment, (own) => pasteNamed(own, at));

  function pasteNamed(fragment: Fragment, at: Place | undefined, behind?: AddBehind) {
    const laid = laidOut(fragment);
    const own = [...laid.agents, ...laid.notes].flatMap(({ position }) =>
      position && !Array.isArray(position) ? [{ ...position, ...NODE }] : [],
    );
    const { made, guid } = createGuids();
    const corner = cornerOf(own);
    const wanted = at ?? screen?.middle() ?? { x: 0, y: 0 };
    const by =
      own.length === 0 ? { x: 0, y: 0 } : { x: onGrid(wanted.x - corner.x), y: onGrid(wanted.y - corner.y) };
    const shift = own.length === 0 ? by : freeShift(own, [...boxes().values()], by);
    const pasted = paste(laid, shift, guid);
    runPlaced((before) => linkedBehind(pasted(before), behind, entriesOf(laid, made)));
    chooseMade(made);
  }

  /** Pastes a step, behind an action if one is given: it leads to the first actions of the step, in the same change. */
  function insert(fragment: Fragment, at: Place | undefined, behind: AddBehind | undefined) {
    const from = behind === undefined ? undefined : boxes().get(behind.source);
    const below = from === undefined ? undefined : { x: from.x, y: from.y + from.height + NODE.height };
    named(fragment, (own) => pasteNamed(own, at ?? below, behind));
  }

  function chooseMade(made: readonly string[]) {
    const parts = asSelection(made);
    const [first] = [...(parts.actions ?? []), ...(parts.notes ?? [])];
    if (first === undefined) return;
    choose(parts);
    focus(first);
  }

  return {
    duplicate: duplicateTargets,
    /** Returns these parts, or those that are chosen, as they are pasted. */
    copied: (parts: Selection = targets()): Fragment => copied(draft(), parts, boxes()),
    paste: pasteFragment,
    insert,
  };
}

/** The action that leads to what is added, and by which of its ports. */
interface AddBehind {
  source: string;
  kind: LinkKind;
}

/** Returns the pasted actions at which events may come in: no link leads to them, and they take some. */
function entriesOf({ agents, links }: Fragment, keys: readonly string[]): string[] {
  const led = new Set(links.map(({ receiver }) => receiver));
  return agents.flatMap(({ type }, at) => (led.has(at) || type === WEBHOOK_TYPE ? [] : (keys[at] ?? [])));
}

function linkedBehind(pasted: Edited, behind: AddBehind | undefined, entries: readonly string[]): Edited {
  if (behind === undefined) return pasted;
  const { source, kind } = behind;
  const draft = entries.reduce((after, entry) => connect(source, entry, kind)(after).draft, pasted.draft);
  return { ...pasted, draft };
}

/** Makes guids, and knows which. */
function createGuids() {
  const made: string[] = [];
  const guid = () => {
    const next = newGuid();
    made.push(next);
    return next;
  };
  return { made, guid };
}

/** Gives places to the actions of a fragment that has none, as an export without a layout. */
function laidOut(fragment: Fragment): Fragment {
  if (fragment.agents.every(({ position }) => position)) return fragment;
  const places = [...placesInDraft(fromGraph({ ...fragment, notes: [] })).values()];
  return {
    ...fragment,
    agents: fragment.agents.map((agent, at) => ({ ...agent, position: places[at] ?? null })),
  };
}
