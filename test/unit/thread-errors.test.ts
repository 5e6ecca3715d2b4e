import { NotFound } from '../../src/platform/errors.js';
import { packError, unpackError } from '../../src/platform/threads/thread-errors.js';

test('an error keeps its class between threads, whatever a bundle calls that class', () => {
  const own = Object.getOwnPropertyDescriptor(NotFound, 'name')!;
  Object.defineProperty(NotFound, 'name', { ...own, value: 'NotFound2' });
  try {
    const error = unpackError(packError(new NotFound('Story')));
    expect(error).toBeInstanceOf(NotFound);
    expect(error).toMatchObject({ message: 'Story not found', status: 404 });
  } finally {
    Object.defineProperty(NotFound, 'name', own);
  }
});
