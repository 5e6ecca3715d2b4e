import './menu.css';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

interface MenuProps {
  button: ReactNode;
  /** Is called once it is closed; what prevents the event's default gives the focus to something else than the button. */
  onClosed?: (event: Event) => void;
  /** Whether it is open, where something else than its button opens it, too; `onOpen` is told of each change. */
  isOpen?: boolean;
  onOpen?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A menu that opens at a button. */
export function Menu({ button, onClosed, isOpen, onOpen, children }: MenuProps) {
  return (
    <Radix.Root
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpen !== undefined && { onOpenChange: onOpen })}
    >
      <Radix.Trigger asChild>{button}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          {...(onClosed !== undefined && { onCloseAutoFocus: onClosed })}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** One thing that a menu does. */
export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }) {
  return (
    <Radix.Item className="menu-item" onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

/** Something that is on or off; the menu stays open. */
export function MenuTick(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  const { checked, onChange, children } = props;
  return (
    <Radix.CheckboxItem
      className="menu-item"
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="menu-mark">
        <Radix.ItemIndicator>✓</Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

/** A heading inside a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="menu-label">{children}</Radix.Label>;
}

/** A choice of one. */
export function MenuChoice(props: {
  value: string;
  options: [string, string][];
  onChoose: (value: string) => void;
}) {
  const { value, options, onChoose } = props;
  return (
    <Radix.RadioGroup value={value} onValueChange={onChoose}>
      {options.map(([key, name]) => (
        <Radix.RadioItem key={key} value={key} className="menu-item">
          <span className="menu-mark">
            <Radix.ItemIndicator>•</Radix.ItemIndicator>
          </span>
          {name}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** A line between parts of a menu. */
export const MenuLine = () => <Radix.Separator className="menu-line" />;
