import './dialog.css';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from '../form/button.js';

interface DialogProps {
  title: string;
  /** A sentence under the title. */
  about?: ReactNode;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog that is open for as long as it is rendered. Escape and the cross close it. */
export function Dialog({ title, about, onClose, wide = false, children }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-back" />
        <Radix.Content
          className={`dialog ${wide ? 'dialog-wide' : ''}`}
          {...(!about && { 'aria-describedby': undefined })}
        >
          <header className="dialog-head">
            <div className="grow">
              <Radix.Title className="dialog-title wrap" title={title}>
                {title}
              </Radix.Title>
              {about !== undefined && <Radix.Description className="soft wrap">{about}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
