import './sign-in.css';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { type Session, setPassword } from '../../api/session-api.js';
import { keys } from '../../api/keys.js';
import { sendAs } from '../../api/send-to.js';
import { useMutation } from '../../api/use-mutation.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Field } from '../../ui/form/field.js';
import { focusFirst } from '../../ui/form/focus-first.js';
import { textIn } from '../../ui/form/form-text.js';
import { say } from '../../ui/overlay/toasts.js';
import { NewPasswordInput } from '../../ui/form/new-password-input.js';
import { SignInForm } from './sign-in-form.js';

/** Asks who comes: by mail address and password, or by an API key. */
export function SignInPage({ error }: { error: unknown }) {
  useTitle('Sign in');
  const [resetToken, setResetToken] = useState(() => new URLSearchParams(location.search).get('reset'));
  const client = useQueryClient();
  const enter = (session: Session | null) => {
    if (session !== null) sendAs(session.user.id);
    client.setQueryData(keys.session, session);
  };
  if (resetToken !== null) return <NewPassword token={resetToken} onDone={() => setResetToken(null)} />;
  return (
    <main className="sign-in">
      <div className="sign-in-card" ref={focusFirst}>
        <img src="icon.svg" alt="" />
        <h1>Sign in to Fabula</h1>
        <SignInForm error={error} onIn={enter} />
      </div>
    </main>
  );
}

/** Sets a password by the token of a mail. */
function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
  const setting = useMutation({
    mutationFn: (password: string) => setPassword({ token, password }),
    onSuccess: () => {
      history.replaceState(null, '', new URL('.', document.baseURI));
      say('Password set. You can now sign in.');
      onDone();
    },
    meta: { quiet: true },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setting.mutate(textIn(event.currentTarget, 'password'));
  };
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="sign-in-card" ref={focusFirst}>
        <img src="icon.svg" alt="" />
        <h1>Set a password</h1>
        {setting.error !== null && (
          <div className="sign-in-error wrap" role="alert">
            {sentencesOf(setting.error).join(' ')}
          </div>
        )}
        <Field name="New password" note="At least 12 characters">
          <NewPasswordInput />
        </Field>
        <Button type="submit" look="main" disabled={setting.isPending}>
          Set password
        </Button>
      </form>
    </main>
  );
}
