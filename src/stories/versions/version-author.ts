import Joi from 'joi';
import { idSchema } from '../../api/face.js';

/** The author of a version, as the store reads it. Names and address are null once the user is gone. */
export interface VersionAuthor {
  userId: number;
  userEmail: string | null;
  userFirstName: string | null;
  userLastName: string | null;
}

/** The schema of `presentAuthor`. */
export const authorSchema = Joi.object({
  id: idSchema,
  first_name: Joi.string().allow(''),
  last_name: Joi.string().allow(''),
  email: Joi.string().allow(''),
});

/** The author of a version in a response. */
export function presentAuthor({ userId, userEmail, userFirstName, userLastName }: VersionAuthor) {
  return {
    id: userId,
    first_name: userFirstName ?? '',
    last_name: userLastName ?? '',
    email: userEmail ?? '',
  };
}
