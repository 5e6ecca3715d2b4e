import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { setPassword } from '../../api/session-api.js';
import { Button } from '../../ui/form/button.js';
import { Field } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { NewPasswordInput } from '../../ui/form/new-password-input.js';
import { say } from '../../ui/overlay/toasts.js';

/** Sets a password by the token of a mail. */
export function NewPassword({ token, onDone }: { token: string; onDone: () => void }) {
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
