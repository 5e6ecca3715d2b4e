import './sessions.css';
import { Link } from 'wouter';
import type { FormEvent } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { setPassword } from '../../api/session-api.js';
import { useSession } from '../../api/signed-in.js';
import { useMutation } from '../../api/use-mutation.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { Field, Input } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { NewPasswordInput } from '../../ui/form/new-password-input.js';
import { say } from '../../ui/overlay/toasts.js';
import { SessionTable } from './session-table.js';

/** The person's own sessions: which browsers are signed in, each with a way to end it. */
export function SessionsPage() {
  useTitle('Sessions');
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Your sessions</h1>
        <Link href="/team?tab=keys">Your API keys</Link>
      </header>
      <SessionTable />
      <PasswordCard />
    </div>
  );
}

/** Sets the person's own password; whoever has one gives it too. */
function PasswordCard() {
  const { user } = useSession();
  const setting = useMutation({
    mutationFn: setPassword,
    onSuccess: () => say('Password changed.'),
    // A wrong password is refused as a session that has ended is.
    meta: { quiet: true },
    onError: (error) => say(sentencesOf(error).join(' '), 'bad'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const current = textIn(form, 'current');
    const given = {
      password: textIn(form, 'password'),
      ...(current !== '' && { current_password: current }),
    };
    setting.mutate(given, { onSuccess: () => form.reset() });
  };
  return (
    <Card title="Password">
      <form onSubmit={submit} className="password-form">
        {user.has_password && (
          <Field name="Current password">
            <Input name="current" type="password" autoComplete="current-password" required />
          </Field>
        )}
        <Field name="New password (at least 12 characters)">
          <NewPasswordInput />
        </Field>
        <Button type="submit" disabled={setting.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  );
}
