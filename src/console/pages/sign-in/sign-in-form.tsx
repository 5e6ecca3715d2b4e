import { type FormEvent, useState } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { askForReset, type Proof, readSession, type Session, signIn } from '../../api/session-api.js';
import { useMutation } from '../../api/use-mutation.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { say } from '../../ui/overlay/toasts.js';

interface SignInFormProps {
  /** The address to begin with. */
  email?: string;
  /** Why another way to sign in failed. */
  error?: unknown;
  onIn: (session: Session | null) => void;
}

/** The fields and buttons by which a person signs in: mail address and password, or an API key. */
export function SignInForm({ email: given = '', error, onIn }: SignInFormProps) {
  const [byKey, setByKey] = useState(false);
  const [email, setEmail] = useState(given);
  const entering = useMutation({
    mutationFn: async (proof: Proof) => {
      await signIn(proof);
      return readSession();
    },
    onSuccess: onIn,
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
  const failure = entering.error ?? error;
  return (
    <form onSubmit={submit} className="sign-in-form">
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
              {...(given !== '' && { 'data-first': true })}
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
  );
}

const showFailure = (error: unknown) => say(sentencesOf(error).join(' '), 'bad');
