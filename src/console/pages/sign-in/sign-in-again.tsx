import './sign-in.css';
import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/keys.js';
import type { Session } from '../../api/session-api.js';
import { forgetTexts } from '../../api/use-kept-text.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { SignInForm } from './sign-in-form.js';

/** Asks a person whose session has ended to sign in again, over the page with all that is typed in it. */
export function SignInAgain({ session, onIn }: { session: Session; onIn: () => void }) {
  const client = useQueryClient();
  const enter = (now: Session | null) => {
    if (now === null) return;
    if (now.user.id !== session.user.id) {
      // Nothing that was loaded or typed by the person before may stay.
      forgetTexts();
      return location.reload();
    }
    client.setQueryData(keys.session, now);
    onIn();
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.session[0] });
  };
  return (
    <Dialog
      title="Your session has ended"
      about="Sign in to continue. The page and what you typed are still here. If you just pressed a button, press it again."
    >
      <div className="dialog-body">
        <SignInForm email={session.user.email} onIn={enter} />
      </div>
    </Dialog>
  );
}
