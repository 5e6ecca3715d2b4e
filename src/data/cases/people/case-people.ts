import type { Session } from '../../../platform/mysql/session.js';
import { type Problem, Unprocessable } from '../../../platform/errors.js';
import { firstProblems } from '../../../platform/validation/validate.js';
import type { CaseUser } from '../case.js';
import { usersByEmail } from './case-people-store.js';

type Emails = string | readonly (string | undefined)[] | null | undefined;

/** E-mail addresses of a body by their field: a list, or one. Empty texts and null are ignored. */
export type EmailFields = Record<string, Emails>;

/** An address and its field in the body. */
interface EmailPlace {
  email: string;
  details: string;
}

export interface People {
  /** Returns the users with these addresses, each once, in the same order. Skips unknown addresses. */
  of(emails: readonly string[]): CaseUser[];
  /** The addresses of the body, with their fields. */
  places: EmailPlace[];
  /** One problem for each address that no user of the tenant has. */
  problems: Problem[];
}

/** Looks up the users that a body names. */
export async function findPeople(fields: EmailFields, tenantId: number, session: Session): Promise<People> {
  const places = Object.entries(fields).flatMap(([field, value]) => placesOf(field, value));
  const users = await usersByEmail(
    places.map(({ email }) => email),
    tenantId,
    session,
  );
  const problems = places
    .filter(({ email }) => !users.has(email.toLowerCase()))
    .map(({ email, details }) => ({ message: `No user has the address ${email}`, details }));
  return {
    places,
    problems,
    of: (emails) => [...new Set(emails.flatMap((email) => users.get(email.toLowerCase()) ?? []))],
  };
}

function placesOf(field: string, value: Emails): EmailPlace[] {
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') return [{ email: value, details: field }];
  return value.flatMap((email, index) =>
    email === undefined ? [] : [{ email, details: `${field}[${index}]` }],
  );
}

/** @throws Unprocessable with all problems, if there are any. */
export function refuseCasePeople(problems: Problem[]): void {
  if (problems.length > 0) throw new Unprocessable(firstProblems(problems));
}
