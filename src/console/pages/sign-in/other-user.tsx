import './sign-in.css';
import { Button } from '../../ui/form/button.js';
import { useTitle } from '../../ui/browser/use-title.js';

/** Takes the place of a page after another person has signed in in this browser: nobody is to work as somebody else unseen. */
export function OtherUser({ email }: { email: string }) {
  useTitle('Another user is signed in');
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>Another user is signed in</h1>
        <p className="wrap">
          <bdi>{email}</bdi> signed in with this browser after this page was loaded. Nothing was saved in
          their name. Unsaved changes of a story stay in this browser for the user who made them.
        </p>
        <Button look="main" onClick={() => location.reload()}>
          Continue
        </Button>
      </div>
    </main>
  );
}
