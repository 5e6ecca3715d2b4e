import { useQueries } from '@tanstack/react-query';
import { Activity, Braces, CirclePlay, CirclePower, File, KeyRound, Plus, RotateCcw } from 'lucide-react';
import { keys } from '../../../api/keys.js';
import { useIsOwner, useMay } from '../../../api/signed-in.js';
import { useLater } from '../../../ui/form/use-later.js';
import { namedPages } from '../../pages.js';
import { type Hit, place } from './palette-hit.js';
import { SOURCES } from './palette-sources.js';
import { type PaletteQuery, askedIn } from './palette-text.js';

const MOST = 20;
/** Sources that find one thing by what names it alone. */
const EXACT = new Set(['run', 'id']);
/** More stories would leave no room for what else has the name. */
const MOST_STORIES = 8;

/** Returns what the palette offers for a text, the nearest first. */
export function useHits(text: string): Hit[] {
  const now = askedIn(text);
  const later = askedIn(useLater(text));
  const isOwner = useIsOwner();
  const may = { write: useMay('write'), manage: useMay('manage') };
  const found = useQueries({
    queries: SOURCES.map(({ name, isFor, find }) => ({
      queryKey: keys.found(name, later.search),
      enabled: isFor(later),
      queryFn: async () => ({ ...(await find(later.search)), search: later.search }),
      placeholderData: (previous: (Awaited<ReturnType<typeof find>> & { search: string }) | undefined) =>
        previous,
    })),
  });
  // The list of an earlier text stands until the new one comes: Enter must not open what does not fit.
  const fits = (name: string) => name.toLowerCase().includes(now.search.toLowerCase());
  const things = SOURCES.flatMap(({ name, isFor }, at): Hit[] => {
    const data = found[at]?.data;
    if (data === undefined || !isFor(now)) return [];
    if (data.isExact === true) return data.search === now.search ? data.hits : [];
    const some = data.hits.filter((hit) => fits(hit.name));
    return name === 'story' && now.search !== '' ? some.slice(0, MOST_STORIES) : some;
  });
  const { verb } = now;
  if (verb === 'retry') return may.write ? things.slice(0, MOST) : [];
  if (verb !== undefined) return may.write ? things.flatMap((hit) => storyAct(hit, verb)).slice(0, MOST) : [];
  const pages = namedPages(isOwner)
    .filter(({ inNavigation: { name } }) => fits(name))
    .map(({ path, inNavigation: { name } }) => place(path, { name, kind: 'Page', icon: File }));
  // Enter right after a pasted guid or id waits for what has it.
  const isAwaited = SOURCES.some(
    ({ name, isFor }, at) =>
      EXACT.has(name) && isFor(now) && found[at]?.data?.search !== now.search && found[at]?.isError !== true,
  );
  const after =
    now.search === '' || isAwaited ? [] : [...acts(may).filter(({ name }) => fits(name)), ...searches(now)];
  const first = things.filter(({ kind }) => kind === 'Run' || kind === 'Event');
  const rest = things.filter((hit) => !first.includes(hit));
  return unique([...first, ...[...pages, ...rest].slice(0, MOST - after.length), ...after]);
}

/** Two sources may find the same. */
const unique = (hits: readonly Hit[]): Hit[] => [...new Map(hits.map((hit) => [hit.key, hit])).values()];

const VERB_WORDS = { start: 'Start', disable: 'Disable', enable: 'Enable' } as const;

/** Returns the question about a story that was found. */
function storyAct({ kind, name, does }: Hit, verb: keyof typeof VERB_WORDS): Hit[] {
  const id = 'path' in does ? Number(/^\/stories\/(\d+)$/.exec(does.path)?.[1]) : Number.NaN;
  if (kind !== 'Story' || Number.isNaN(id)) return [];
  return [
    {
      key: `${verb} ${id}`,
      name: `${VERB_WORDS[verb]} ${name}…`,
      kind: 'Question',
      icon: verb === 'start' ? CirclePlay : CirclePower,
      does: { ask: { verb, id, name } },
    },
  ];
}

/** Returns a line that begins a command. */
const begins = (name: string, text: string, icon: Hit['icon']): Hit => ({
  key: text,
  name,
  kind: 'Command',
  icon,
  does: { text },
});

/** What the palette does beside opening pages. */
function acts({ write, manage }: { write: boolean; manage: boolean }): Hit[] {
  return [
    ...(write
      ? [
          begins('Start a story', 'start ', CirclePlay),
          begins('Disable a story', 'disable ', CirclePower),
          begins('Enable a story', 'enable ', CirclePower),
          begins('Retry dead letters of a group', 'retry ', RotateCcw),
          place('/resources?new=', { name: 'New resource', kind: 'Command', icon: Plus }),
        ]
      : []),
    ...(manage
      ? [place('/credentials/new', { name: 'New credential', kind: 'Command', icon: KeyRound })]
      : []),
  ];
}

/** A host, an address or any other value may stand in a payload. */
function searches({ search }: PaletteQuery): Hit[] {
  const value = encodeURIComponent(search);
  return [
    place(`/runs?value=${value}`, {
      name: `Runs with the value “${search}”`,
      kind: 'Search',
      icon: Activity,
    }),
    place(`/events?value=${value}`, {
      name: `Events with the value “${search}”`,
      kind: 'Search',
      icon: Braces,
    }),
  ];
}
