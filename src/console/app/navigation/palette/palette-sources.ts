import {
  Braces,
  BriefcaseBusiness,
  Activity,
  KeyRound,
  type LucideIcon,
  RotateCcw,
  SquareFunction,
  Webhook,
  Workflow,
} from 'lucide-react';
import { api } from '../../../api/console-api.js';
import { isAbsent } from '../../../text/problems.js';
import { letterPath } from '../../../pages/dead-letters/letter-filters.js';
import { runPath } from '../../../pages/runs/run-words.js';
import { nounWords } from '../../../ui/words/figures.js';
import { isolated } from '../../../text/isolated.js';
import { type Hit, place } from './palette-hit.js';
import { type PaletteQuery, guidIn, idIn } from './palette-text.js';

/** What one request of the palette found. */
export interface Found {
  hits: Hit[];
  /** Whether all of it fits the search, whatever its names are: a guid, an id, a path. */
  isExact?: boolean;
}

/** One kind of thing that the palette finds. */
export interface Source {
  name: string;
  /** Whether a text may be one of them. */
  isFor: (asked: PaletteQuery) => boolean;
  find: (search: string) => Promise<Found>;
}

const MOST = 12;
const MOST_BESIDE = 5;

const opens = ({ verb, search }: PaletteQuery) => verb === undefined && search !== '';

/** The things that the palette finds, in the order in which it shows them. */
export const SOURCES: readonly Source[] = [
  { name: 'run', isFor: ({ search }) => guidIn(search) !== undefined, find: findRun },
  { name: 'id', isFor: ({ search }) => idIn(search) !== undefined, find: findById },
  {
    name: 'story',
    isFor: ({ verb }) => verb !== 'retry',
    async find(search) {
      const { stories } = await api.stories.list({
        per_page: MOST,
        order: 'RECENTLY_EDITED',
        ...(search !== '' && { search }),
      });
      return {
        hits: stories.map(({ id, name }) => place(`/stories/${id}`, { name, kind: 'Story', icon: Workflow })),
      };
    },
  },
  { name: 'group', isFor: ({ verb }) => verb === 'retry', find: findGroups },
  {
    name: 'webhook',
    isFor: opens,
    async find(search) {
      const { webhooks } = await api.webhooks.list({ search, order: 'LAST_CALL', per_page: MOST_BESIDE });
      const hits = webhooks.map(({ id, name, path, story }) =>
        place(`/webhooks/${id}`, {
          name: `${name} in ${isolated(story.name)}${path === null ? '' : `, /webhook/${path}`}`,
          kind: 'Webhook',
          icon: Webhook,
        }),
      );
      return { hits };
    },
  },
  {
    name: 'action',
    isFor: opens,
    async find(search) {
      const { agents } = await api.actions.list({ search, per_page: MOST_BESIDE });
      const hits = agents.map(({ id, name, story_id: story }) =>
        place(`/stories/${story}?action=${id}`, { name, kind: 'Action', icon: SquareFunction }),
      );
      return { hits };
    },
  },
  {
    name: 'credential',
    isFor: opens,
    async find(search) {
      const { user_credentials: found } = await api.userCredentials.list({ search, per_page: MOST_BESIDE });
      const hits = found.map(({ id, name }) =>
        place(`/credentials/${id}`, { name, kind: 'Credential', icon: KeyRound }),
      );
      return { hits };
    },
  },
  {
    name: 'case',
    isFor: opens,
    async find(search) {
      const { cases } = await api.cases.list({ search, per_page: MOST, order: 'RECENTLY_EDITED' });
      const hits = cases.map(({ case_id: id, name }) =>
        place(`/cases/${id}`, { name, kind: 'Case', icon: BriefcaseBusiness }),
      );
      return { hits: hits.slice(0, MOST_BESIDE) };
    },
  },
];

async function findRun(guid: string): Promise<Found> {
  const { events } = await api.events.list({ story_run_guid: guid.toLowerCase(), per_page: 1 });
  const hits = events.map(({ story_id: story, story_run_guid: run }) =>
    place(runPath({ story_id: story, guid: run }), { name: run, kind: 'Run', icon: Activity }),
  );
  return { hits, isExact: true };
}

/** An id alone does not tell of what it is: each thing that has it is offered. */
async function findById(text: string): Promise<Found> {
  const id = idIn(text) ?? 0;
  const found = await Promise.all([
    known(api.events.get({ id, exclude_previous_event_payloads: true }), ({ agent_name: action }) =>
      line(`/events/${id}`, `Event ${id} of ${isolated(action ?? 'a deleted action')}`, 'Event', Braces),
    ),
    known(api.stories.get({ id }), ({ name }) =>
      line(`/stories/${id}`, `Story ${id}, ${isolated(name)}`, 'Story', Workflow),
    ),
    known(api.actions.get({ id }), ({ name, story_id: story }) =>
      line(`/stories/${story}?action=${id}`, `Action ${id}, ${isolated(name)}`, 'Action', SquareFunction),
    ),
    known(api.cases.get({ id }), ({ name }) =>
      line(`/cases/${id}`, `Case ${id}, ${isolated(name)}`, 'Case', BriefcaseBusiness),
    ),
  ]);
  return { hits: found.flat(), isExact: true };
}

const line = (path: string, name: string, kind: string, icon: LucideIcon): Hit =>
  place(path, { name, kind, icon });

/** Returns the line of what has the id; none if nothing of that kind has it. */
async function known<Thing>(asked: Promise<Thing>, hitOf: (thing: Thing) => Hit): Promise<Hit[]> {
  try {
    return [hitOf(await asked)];
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

async function findGroups(): Promise<Found> {
  const { groups } = await api.deadLetters.groups.list({});
  const hits = groups.map((group): Hit => {
    const {
      agent_id: actionId,
      story_id: storyId,
      error_kind: kind,
      agent_name: action,
      story_name: story,
    } = group;
    return place(`${letterPath({ group: { storyId, actionId, kind } })}&ask=retry`, {
      name: `Retry ${nounWords(group.dead_letters, 'dead letter')} of ${isolated(action ?? 'a deleted action')} in ${isolated(story)}: ${kind}`,
      kind: 'Question',
      icon: RotateCcw,
    });
  });
  return { hits };
}
