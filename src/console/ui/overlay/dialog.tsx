import './dialog.css';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Button, IconButton } from '../form/button.js';

interface DialogProps {
  title: string;
  /** A sentence under the title. */
  about?: ReactNode;
  /** Absent: nothing closes it but what it is about. */
  onClose?: () => void;
  wide?: boolean;
  /** Escape closes it even with typed text, such as a search. */
  dropsText?: boolean;
  /** Whether a text is in it that was typed before it was opened. */
  isTyped?: boolean;
  /** What is lost by closing it: it is asked first. Escape and a press beside it never close it. */
  loses?: string;
  children: ReactNode;
}

/**
 * A dialog that is open for as long as it is rendered. Escape, a press beside it and the cross close it. Once a text is
 * typed, the cross and the buttons of the dialog alone do.
 */
export function Dialog(props: DialogProps) {
  const { title, about, onClose, wide = false, dropsText = false, loses, children } = props;
  const opener = useRef<Element>(null);
  const isTyped = useRef(props.isTyped === true);
  const [isKept, setKept] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const onInput = ({ target }: FormEvent) => {
    if (!dropsText && holdsText(target)) isTyped.current = true;
  };
  const keepText = (event: Event) => {
    if (!isTyped.current) return;
    event.preventDefault();
    setKept(true);
  };
  const close = () => {
    if (loses !== undefined) setAsked(true);
    else onClose?.();
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-back" />
        <Radix.Content
          className={`dialog ${wide ? 'dialog-wide' : ''}`}
          {...(!about && { 'aria-describedby': undefined })}
          onInput={onInput}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirst(event);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBack(opener.current);
          }}
          onEscapeKeyDown={keepText}
          onPointerDownOutside={keepText}
        >
          <header className="dialog-head">
            <div className="grow">
              <Radix.Title className="dialog-title wrap" title={title}>
                {title}
              </Radix.Title>
              {about !== undefined && <Radix.Description className="soft wrap">{about}</Radix.Description>}
            </div>
            {onClose !== undefined && (
              <Radix.Close asChild>
                <IconButton label="Close">
                  <X />
                </IconButton>
              </Radix.Close>
            )}
          </header>
          {isKept && (
            <p className="dialog-kept warn" role="status">
              You have unsaved input. Press Close again to discard it.
            </p>
          )}
          {isAsked && (
            <div className="dialog-kept row row-wrap" role="alert">
              <span className="warn grow">{loses}</span>
              <Button look="danger" onClick={onClose}>
                Close anyway
              </Button>
            </div>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FIELDS = [
  'input:not([type="checkbox"], [type="radio"], [type="file"], [type="hidden"])',
  'select',
  'textarea',
];
const FIRST_FIELD = FIELDS.map((each) => `${each}:not(:disabled, [readonly])`).join();

/** Focuses the element that is marked as first, else the first field, else Cancel below a question. */
function focusFirst(event: Event) {
  const dialog = event.currentTarget;
  if (!(dialog instanceof HTMLElement)) return;
  const find = (selector: string) => dialog.querySelector<HTMLElement>(selector);
  const first = find('[data-first]') ?? find(FIRST_FIELD) ?? find('.dialog-foot button:not(:disabled)');
  if (first === null) return;
  event.preventDefault();
  first.focus();
  // A name that is only proposed gives way to the first letter.
  if (first instanceof HTMLInputElement) first.select();
}

/** The focus goes back to where it was, unless it has been given elsewhere on purpose. */
function giveBack(opener: Element | null) {
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
}

const NO_TEXTS = new Set(['checkbox', 'file', 'radio', 'range', 'search']);

function holdsText(field: EventTarget): boolean {
  if (field instanceof HTMLInputElement) return !NO_TEXTS.has(field.type);
  return field instanceof HTMLTextAreaElement;
}
