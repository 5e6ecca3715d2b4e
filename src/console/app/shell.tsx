import './shell.css';
import './print.css';
import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useQuery } from '@tanstack/react-query';
import { LoadingPage } from '../ui/states.js';
import { api } from '../api/console-api.js';
import { isLive, watchStream } from '../api/live.js';
import { useIsOwner } from '../api/signed-in.js';
import { keys } from '../api/keys.js';
import { useSession } from '../api/signed-in.js';
import { Button } from '../ui/form/button.js';
import { ErrorBoundary } from './error-boundary.js';
import { KeysHelp } from './navigation/keys-help.js';
import { NoTeam } from './no-team.js';
import { NotFoundPage } from '../ui/not-found-page.js';
import { namedPages, PAGES } from './pages.js';
import { Palette } from './navigation/palette/palette.js';
import type { StoryToAsk } from './navigation/palette/palette-hit.js';
import { StoryQuestion } from './navigation/palette/story-question.js';
import { SideNavigation } from './navigation/side.js';
import { useKeys } from '../keys/use-keys.js';
import { useSearchKey } from './use-search-key.js';
import { useOpenRows } from '../ui/lists/open-rows.js';
import { BoundaryContext } from '../ui/split/split.js';

declare const __FABULA_VERSION__: string;

/** The version with which this page was built. */
const BUILT_VERSION = __FABULA_VERSION__;

const ASK_MS = 5 * 60_000;
/** The page of a person's own sessions and password, which needs no team. */
const OWN_PAGE = '/sessions';
/** A stream that is back within this time was not missed. */
const PATIENCE_MS = 6_000;

/** The frame of every page: navigation, banner, palette and the list of keys. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [asked, setAsked] = useState<StoryToAsk>();
  const [place, go] = useLocation();
  const { teams, user } = useSession();
  const hasNoTeam = teams.length === 0 && !user.is_owner;
  usePageKeys({ go, openPalette: () => setOpen('palette'), openHelp: () => setOpen('keys') });
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={toContent}>
        Skip to content
      </a>
      <SideNavigation openPalette={() => setOpen('palette')} openKeys={() => setOpen('keys')} />
      <Banner />
      <main className="content" id="content" tabIndex={-1} {...useOpenRows()}>
        <ErrorBoundary key={place}>
          <BoundaryContext value={bounded}>
            <Suspense fallback={<LoadingPage />}>
              <Switch>
                {hasNoTeam && place !== OWN_PAGE && <Route component={NoTeam} />}
                {PAGES.map(({ path, page }) => (
                  <Route key={path} path={path} component={page} />
                ))}
                <Route component={NotFoundPage} />
              </Switch>
            </Suspense>
          </BoundaryContext>
        </ErrorBoundary>
      </main>
      {open === 'palette' && <Palette onAsk={setAsked} onClose={() => setOpen(null)} />}
      {asked !== undefined && bounded(<StoryQuestion asked={asked} onClose={() => setAsked(undefined)} />)}
      {open === 'keys' && <KeysHelp onClose={() => setOpen(null)} />}
    </div>
  );
}

const bounded = (page: ReactNode) => <ErrorBoundary>{page}</ErrorBoundary>;

/** A fragment would be resolved against the base of the page, so the focus moves by itself. */
function toContent(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** Tells that this page is older than the server, or that nothing comes in. */
function Banner() {
  const isOffline = useIsOffline();
  const { data } = useQuery({ queryKey: keys.info, queryFn: () => api.info.get(), refetchInterval: ASK_MS });
  if (isOffline) {
    return (
      <div className="banner" role="status">
        Live updates are paused: the connection to the server was lost. Reconnecting…
      </div>
    );
  }
  if (data === undefined || data.version === BUILT_VERSION) return null;
  return (
    <div className="banner" role="status">
      <span className="grow">
        The server was updated to version {data.version}. This page was loaded from {BUILT_VERSION}.
      </span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}

function useIsOffline(): boolean {
  const live = useSyncExternalStore(watchStream, isLive);
  const [isOffline, setOffline] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOffline(!live), live ? 0 : PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [live]);
  return isOffline;
}

interface Doors {
  go: (path: string) => void;
  openPalette: () => void;
  openHelp: () => void;
}

/** Listens to the keys that work on every page: Ctrl-K, also in a field, `?`, and `g` with the key of a page. */
function usePageKeys({ go, openPalette, openHelp }: Doors) {
  const pages = namedPages(useIsOwner()).map(({ path, inNavigation: { key } }) => [
    `g ${key}`,
    () => go(path),
  ]);
  useKeys('field', { 'Mod+k': openPalette });
  useKeys('page', { ...Object.fromEntries(pages), 'Mod+k': openPalette, '?': openHelp });
  useSearchKey(openPalette);
}
