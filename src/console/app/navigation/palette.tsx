import './palette.css';
import { useQuery } from '@tanstack/react-query';
import { BriefcaseBusiness, File, type LucideIcon, Workflow } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { useLater } from '../../ui/form/use-later.js';
import { NAMED_PAGES } from '../pages.js';

interface Hit {
  path: string;
  name: string;
  kind: string;
  icon: LucideIcon;
}

const MOST = 12;
const MOST_CASES = 5;

/** Finds pages, stories and cases by a part of their name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [, go] = useLocation();
  const hits = useHits(text);
  const at = Math.min(chosen, hits.length - 1);
  const open = (hit: Hit | undefined) => {
    if (hit === undefined) return;
    onClose();
    go(hit.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + hits.length) % Math.max(hits.length, 1));
    }
    if (event.key === 'Enter') open(hits[at]);
  };
  return (
    <Dialog title="Search" dropsText onClose={onClose}>
      <input
        className="palette-input"
        placeholder="Story, case or page"
        aria-label="Story, case or page"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-activedescendant={hits.length > 0 ? `palette-hit-${at}` : undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div id="palette-hits" role="listbox" aria-label="Found" className="palette-hits">
        {hits.map((hit, index) => (
          <div
            key={hit.path}
            id={`palette-hit-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className="palette-hit"
            onPointerMove={() => setChosen(index)}
            onClick={() => open(hit)}
            onKeyDown={onKey}
          >
            <hit.icon aria-hidden="true" />
            <span className="cut grow">{hit.name}</span>
            <span className="faint">{hit.kind}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 && <p className="palette-none">No results.</p>}
    </Dialog>
  );
}

function useHits(text: string): Hit[] {
  const search = useLater(text.trim());
  const { data } = useQuery({
    queryKey: keys.stories.found(search),
    queryFn: () =>
      api.stories.list({ per_page: MOST, order: 'RECENTLY_EDITED', ...(search !== '' && { search }) }),
    placeholderData: (previous) => previous,
  });
  const cases = useQuery({
    queryKey: keys.cases.found(search),
    enabled: search !== '',
    queryFn: async () => (await api.cases.list({ search, per_page: MOST, order: 'RECENTLY_EDITED' })).cases,
    placeholderData: (previous) => previous,
  });
  // The list of an earlier text stands until the new one comes: Enter must not open what does not fit.
  const fits = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase());
  const pages = NAMED_PAGES.filter(({ inNavigation: { name } }) => fits(name)).map(
    ({ path, inNavigation: { name } }): Hit => ({ path, name, kind: 'Page', icon: File }),
  );
  const stories = (data?.stories ?? [])
    .filter(({ name }) => fits(name))
    .map(({ id, name }): Hit => ({ path: `/stories/${id}`, name, kind: 'Story', icon: Workflow }));
  const found = (text.trim() === '' ? [] : (cases.data ?? []))
    .filter(({ name }) => fits(name))
    .slice(0, MOST_CASES)
    .map(
      ({ case_id: id, name }): Hit => ({
        path: `/cases/${id}`,
        name,
        kind: 'Case',
        icon: BriefcaseBusiness,
      }),
    );
  return [...[...pages, ...stories].slice(0, MOST - found.length), ...found];
}
