import './shell.css';
import { Suspense, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Loading } from '../ui/states.js';
import { Banner } from './banner.js';
import { ErrorBoundary } from './error-boundary.js';
import { KeysHelp } from './navigation/keys-help.js';
import { NotFoundPage } from '../ui/not-found-page.js';
import { PAGES } from './pages.js';
import { Palette } from './navigation/palette.js';
import { Side } from './navigation/side.js';
import { usePageKeys } from './navigation/use-page-keys.js';

/** The frame of every page: navigation, banner, palette and the list of keys. */
export function Shell() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [place, go] = useLocation();
  usePageKeys({ go, openPalette: () => setOpen('palette'), openHelp: () => setOpen('keys') });
  return (
    <div className="shell">
      <a className="skip" href="#content" onClick={toContent}>
        Skip to content
      </a>
      <Side openPalette={() => setOpen('palette')} openKeys={() => setOpen('keys')} />
      <Banner />
      <main className="content" id="content" tabIndex={-1}>
        <ErrorBoundary key={place}>
          <Suspense fallback={<Loading lines={6} />}>
            <Switch>
              {PAGES.map(({ path, page }) => (
                <Route key={path} path={path} component={page} />
              ))}
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
      {open === 'keys' && <KeysHelp onClose={() => setOpen(null)} />}
    </div>
  );
}

/** A fragment would be resolved against the base of the page, so the focus moves by itself. */
function toContent(event: { preventDefault(): void }) {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
