import { ObjectMissing, type ObjectStore } from '../../src/platform/objects/object-store.js';

/** Objects in memory, with the names of all that were read. */
export function memoryObjects() {
  const objects = new Map<string, Buffer>();
  const reads: string[] = [];
  const store: ObjectStore = {
    place: 'memory',
    put(name, bytes) {
      objects.set(name, bytes);
      return Promise.resolve();
    },
    read(name, range) {
      reads.push(name);
      const bytes = objects.get(name);
      if (bytes === undefined) return Promise.reject(new ObjectMissing(name));
      return Promise.resolve(range ? bytes.subarray(range.offset, range.offset + range.length) : bytes);
    },
    async *list(folder) {
      for (const [name, bytes] of objects) if (name.startsWith(folder)) yield { name, bytes: bytes.length };
    },
    remove(name) {
      objects.delete(name);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return { store, objects, reads };
}
