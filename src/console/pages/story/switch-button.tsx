import { Button } from '../../ui/form/button.js';
import { type Guard, GUARD_WORDS } from './story-guards.js';

interface SwitchButtonProps {
  action: { name: string; disabled: boolean };
  /** Why the story lets nobody change the action; undefined: it does. */
  guard: Guard | undefined;
  isBusy: boolean;
  onSwitch: (disabled: boolean) => void;
}

/** Enables or disables an action; that of a guarded story says why it does not. */
export function SwitchButton({ action, guard, isBusy, onSwitch }: SwitchButtonProps) {
  const word = action.disabled ? 'Enable' : 'Disable';
  return (
    <Button
      aria-label={`${word} ${action.name}`}
      disabled={isBusy || guard !== undefined}
      title={guard === undefined ? `${word} the action` : GUARD_WORDS[guard]}
      onClick={() => onSwitch(!action.disabled)}
    >
      {word}
    </Button>
  );
}
