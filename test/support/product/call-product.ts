import type { Door } from './door.js';

/** The call that the Jest environment gives to each test file (`environment.js`). Input and output are JSON. */
type CallProduct = (
  name: string,
  input: string,
) => Promise<{ output?: string; error?: string; stack?: string }>;

/**
 * Calls the test product of this Jest worker, and starts it at the first call.
 * @throws what the call throws there, by its message
 */
export async function callProduct<Name extends keyof Door>(
  name: Name,
  ...[input]: Parameters<Door[Name]>
): Promise<ReturnType<Door[Name]>> {
  const { callFabulaProduct: call } = globalThis as { callFabulaProduct?: CallProduct };
  if (call === undefined)
    throw new Error('Tests that start Fabula need the environment of test/support/product');
  const { output, error, stack } = await call(name, JSON.stringify(input));
  if (error !== undefined) throw new Error(error, { cause: stack });
  return (output === undefined ? undefined : JSON.parse(output)) as ReturnType<Door[Name]>;
}
