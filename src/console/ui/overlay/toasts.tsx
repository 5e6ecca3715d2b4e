import './toasts.css';
import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { Button, IconButton } from '../form/button.js';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  text: string;
  /** What the person may do about it, such as undo it. */
  action?: ToastAction | undefined;
}

/** A button of a message. */
interface ToastAction {
  name: string;
  onDo: () => void;
}

const MOST = 4;
const SHOWN_MS = 6_000;
/** A message with a button stays for as long as it takes to see what one has done. */
const ACTION_MS = 30_000;

let toasts: readonly Toast[] = [];
let last = 0;
const watchers = new Set<() => void>();

/** Tells the person of something that happened, once if it is told again; a failure stays until it is closed. */
export function say(text: string, tone: Toast['tone'] = 'ok', action?: ToastAction) {
  last += 1;
  const others = toasts.filter(
    (toast) => toast.text !== text || toast.tone !== tone || toast.action !== undefined,
  );
  change([...others, { id: last, tone, text, action }].slice(-MOST));
}

function change(next: readonly Toast[]) {
  toasts = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** All toasts, at the lower edge; F8 leads to them. */
export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts);
  return (
    <Radix.Provider duration={SHOWN_MS}>
      {shown.map(({ id, tone, text, action }) => (
        <Radix.Root
          key={id}
          className={`toast ${tone}`}
          {...(action !== undefined && { duration: ACTION_MS })}
          {...(tone === 'bad' && { duration: Number.POSITIVE_INFINITY })}
          onOpenChange={(open) => !open && change(toasts.filter((toast) => toast.id !== id))}
        >
          <Radix.Description className="grow wrap">{text}</Radix.Description>
          {action !== undefined && (
            <Radix.Action asChild altText={`${action.name}: ${text}`}>
              <Button onClick={action.onDo}>{action.name}</Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <IconButton label="Close">
              <X />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" label="Messages ({hotkey})" />
    </Radix.Provider>
  );
}
