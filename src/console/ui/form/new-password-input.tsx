import { Input } from './field.js';

/** Shows the input `password` for a new password, with the lengths that the server takes. */
export function NewPasswordInput() {
  return (
    <Input
      name="password"
      type="password"
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={200}
    />
  );
}
