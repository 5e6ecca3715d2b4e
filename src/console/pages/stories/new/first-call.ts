/** A call to begin with, for somebody who has none at hand. */
export const FIRST_CALL = `curl https://example.com/hook -H 'Content-Type: application/json' -d '{"name": "Ada", "city": "London"}'`;
