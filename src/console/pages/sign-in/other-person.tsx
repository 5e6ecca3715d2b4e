import './sign-in.css';
import { sentencesOf } from '../../text/problems.js';
import { type Session, signInByLink } from '../../api/session-api.js';
import { useMutation } from '../../api/use-mutation.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';

/** Asks before the link of somebody else ends the session of this browser: nobody is to work as another person unseen. */
export function OtherPerson(props: { session: Session; token: string; onStay: () => void }) {
  const { session, token, onStay } = props;
  useTitle('Sign in');
  const entering = useMutation({
    mutationFn: () => signInByLink(token, true),
    // Nothing that was loaded for the person before may stay.
    onSuccess: () => location.reload(),
    meta: { quiet: true },
  });
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>Sign in as a different user?</h1>
        {entering.error !== null && (
          <div className="sign-in-error wrap" role="alert">
            {sentencesOf(entering.error).join(' ')}
          </div>
        )}
        <p className="wrap">
          You are signed in as {session.user.email}, but the link is for another user. Continue only if you
          trust the sender.
        </p>
        <Button look="main" onClick={onStay}>
          Stay signed in
        </Button>
        <Button disabled={entering.isPending} onClick={() => entering.mutate()}>
          Sign out and continue
        </Button>
      </div>
    </main>
  );
}
