import { unboundTables } from '../support/statement-bounds.js';

describe('the check of statements for their tenant', () => {
  it.each([
    ['a key that is compared with a value', 'SELECT * FROM stories WHERE tenant_id = ?'],
    ['a list', 'SELECT * FROM events e WHERE e.story_id IN (?)'],
    [
      'a key of a table that is bound',
      'SELECT 1 FROM stories s JOIN agents a ON a.story_id = s.id WHERE s.team_id IN (1, 2)',
    ],
    [
      'the same the other way round',
      'SELECT 1 FROM agents a JOIN stories s ON a.story_id = s.id WHERE s.id = 7',
    ],
    [
      'rows that are given',
      "DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v STRAIGHT_JOIN deliveries d ON d.id = v.id",
    ],
    [
      'a SELECT around it',
      'SELECT id, (SELECT MAX(e.id) FROM events e WHERE e.story_run_guid = r.guid) AS last FROM story_runs r WHERE r.guid = ?',
    ],
    [
      'a SELECT inside it',
      'SELECT * FROM teams WHERE id IN (SELECT m.team_id FROM memberships m WHERE m.user_id = ?)',
    ],
    ['rows that are inserted', "INSERT INTO stories (tenant_id, name) VALUES (1, 'FROM events')"],
    [
      'rows that are given with their values',
      "UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$.id', state VARCHAR(8) PATH '$.s')) v STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id SET d.state = v.state WHERE d.generation = 1",
    ],
    [
      'columns with names of tables',
      'INSERT INTO tenant_usage (tenant_id, day, events) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE events = events + VALUES(events)',
    ],
    [
      'a walk up that begins with a value',
      'WITH RECURSIVE line (id, parent_id) AS (SELECT id, parent_id FROM records WHERE id = ? UNION ALL SELECT r.id, r.parent_id FROM line JOIN records r ON r.id = line.parent_id) SELECT id FROM line',
    ],
    ['pairs', 'DELETE FROM case_links WHERE (case_id, linked_case_id) IN ((?, ?), (?, ?))'],
    ['tables that belong to nobody', 'SELECT value FROM settings'],
  ])('takes %s', (_what, sql) => {
    expect(unboundTables(sql)).toEqual([]);
  });

  it.each([
    ['no condition', 'SELECT id FROM stories ORDER BY id LIMIT 10', ['stories']],
    ['a name', 'SELECT id FROM stories s WHERE s.name LIKE ?', ['stories']],
    ['a walk', 'SELECT id FROM events WHERE id > ? ORDER BY id LIMIT 5', ['events']],
    [
      'rows that are due',
      `SELECT id, story_id AS storyId FROM deliveries WHERE state = ? AND due_at <= NOW(3)
       ORDER BY due_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
      ['deliveries'],
    ],
    ['a state', "UPDATE deliveries SET story_id = 1 WHERE state = 'due' LIMIT 3", ['deliveries']],
    [
      'a join of two that are free',
      'SELECT 1 FROM agents a JOIN stories s ON s.id = a.story_id',
      ['agents', 'stories'],
    ],
    [
      'a SELECT inside one that is free',
      'SELECT (SELECT COUNT(*) FROM links l WHERE l.story_id = s.id) FROM stories s',
      ['links', 'stories'],
    ],
    [
      'the free part of a UNION',
      'SELECT id FROM teams WHERE tenant_id = 1 UNION ALL SELECT id FROM users',
      ['users'],
    ],
    ['a DELETE of old rows', 'DELETE FROM audit_logs WHERE created_at < NOW() LIMIT 9', ['audit_logs']],
  ])('finds %s', (_what, sql, tables) => {
    expect(unboundTables(sql)).toEqual(tables);
  });
});
