import { eventually } from '../support/eventually.js';
import { describeGalera } from '../support/galera/describe-galera.js';
import type { GaleraNode } from '../support/galera/galera-node.js';

const LIMIT_MS = 240_000;

const rowsOn = async (node: GaleraNode) =>
  (await node.ask('SELECT id FROM fabula.kept ORDER BY id')).map(({ id }) => id);

describeGalera('a Galera cluster for tests', (galera) => {
  test(
    'gives a node that was killed what it has missed, and keeps a step of ids that was set by hand',
    async () => {
      const [first, second, third] = galera().nodes;
      await first.ask('CREATE TABLE fabula.kept (id INT PRIMARY KEY)');
      await first.ask('INSERT INTO fabula.kept VALUES (1)');
      await third.kill();
      await second.ask('INSERT INTO fabula.kept VALUES (2)');
      await third.start();
      await eventually(async () => (await rowsOn(third)).length === 2);
      expect(await rowsOn(third)).toEqual([1, 2]);

      await first.setIdStep(7, 2);
      expect(await first.ask('SELECT @@GLOBAL.auto_increment_increment AS step')).toEqual([{ step: 7 }]);
      await third.stop();
      expect(await first.ask('SELECT @@GLOBAL.auto_increment_increment AS step')).toEqual([{ step: 7 }]);
    },
    LIMIT_MS,
  );
});
