import './split.css';
import { Maximize2, X } from 'lucide-react';
import { type ComponentType, createContext, type ReactNode, Suspense, use, useEffect, useRef } from 'react';
import { Link, matchRoute, Route, Router, useLocation, useRouter, useSearch } from 'wouter';
import { useKeys } from '../../keys/use-keys.js';
import { IconButton } from '../form/button.js';
import { OPENS_ROW, stepRow } from '../lists/open-rows.js';
import { Loading } from '../states.js';
import { useIsWide } from './use-is-wide.js';

/** The name in the address of the page beside the list. */
const NAME = 'open';
/** A key that is held passes rows by: a row opens this long after the last key. In milliseconds. */
const REST_MS = 150;
/** Marks an entry of the history that a press on a row has made: closing the page beside the list goes back over it. */
const MADE_BY_ROW = { beside: true };

interface GoOptions {
  replace?: boolean;
  state?: unknown;
}
type Go = (to: string, options?: GoOptions) => void;

interface Beside {
  /** The address of the page beside the list. */
  opened: string | undefined;
  /** Opens a page beside the list. False: it does not belong there. */
  open: (path: string) => boolean;
}

/** Shows what a page beside a list broke with, in its place; the list stays. */
export const BoundaryContext = createContext((page: ReactNode): ReactNode => page);

const BesideContext = createContext<Beside | undefined>(undefined);
/** The address as the page beside the list sees it. */
const InnerContext = createContext<{ place: string; search: string; go: Go }>({
  place: '',
  search: '',
  go: () => undefined,
});

interface RowLinkProps {
  href: string;
  className?: string;
  title?: string;
  children: ReactNode;
}

/** The link of a row to its page, which opens beside the list where there is room for both. */
export function RowLink({ href, ...rest }: RowLinkProps) {
  const beside = use(BesideContext);
  const isOpened = beside?.opened !== undefined && pathIn(beside.opened) === pathIn(href);
  return (
    <Link
      href={href}
      {...OPENS_ROW}
      {...(isOpened && { 'aria-current': true })}
      onClick={(event) => {
        if (beside?.open(href) === true) event.preventDefault();
      }}
      {...rest}
    />
  );
}

interface SplitProps {
  /** The page that may stand beside the list, and the pattern of its path: `/runs/:story/:guid`. */
  path: string;
  page: ComponentType;
  /** What the page shows, for readers. */
  label: string;
  children: ReactNode;
}

/**
 * A list, and beside it the page of the row that was chosen (`RowLink`), if the window is wide enough: otherwise a row leads to
 * its page. The address names it (`?open=`), Escape closes it, and `j` and `k` go on to the next row.
 */
export function Split({ path, page, label, children }: SplitProps) {
  const { base, parser } = useRouter();
  const [place, go] = useLocation();
  const query = useSearch();
  const isWide = useIsWide();
  const bounded = use(BoundaryContext);
  const list = useRef<HTMLDivElement>(null);
  const coming = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(coming.current), []);
  const isOfPath = (to: string) => matchRoute(parser, path, pathIn(to))[0];
  const named = new URLSearchParams(query).get(NAME) ?? undefined;
  const opened = named !== undefined && isOfPath(named) ? named : undefined;
  const addressWith = (inner: string | undefined) => {
    const next = new URLSearchParams(query);
    if (inner === undefined) next.delete(NAME);
    else next.set(NAME, inner);
    return next.size === 0 ? place : `${place}?${next}`;
  };
  useEffect(() => {
    if (opened !== undefined && !isWide) go(opened, { replace: true });
  }, [opened, isWide, go]);

  const open = (to: string) => {
    clearTimeout(coming.current);
    if (!isWide || !isOfPath(to)) return false;
    // One entry of the history for all rows: Back closes the page beside the list.
    if (opened === undefined) go(addressWith(to), { state: MADE_BY_ROW });
    else go(addressWith(to), { replace: true, state: history.state });
    return true;
  };
  const close = () => {
    clearTimeout(coming.current);
    // The row may have left the list meanwhile.
    const row = list.current?.querySelector<HTMLElement>('[data-opens-row][aria-current]');
    (row ?? list.current)?.focus();
    if (isMadeByRow(history.state)) history.back();
    else go(addressWith(undefined), { replace: true });
  };
  const goInside: Go = (to, options) => {
    const inner = to.startsWith(`${base}/`) ? to.slice(base.length) : to;
    if (!isOfPath(inner)) go(inner, options);
    else go(addressWith(inner), { replace: true, state: history.state });
  };
  const toNext = (step: 1 | -1) => {
    const row = list.current === null ? undefined : stepRow(step, list.current);
    clearTimeout(coming.current);
    coming.current = setTimeout(() => row?.click(), REST_MS);
  };
  useKeys(
    'page',
    opened === undefined || !isWide ? {} : { Escape: close, j: () => toNext(1), k: () => toNext(-1) },
  );
  const isOpen = opened !== undefined && isWide;
  return (
    <BesideContext value={{ opened: isOpen ? opened : undefined, open }}>
      <div className={isOpen ? 'split split-open' : 'split'}>
        <div className="split-list" ref={list} tabIndex={-1}>
          {children}
        </div>
        {isOpen && (
          <section className="split-pane" aria-label={label}>
            <div className="split-head">
              <Link href={opened} className="row">
                <Maximize2 aria-hidden="true" /> Full page
              </Link>
              <IconButton label="Close" onClick={close}>
                <X />
              </IconButton>
            </div>
            <div className="split-body" key={pathIn(opened)}>
              <InnerContext value={{ place: base + pathIn(opened), search: searchIn(opened), go: goInside }}>
                <Router base={base} {...INNER_ROUTER}>
                  {/* A list on the page is no part of this one. */}
                  <BesideContext value={undefined}>
                    {bounded(
                      <Suspense fallback={<Loading lines={8} />}>
                        <Route path={path} component={page} />
                      </Suspense>,
                    )}
                  </BesideContext>
                </Router>
              </InnerContext>
            </div>
          </section>
        )}
      </div>
    </BesideContext>
  );
}

/**
 * Returns what leads from a list to its address with other filters, in place of this entry of the history. The page beside
 * the list stays, and so does what Back does.
 */
export function useFilteredAddress(): (address: string) => void {
  const [, go] = useLocation();
  const opened = new URLSearchParams(useSearch()).get(NAME);
  return (address) => {
    const query = new URLSearchParams(searchIn(address));
    if (opened !== null) query.set(NAME, opened);
    const path = pathIn(address);
    go(query.size === 0 ? path : `${path}?${query}`, { replace: true, state: history.state });
  };
}

function useInnerLocation(): [string, Go] {
  const { place, go } = use(InnerContext);
  return [place, go];
}

const useInnerSearch = () => use(InnerContext).search;

const INNER_ROUTER = { hook: useInnerLocation, searchHook: useInnerSearch };

const pathIn = (address: string) => address.split('?', 1)[0] ?? '';
const searchIn = (address: string) => address.slice(pathIn(address).length + 1);

const isMadeByRow = (state: unknown) =>
  typeof state === 'object' && state !== null && 'beside' in state && state.beside === true;
