import './sign-in.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { askForReset, type Proof, readSession, setPassword, signIn } from '../../api/session-api.js';
import { keys } from '../../api/keys.js';
import { sendAs } from '../../api/send-to.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { say } from '../../ui/overlay/toasts.js';
import { NewPasswordInput } from '../../ui/form/new-password-input.js';

/** Asks who comes: by mail address and password, or by an API key. */
export function SignInPage({ error }: { error: unknown }) {
  useTitle('Sign in');
  const [byKey, setByKey] = useState(false);
  const [email, setEmail] = useState('');
  const [resetToken, setResetToken] = useState(() => new URLSearchParams(location.search).get('reset'));
  const client = useQueryClient();
  const entering = useMutation({
    mutationFn: async (proof: Proof) => {
      await signIn(proof);
      return readSession();
    },
    onSuccess: (session) => {
      if (session !== null) sendAs(session.user.id);
      client.setQueryData(keys.session, session);
    },
    meta: { quiet: true },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = (name: string) => textIn(form, name);
    entering.mutate(
      byKey ? { api_key: text('api_key').trim() } : { email: email.trim(), password: text('password') },
    );
  };
  const forgot = async () => {
    await askForReset(email.trim());
    say('If this address has an account and mail is configured, you will receive a link.');
  };
  if (resetToken !== null) return <NewPassword token={resetToken} onDone={() => setResetToken(null)} />;
  const failure = entering.error ?? error;
  return (
    <main className="sign-in">
      <form onSubmit={submit} className="sign-in-card">
        <img src="icon.svg" alt="" />
        <h1>Sign in to Fabula</h1>
        {failure !== undefined && failure !== null && (
          <div className="sign-in-error wrap" role="alert">
            {sentencesOf(failure).join(' ')}
          </div>
        )}
        {byKey ? (
          <Field name="API key">
            <Input key="key" name="api_key" type="password" autoComplete="off" required />
          </Field>
        ) : (
          <>
            <Field name="Email address">
              <Input
                name="email"
                type="email"
                autoComplete="username"
                required
                value={email}
                onChange={({ target }) => setEmail(target.value)}
              />
            </Field>
            <Field name="Password">
              <Input
                key="password"
                name="password"
                type="password"
                autoComplete="current-password"
                required
              />
            </Field>
          </>
        )}
        <Button type="submit" look="main" disabled={entering.isPending}>
          {entering.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
        <div className="row row-wrap">
          <Button look="quiet" onClick={() => setByKey(!byKey)}>
            {byKey ? 'Use a password' : 'Use an API key'}
          </Button>
          {!byKey && (
            <Button
              look="quiet"
              disabled={email.trim() === ''}
              onClick={() => void forgot().catch(showFailure)}
            >
              Forgot password?
            </Button>
          )}
        </div>
        <p className="faint">
          On the server machine, <code>fabula login-link</code> prints a sign-in link.
        </p>
      </form>
    </main>
  );
}

const showFailure = (error: unknown) => say(sentencesOf(error).join(' '), 'bad');

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
      <form onSubmit={submit} className="sign-in-card">
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
