import { useMemo, useRef, useState } from 'react';
import { Search } from 'lucide-react';
import type { Action } from '../../../../../clients/typescript/api.js';
import { branchBelow } from '../../../canvas/folding/folding.js';
import type { Graph } from '../../../canvas/graph.js';
import type { Facts } from '../../../canvas/graph-elements.js';
import { StoryCanvas } from '../../../canvas/story-canvas.js';
import { isWebhook } from '../../../story-model/entry.js';
import { Input } from '../../../ui/form/field.js';
import { useSlashKey } from '../../../ui/form/use-slash-key.js';
import { Failed, Loading, Nothing } from '../../../ui/states.js';
import { ActionPanel } from '../panel/action-panel.js';
import { type Shown, useShown } from '../story-address.js';
import type { TabProps } from './tab-props.js';
import { CoverageSwitch } from '../tests/covered/coverage-switch.js';
import { untestedIn } from '../tests/model/coverage-marks.js';
import { useKnownResults } from '../tests/tests-data.js';
import { type Place, useActionCounts, useActivity, useAgentTypes, useGraph } from '../story-data.js';

/** The canvas of a story or a draft, live, with the details of the chosen action beside it. */
export function CanvasTab({ story: { id: storyId, entry_agent_id: entryId } }: TabProps) {
  const [shown, show] = useShown(storyId);
  const [search, setSearch] = useState('');
  const place: Place = { storyId, draftId: shown.draft };
  const graph = useGraph(place);
  const facts = useFacts(place, search, shown.coverage ? graph.data : undefined);
  const { folded, fold, choose } = useFolding(shown, show, graph.data?.actions ?? []);
  const chosen = graph.data?.actions.find(({ id }) => id === shown.action);
  const findNext = () => {
    const found = (graph.data?.actions ?? []).filter(({ name }) =>
      name.toLowerCase().includes(search.toLowerCase()),
    );
    const next = found[(found.findIndex(({ id }) => id === shown.action) + 1) % Math.max(found.length, 1)];
    if (search !== '' && next !== undefined) choose(next.id);
  };
  return (
    <div className="story-body">
      {graph.data !== undefined && graph.data.actions.length > 0 && (
        <ActionSearch search={search} onSearch={setSearch} onNext={findNext} />
      )}
      {graph.data !== undefined && graph.data.actions.length > 0 && (
        <CoverageSwitch place={place} isOn={shown.coverage} onSwitch={(coverage) => show({ coverage })} />
      )}
      {graph.data === undefined &&
        (graph.error ? <Failed error={graph.error} retry={graph.refetch} /> : <Loading lines={8} />)}
      {graph.data?.actions.length === 0 && (
        <Nothing title="This story has no actions yet.">
          <p>Edit it to add some.</p>
        </Nothing>
      )}
      {graph.data !== undefined && graph.data.actions.length > 0 && (
        <StoryCanvas
          key={shown.draft ?? 'story'}
          graph={graph.data}
          facts={facts}
          entryId={entryOf(graph.data, entryId ?? undefined)}
          chosenId={shown.action}
          isSurvey={shown.coverage}
          onChoose={choose}
          folded={folded}
          onUnfold={fold}
        />
      )}
      {chosen !== undefined && graph.data !== undefined && (
        <ActionPanel
          action={chosen}
          others={graph.data.actions}
          place={place}
          tab={shown.tab}
          onTab={(tab) => show({ tab })}
          onAction={choose}
          isFolded={folded.includes(chosen.id)}
          onFold={() => fold(chosen.id)}
        />
      )}
    </div>
  );
}

interface ActionSearchProps {
  search: string;
  onSearch: (text: string) => void;
  onNext: () => void;
}

/** Finds actions by name, over the canvas. */
function ActionSearch({ search, onSearch, onNext }: ActionSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(field);
  return (
    <div className="search story-search">
      <Search aria-hidden="true" />
      <Input
        ref={field}
        type="search"
        placeholder="Find an action"
        aria-label="Find an action; press Enter for the next one"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && onNext()}
      />
    </div>
  );
}

/** `marked`: the story on which what no test reaches is marked; undefined: it is not. */
function useFacts(place: Place, search: string, marked: Graph | undefined): Facts {
  const activity = useActivity(place).data;
  const counts = useActionCounts(place, 1).data;
  const types = useAgentTypes().data;
  const coverage = useKnownResults(place)?.coverage;
  return useMemo(() => {
    const isStored = ({ runnable }: { runnable: boolean }) => !runnable;
    const notRunnable = new Set([...(types?.values() ?? [])].filter(isStored).map(({ type }) => type));
    const untested =
      marked === undefined || coverage === undefined ? undefined : untestedIn(coverage, marked.actions);
    return { activity, counts, notRunnable, search, untested };
  }, [activity, counts, types, search, marked, coverage]);
}

/** A run begins at the entry; without one, at the first action that receives nothing. */
function entryOf({ actions }: Graph, entryId: number | undefined): number | undefined {
  const first = actions.find(isWebhook) ?? actions.find(({ sources }) => sources.length === 0) ?? actions[0];
  return actions.some(({ id }) => id === entryId) ? entryId : first?.id;
}

/** Returns the folded branches; what folds and unfolds one; and what chooses an action, which unfolds what hides it. */
function useFolding(shown: Shown, show: (change: Partial<Shown>) => void, actions: readonly Action[]) {
  const ids = shown.folded.join();
  // Another list of the same ids would draw the canvas anew.
  const folded = useMemo(() => ids.split(',').filter(Boolean).map(Number), [ids]);
  return {
    folded,
    fold: (id: number) =>
      show({ folded: folded.includes(id) ? folded.filter((each) => each !== id) : [...folded, id] }),
    choose: (action: number | undefined) =>
      show({
        action,
        folded: folded.filter((owner) => action === undefined || !branchBelow(actions, owner).has(action)),
      }),
  };
}
