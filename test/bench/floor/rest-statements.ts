/*
 * The statements of the product's routes, word for word, as its server's general log shows them: who asks (two
 * statements, before every route), then the route's own, then, of writes, the audit entry.
 */
export const ACTOR = {
  key: `
  SELECT k.digest, k.id AS keyId, k.kind, k.tenant_id AS tenantId, k.user_id AS userId, k.team_id AS keyTeamId,
         u.email AS userEmail, u.is_owner AS isOwner
  FROM api_keys k JOIN users u ON u.id = k.user_id AND u.tenant_id = k.tenant_id
  WHERE k.digest IN (?) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > NOW(3))
    AND u.deactivated_at IS NULL`,
  roles: `
  SELECT m.user_id AS userId, t.id AS teamId, m.role
  FROM memberships m JOIN users u ON u.id = m.user_id
    JOIN teams t ON t.id = m.team_id AND t.tenant_id = u.tenant_id
  WHERE m.user_id IN (?) ORDER BY m.id`,
};

const RECORD = `r.id, r.record_type_id AS typeId, r.team_id AS teamId, r.story_id AS storyId, r.story_name AS storyName, r.story_run_guid AS storyRunGuid, (SELECT p.id FROM records p JOIN record_types pt ON pt.id = p.record_type_id WHERE p.id = r.parent_id) AS parentId, r.test_mode AS testMode, r.data, r.created_at AS createdAt, r.updated_at AS updatedAt`;
const LIVING = 'records r JOIN record_types t ON t.id = r.record_type_id';
const TYPE =
  'id, tenant_id AS tenantId, team_id AS teamId, name, editable, ttl_days AS ttlDays FROM record_types';

export const TYPES = {
  one: `SELECT ${TYPE} WHERE id = ? AND tenant_id = ?`,
  held: `SELECT ${TYPE} WHERE id = ? AND tenant_id = ? LOCK IN SHARE MODE`,
  some: `SELECT ${TYPE} WHERE id IN (?)`,
  fields: `SELECT id, record_type_id AS typeId, name, result_type AS resultType, fixed_values AS fixedValues, source, complete
     FROM record_fields WHERE record_type_id IN (?) ORDER BY id`,
};

export const RECORDS = {
  one: `SELECT ${RECORD} FROM ${LIVING} WHERE r.id = ? AND t.tenant_id = ?`,
  children: `SELECT ${RECORD} FROM ${LIVING} WHERE r.parent_id = ? ORDER BY r.id`,
  cases: `SELECT cr.case_id AS id FROM case_records cr JOIN records r ON r.id = cr.record_id
     JOIN cases c ON c.id = cr.case_id AND c.team_id = r.team_id WHERE cr.record_id = ? ORDER BY cr.case_id`,
  count:
    'SELECT CAST(COALESCE(SUM(records), 0) AS SIGNED) AS n FROM record_counts WHERE record_type_id = ? AND test_mode = ?',
  page: `SELECT STRAIGHT_JOIN r.id AS id FROM records r FORCE INDEX (records_list) WHERE r.record_type_id = ? AND r.test_mode = ?
     ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?`,
  some: `SELECT ${RECORD} FROM records r WHERE r.id IN (?)`,
  insert:
    'INSERT INTO records (record_type_id, team_id, story_id, story_name, story_run_guid, parent_id, test_mode, data) VALUES ?',
  insertValues: 'INSERT INTO record_values (record_id, field_id, test_mode, sort_key, full_text) VALUES ?',
  insertCount: `INSERT INTO record_counts (record_type_id, test_mode, shard, records) VALUES ?
     ON DUPLICATE KEY UPDATE records = records + VALUES(records)`,
};

