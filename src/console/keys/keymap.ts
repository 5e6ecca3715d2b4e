/**
 * The place in which a key means something. A field undoes by itself, and letters are text there: only what is bound there
 * counts. On a canvas, what is bound there goes before what the page says; `frame` is bound for all pages, and comes last.
 */
export type Scope = 'frame' | 'page' | 'canvas' | 'field';

/**
 * Returns what a key does, undefined: nothing. Keys are named as the browser does (`?`, `Delete`), with `Mod+` for Ctrl or
 * Command (`Mod+k`), and two that are pressed one after the other with a space between (`g s`).
 */
export type FindKey = (name: string) => ((event: KeyboardEvent) => void) | undefined;

/** Marks an element whose keys are those of a canvas. */
export const CANVAS_KEYS = { 'data-keys': 'canvas' };

const FIELDS = 'input, textarea, select, [contenteditable]';
/** Fields that cannot undo: their keys with Ctrl are those of the page. */
const CHOICES = 'select, input[type="checkbox"], input[type="radio"]';
const CANVAS = '[data-keys="canvas"]';
/** While one of these has the focus, single keys of the page below it do nothing. */
const OVER_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';
/** How long the second key of a pair is waited for. */
const PAIR_MS = 1_200;
/** How long a second key that comes too late does nothing: it was not meant by itself. */
const LATE_MS = 5_000;

const bound = new Set<{ scope: Scope; find: FindKey }>();
let first: { name: string; at: number } | undefined;

/** Binds keys in a scope; of two bindings of a key the later one counts. Returns the function that ends that. */
export function bindKeys(scope: Scope, find: FindKey): () => void {
  const binding = { scope, find };
  if (bound.size === 0) addEventListener('keydown', onKey);
  bound.add(binding);
  return () => {
    bound.delete(binding);
    if (bound.size === 0) removeEventListener('keydown', onKey);
  };
}

function onKey(event: KeyboardEvent) {
  const name = nameOf(event);
  const scopes = scopesOf(event.target, name);
  const sinceFirst = first === undefined ? Number.POSITIVE_INFINITY : Date.now() - first.at;
  const pair = sinceFirst < LATE_MS ? found(`${first?.name} ${name}`, scopes) : undefined;
  first = pair !== undefined || scopes[0] === 'field' ? undefined : { name, at: Date.now() };
  if (pair !== undefined && sinceFirst >= PAIR_MS) return;
  const work = pair ?? found(name, scopes);
  if (work === undefined) return;
  event.preventDefault();
  work(event);
}

/** The scopes of a key on an element, the narrowest first. */
function scopesOf(target: EventTarget | null, name: string): readonly [Scope, ...Scope[]] {
  if (!(target instanceof Element)) return ['page', 'frame'];
  const isOfPage = name.startsWith('Mod+') && target.matches(CHOICES);
  if (target.closest(FIELDS) !== null) return isOfPage ? ['field', 'page', 'frame'] : ['field'];
  if (!name.startsWith('Mod+') && isOverPage(target)) return ['frame'];
  return target.closest(CANVAS) === null ? ['page', 'frame'] : ['canvas', 'page', 'frame'];
}

/** Whether the target of a key is in a dialog or a menu. */
export const isOverPage = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(OVER_PAGE) !== null;

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  if (ctrlKey || metaKey) return `Mod+${key.toLowerCase()}`;
  return altKey ? `Alt+${key}` : key;
}

function found(name: string, scopes: readonly Scope[]) {
  const newest = [...bound].toReversed();
  for (const scope of scopes) {
    for (const binding of newest) {
      const work = binding.scope === scope ? binding.find(name) : undefined;
      if (work !== undefined) return work;
    }
  }
  return undefined;
}
