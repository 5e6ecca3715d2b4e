import './explained.css';
import { Tooltip } from 'radix-ui';
import { type ReactNode, useState } from 'react';

const DELAY_MS = 250;

/** A word that explains itself when the pointer rests on it, when it has the focus, and when it is pressed. */
export function Explained({ children, by }: { children: ReactNode; by: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Tooltip.Provider delayDuration={DELAY_MS}>
      <Tooltip.Root open={open} onOpenChange={setOpen}>
        <Tooltip.Trigger asChild>
          <button
            type="button"
            className="explained"
            onClick={(event) => {
              // A press would close it, and on a telephone nothing else opens it.
              event.preventDefault();
              setOpen(true);
            }}
          >
            {children}
          </button>
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content className="tooltip" sideOffset={5} collisionPadding={8}>
            {by}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