const CASE =
  'c.id, c.tenant_id AS tenantId, c.team_id AS teamId, c.name, c.description, c.status, c.priority, c.metadata,' +
  ' c.closure_conditions AS closureConditions, c.author_id AS authorId, c.opened_by_id AS openedById,' +
  ' c.resolved_by_id AS resolvedById, c.opened_at AS openedAt, c.resolved_at AS resolvedAt,' +
  ' c.created_at AS createdAt, c.updated_at AS updatedAt FROM cases c';
const ATTACHED =
  'case_records cr JOIN cases c ON c.id = cr.case_id' +
  ' JOIN records r ON r.id = cr.record_id AND r.team_id = c.team_id JOIN record_types t ON t.id = r.record_type_id';

export const CASES = {
  team: 'SELECT id FROM teams WHERE id = ? LOCK IN SHARE MODE',
  hold: 'INSERT INTO team_holds (team_id, shard) VALUES ? ON DUPLICATE KEY UPDATE claims = claims + 1',
  insert:
    'INSERT INTO cases (tenant_id, team_id, name, description, status, priority, metadata, closure_conditions, author_id, opened_by_id, opened_at, resolved_at) VALUES (?)',
  assign: 'INSERT INTO case_assignees (case_id, user_id) VALUES ?',
  one: `SELECT ${CASE} WHERE c.id = ? AND c.tenant_id = ?`,
  note: 'INSERT INTO case_activities (case_id, activity_type, value, user_id) VALUES (?)',
  tell: `INSERT INTO case_notifications (case_id, activity_id, subscriber_id, user_id)
     SELECT case_id, ?, id, user_id FROM case_subscribers
     WHERE case_id = ? AND (user_id IS NULL OR user_id <> ?) ORDER BY id`,
  touch: 'UPDATE cases SET updated_at = NOW(3) WHERE id = ?',
  some: `SELECT ${CASE} WHERE c.id IN (?) ORDER BY c.id`,
  teams: 'SELECT id, name FROM teams WHERE id IN (?)',
  users:
    'SELECT u.id, u.first_name AS firstName, u.last_name AS lastName, u.email, u.avatar_url AS avatarUrl,' +
    ' u.is_service_account AS isServiceAccount FROM users u WHERE u.id IN (?)',
  linked:
    'SELECT l.case_id AS caseId, c.id, c.name FROM case_links l JOIN cases c ON c.id = l.linked_case_id' +
    ' WHERE l.case_id IN (?) AND c.team_id IN (?) ORDER BY l.id',
  /** Rows that belong to the cases, each kind read by their ids. */
  parts: [
    'SELECT case_id AS caseId, user_id AS userId FROM case_assignees WHERE case_id IN (?) ORDER BY id',
    'SELECT ct.case_id AS caseId, t.id, t.name FROM case_tags ct JOIN tags t ON t.id = ct.tag_id' +
      ' WHERE ct.case_id IN (?) ORDER BY ct.id',
    '(SELECT id, case_id AS caseId, activity_type AS activityType, value, user_id AS userId, created_at AS createdAt' +
      ' FROM case_activities WHERE case_id = ? ORDER BY id LIMIT 20)',
    'SELECT case_id AS caseId, COUNT(*) AS n FROM case_activities WHERE case_id IN (?) GROUP BY case_id',
    'SELECT case_id AS caseId, id, url, label, action_type AS actionType FROM case_actions' +
      ' WHERE case_id IN (?) ORDER BY id',
    `(SELECT cr.case_id AS caseId, cr.record_id AS recordId FROM ${ATTACHED} WHERE cr.case_id = ? ORDER BY cr.record_id LIMIT 20)`,
    `SELECT cr.case_id AS caseId, COUNT(*) AS n FROM ${ATTACHED} WHERE cr.case_id IN (?) GROUP BY cr.case_id`,
  ],
};

export const AUDIT =
  'INSERT INTO audit_logs (guid, tenant_id, team_id, user_id, user_email, key_id, action, target_type, target_id,' +
  ' method, path, ip, user_agent, request_id, created_at) VALUES (?)';
