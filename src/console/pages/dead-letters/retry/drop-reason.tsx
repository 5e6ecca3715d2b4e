import { Field, Input } from '../../../ui/form/field.js';

interface DropReasonProps {
  reason: string;
  onReason: (reason: string) => void;
}

/** Longest reason that the API takes. */
const MAX_REASON_CHARS = 500;

/** Why letters are dropped, for those who read the audit log later. */
export function DropReason({ reason, onReason }: DropReasonProps) {
  return (
    <div className="dialog-body">
      <Field name="Reason" note="Optional. Recorded in the audit log.">
        <Input
          value={reason}
          maxLength={MAX_REASON_CHARS}
          onChange={({ currentTarget }) => onReason(currentTarget.value)}
        />
      </Field>
    </div>
  );
}

/** Returns the body of a request that drops letters. */
export function dropBody(reason: string): { reason?: string } {
  return reason.trim() === '' ? {} : { reason: reason.trim() };
}
