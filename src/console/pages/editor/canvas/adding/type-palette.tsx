import { ChevronLeft, FileDown, Package, Plus } from 'lucide-react';
import { type Ref, useMemo } from 'react';
import type { Step } from '../../../../../../clients/typescript/api.js';
import { DRAGGED_KIND } from '../../../../canvas/editable-canvas.js';
import { sentencesOf } from '../../../../text/problems.js';
import { Button, IconButton } from '../../../../ui/form/button.js';
import { kindOf } from '../../../../ui/words/action-kinds.js';
import {
  IMPORT_SOURCES,
  type ImportSource,
  REQUEST_TYPE,
} from '../../request-import/request-import-dialog.js';
import { type KindToAdd, kindsWith } from './action-kinds-to-add.js';
import styles from '../edit-canvas.module.css';
import { PickList } from '../../../../ui/lists/pick-list.js';

interface TypePaletteProps {
  kinds: readonly KindToAdd[];
  /** Steps that stories of the team may use. */
  steps: readonly Step[];
  /** Why there are no steps, with another try; undefined: nothing has failed. */
  stepsFailed?: { error: unknown; refetch: () => unknown } | undefined;
  isOpen: boolean;
  /** The name of the action that leads to what is added; undefined where that is seen. */
  behind?: string | undefined;
  field: Ref<HTMLInputElement>;
  onOpen: (isOpen: boolean) => void;
  onAdd: (kind: KindToAdd) => void;
  onStep: (step: Step) => void;
  /** Adds a request that is described elsewhere. */
  onImport: (source: ImportSource) => void;
  onEscape: () => void;
}

const IMPORT_PICKS = IMPORT_SOURCES.map(([key, name]) => ({
  key,
  name,
  title: 'An HTTP request with its options filled in',
  icon: <FileDown aria-hidden="true" />,
}));

/** Returns the steps whose name or description has all these words. */
function stepsWith(steps: readonly Step[], text: string): Step[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return steps.filter(({ name, description }) => {
    const whole = `${name} ${description} step`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

const stepPick = ({ guid, name, description }: Step) => ({
  key: guid,
  name,
  about: 'step',
  title: description,
  icon: <Package aria-hidden="true" />,
});

/** The kinds of actions to add, and the steps: by a press, by a drag to a place, or by name. */
export function TypePalette({
  kinds,
  steps,
  stepsFailed,
  isOpen,
  behind,
  field,
  onOpen,
  onAdd,
  onStep,
  onImport,
  onEscape,
}: TypePaletteProps) {
  const find = useMemo(() => {
    const picks = new Map(
      kinds.map((kind) => {
        const { icon: Icon } = kindOf(kind);
        const { id, name, description } = kind;
        return [id, { key: id, name, title: description, icon: <Icon aria-hidden="true" /> }];
      }),
    );
    const mayImport = kinds.some(({ type }) => type === REQUEST_TYPE);
    return (text: string) => {
      const found = kindsWith(kinds, text);
      const named = IMPORT_PICKS.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
      const hasRequest = found.some(({ type }) => type === REQUEST_TYPE);
      return [
        ...found.flatMap(({ id, type }) => [
          ...[picks.get(id) ?? []].flat(),
          ...(type === REQUEST_TYPE ? IMPORT_PICKS : []),
        ]),
        ...(mayImport && !hasRequest ? named : []),
        ...stepsWith(steps, text).map(stepPick),
      ];
    };
  }, [kinds, steps]);
  if (!isOpen) {
    return (
      <div className={styles['paletteDoor']}>
        <IconButton label="Add an action (a)" aria-expanded={false} onClick={() => onOpen(true)}>
          <Plus />
        </IconButton>
      </div>
    );
  }
  return (
    <section className={styles['palette']} aria-label="Actions to add">
      <header className="row">
        <h2 className="grow">Add an action</h2>
        <IconButton label="Hide actions to add" aria-expanded onClick={() => onOpen(false)}>
          <ChevronLeft />
        </IconButton>
      </header>
      {stepsFailed !== undefined && (
        <div role="alert">
          <p className="warn wrap">Steps are not listed. {sentencesOf(stepsFailed.error).join(' ')}</p>
          <Button onClick={() => void stepsFailed.refetch()}>Retry</Button>
        </div>
      )}
      {behind !== undefined && <p className="soft wrap">behind {behind}</p>}
      <PickList
        label="Actions to add"
        placeholder={steps.length > 0 ? 'Find a type or a step' : 'Find a type'}
        find={find}
        field={field}
        onEscape={onEscape}
        onPick={(key) => {
          const source = IMPORT_SOURCES.find(([each]) => each === key)?.[0];
          if (source !== undefined) onImport(source);
          const kind = kinds.find(({ id }) => id === key);
          if (kind !== undefined) onAdd(kind);
          const step = steps.find(({ guid }) => guid === key);
          if (step !== undefined) onStep(step);
        }}
        onDrag={({ dataTransfer }, key) => {
          dataTransfer.setData(DRAGGED_KIND, key);
          dataTransfer.effectAllowed = 'copy';
        }}
      />
    </section>
  );
}
