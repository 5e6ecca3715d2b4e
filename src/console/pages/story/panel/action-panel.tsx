import { useQuery } from '@tanstack/react-query';
import { ChevronsDownUp, ChevronsUpDown, X } from 'lucide-react';
import type { Action } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useMay } from '../../../api/signed-in.js';
import { keys } from '../../../api/keys.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button, IconButton } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Tabs } from '../../../ui/tabs.js';
import { branchBelow } from '../../../canvas/folding/folding.js';
import { kindOf } from '../../../ui/words/action-kinds.js';
import { DisableQuestion } from '../disable/disable-question.js';
import { useEnabling } from '../disable/use-enabling.js';
import { GuardBadge } from '../guard-badge.js';
import { type Place, useAgentTypes, useStory } from '../story-data.js';
import { guardsOf } from '../story-guards.js';
import { SwitchButton } from '../switch-button.js';
import { DeadLetterTab } from './dead-letter-tab.js';
import { EventTab } from './event-tab.js';
import { LogLines } from '../../../ui/lists/log-lines.js';
import { Answer } from '../../../ui/states.js';
import { OptionTab } from '../../../inspector/option-tab.js';
import { CoverageNote } from '../tests/covered/coverage-note.js';
import { HeldNote } from './held-note.js';
import { SeesTab } from './sees-tab.js';
import { StatisticsTab } from './statistics-tab.js';

const LINES_SHOWN = 50;

interface ActionPanelProps {
  action: Action;
  /** All actions of the story, to name those that this one is linked with. */
  others: Action[];
  place: Place;
  tab: string;
  onTab: (tab: string) => void;
  onAction: (id: number | undefined) => void;
  /** Whether the branch below it is drawn as one block. */
  isFolded: boolean;
  onFold: () => void;
}

/** The details of one action. */
export function ActionPanel(props: ActionPanelProps) {
  const { action, others, place, tab, onTab, onAction, isFolded, onFold } = props;
  const mayChange = useMay('write', action.team_id);
  // A draft is a story with a lock of its own; change control lets it change.
  const story = useStory(place.draftId ?? place.storyId).data;
  const guards = story === undefined ? [] : guardsOf(story);
  const type = useAgentTypes().data?.get(action.type);
  const enabling = useEnabling({
    name: action.name,
    set: (disabled) => api.actions.update({ id: action.id, disabled }),
    old: ['graph', 'schedules'],
  });
  const { id } = action;
  const below = branchBelow(others, id).size;
  const tabs = [
    { key: 'options', name: 'Options', content: () => <OptionTab action={action} type={type} /> },
    {
      key: 'sees',
      name: 'Input',
      content: () => <SeesTab action={action} others={others} place={place} />,
    },
    { key: 'events', name: 'Events', content: () => <EventTab actionId={id} place={place} /> },
    { key: 'log', name: 'Log', content: () => <LogTab actionId={id} place={place} /> },
    { key: 'letters', name: 'Dead letters', content: () => <DeadLetterTab actionId={id} /> },
    { key: 'figures', name: 'Statistics', content: () => <StatisticsTab actionId={id} place={place} /> },
  ];
  return (
    <aside className="panel" aria-label={`Action ${action.name}`}>
      <header className="panel-head">
        <div className="row">
          <h2 className="grow wrap" title={action.name}>
            {action.name}
          </h2>
          {mayChange && (
            <SwitchButton
              action={action}
              guard={guards[0]}
              isBusy={enabling.isBusy || story === undefined}
              onSwitch={enabling.onSwitch}
            />
          )}
          <IconButton label="Close" onClick={() => onAction(undefined)}>
            <X />
          </IconButton>
        </div>
        <div className="row row-wrap">
          <Badge tone="info">{kindOf(action).word}</Badge>
          {action.disabled && <Badge>disabled</Badge>}
          {mayChange && guards.map((guard) => <GuardBadge key={guard} guard={guard} />)}
          {below > 0 && (
            <Button look="quiet" aria-pressed={isFolded} onClick={onFold}>
              {isFolded ? <ChevronsUpDown aria-hidden="true" /> : <ChevronsDownUp aria-hidden="true" />}
              {isFolded ? 'Unfold' : 'Fold'} {nounWords(below, 'action')} below
            </Button>
          )}
          {type?.runnable === false && <Badge tone="warn">stored only: {type.reason}</Badge>}
        </div>
        {action.description && (
          <p className="soft wrap" title={action.description}>
            {action.description}
          </p>
        )}
        <HeldNote storyId={place.draftId ?? place.storyId} actionId={id} />
        <CoverageNote actionId={id} actions={others} place={place} />
        <Links title="From" ids={action.sources} others={others} onAction={onAction} />
        <Links title="To" ids={action.receivers} others={others} onAction={onAction} />
      </header>
      {enabling.isAsked && (
        <DisableQuestion
          place={place}
          actionId={id}
          name={action.name}
          isBusy={enabling.isBusy}
          onClose={enabling.onClose}
          onYes={enabling.onYes}
        />
      )}
      <Tabs
        label="Details"
        tabs={tabs}
        chosen={tabs.some(({ key }) => key === tab) ? tab : 'options'}
        onChoose={onTab}
      />
    </aside>
  );
}

interface LinksProps {
  title: string;
  ids: number[];
  others: Action[];
  onAction: (id: number) => void;
}

function Links({ title, ids, others, onAction }: LinksProps) {
  if (ids.length === 0) return null;
  return (
    <div className="panel-links">
      <span className="faint">{title}</span>
      {others
        .filter(({ id }) => ids.includes(id))
        .map(({ id, name }) => (
          <Button key={id} onClick={() => onAction(id)} title={name}>
            <span className="cut">{name}</span>
          </Button>
        ))}
    </div>
  );
}

/** The newest lines of the action's log. */
function LogTab({ actionId, place }: { actionId: number; place: Place }) {
  const lines = useQuery({
    queryKey: keys.place(place).log(actionId),
    queryFn: async () => (await api.actions.logs.list({ id: actionId, per_page: LINES_SHOWN })).action_logs,
  });
  return <Answer of={lines}>{(all) => <LogLines lines={all} empty="No log lines." />}</Answer>;
}
