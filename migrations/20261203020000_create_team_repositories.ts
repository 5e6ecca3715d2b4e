import type { Knex } from 'knex';

const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/**
 * The git repository of a team (decision 0109): its address, and where the last sync ended. `lease_*` belong to the process
 * that syncs. For each story: the place of its files, and digests of what both sides had in common (`digest`), of what was pushed and
 * is not seen in the branch yet, and of what its waiting draft was made of. Their contents are snapshots in `repository_bases`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS team_repositories (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    credential_id BIGINT UNSIGNED NULL,
    url VARCHAR(1000) ${TEXT} NOT NULL,
    branch VARCHAR(200) ${TEXT} NOT NULL,
    folder VARCHAR(500) ${TEXT} NOT NULL,
    direction VARCHAR(8) ${ASCII} NOT NULL,
    way VARCHAR(16) ${ASCII} NOT NULL,
    layout VARCHAR(8) ${ASCII} NOT NULL,
    format VARCHAR(8) ${ASCII} NOT NULL,
    host_keys TEXT ${TEXT} NOT NULL,
    commit_id VARCHAR(64) ${ASCII} NULL,
    failures INT UNSIGNED NOT NULL DEFAULT 0,
    last_error VARCHAR(2000) ${TEXT} NULL,
    last_report MEDIUMTEXT ${TEXT} NULL,
    lease_holder CHAR(36) ${ASCII} NULL,
    lease_until DATETIME(3) NULL,
    started_at DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    next_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY team_repositories_team (team_id),
    KEY team_repositories_tenant (tenant_id),
    KEY team_repositories_next (next_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS repository_stories (
    repository_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    place VARCHAR(1000) ${TEXT} NOT NULL,
    digest CHAR(64) ${ASCII} NULL,
    story_version INT UNSIGNED NULL,
    pushed_digest CHAR(64) ${ASCII} NULL,
    pushed_commit VARCHAR(64) ${ASCII} NULL,
    draft_id BIGINT UNSIGNED NULL,
    draft_digest CHAR(64) ${ASCII} NULL,
    draft_waits TINYINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (repository_id, story_id),
    KEY repository_stories_story (story_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS repository_bases (
    repository_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    kind VARCHAR(8) ${ASCII} NOT NULL,
    position INT UNSIGNED NOT NULL,
    bytes MEDIUMBLOB NOT NULL,
    PRIMARY KEY (repository_id, story_id, kind, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS repository_syncs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    repository_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NULL,
    commit_id VARCHAR(64) ${ASCII} NULL,
    pulled INT UNSIGNED NOT NULL,
    pushed INT UNSIGNED NOT NULL,
    conflicts INT UNSIGNED NOT NULL,
    error VARCHAR(2000) ${TEXT} NULL,
    started_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY repository_syncs_repository (repository_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['repository_syncs', 'repository_bases', 'repository_stories', 'team_repositories'])
    await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}
