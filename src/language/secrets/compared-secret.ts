import { holdsReference } from '../../platform/secrets/secret-reference.js';
import { holdsSignature, SECRET_CHECKS } from '../../platform/secrets/secret-signature.js';
import { TemplateError } from '../../platform/text/template-error.js';

/**
 * A signature that a credential is the key of does not exist before it is sent, so that it equals nothing.
 * @throws TemplateError for such a value.
 */
export function refuseSignatures(...values: unknown[]): void {
  if (values.some((value) => typeof value === 'string' && holdsReference(value) && holdsSignature(value))) {
    throw new TemplateError(`a signature made with a credential cannot be compared: use ${SECRET_CHECKS}`);
  }
}
