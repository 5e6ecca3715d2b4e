import type { Knex } from 'knex';

/** How every table is stored; texts compare by Unicode, without letter case and accents, unless a column says otherwise. */
const STORED = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci';

/** The installation, its tenants and people. */
const PEOPLE = [
  /** Facts of this database, such as its epoch (rule 8). */
  `CREATE TABLE IF NOT EXISTS settings (
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value VARCHAR(255) NOT NULL,
    PRIMARY KEY (name)
  )`,
  /**
   * Organisations; a dedicated one has the larger response concurrency (spec §2.4). `frozen_at`: the tenant is being
   * moved, or was moved.
   */
  `CREATE TABLE IF NOT EXISTS tenants (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    name VARCHAR(255) NOT NULL,
    dedicated BOOLEAN NOT NULL DEFAULT FALSE,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    frozen_at DATETIME(3) NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id)
  )`,
  /** Quotas of a tenant's own: null where the default holds, 0 for none (decision 0032). */
  `CREATE TABLE IF NOT EXISTS tenant_quotas (
    tenant_id BIGINT UNSIGNED NOT NULL,
    events_per_day BIGINT UNSIGNED NULL,
    bytes_per_day BIGINT UNSIGNED NULL,
    mails_per_day BIGINT UNSIGNED NULL,
    processor_seconds_per_day BIGINT UNSIGNED NULL,
    stories BIGINT UNSIGNED NULL,
    records BIGINT UNSIGNED NULL,
    schedules BIGINT UNSIGNED NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (tenant_id)
  )`,
  /** Usage of tenants by day (UTC): sums that each process updates every few seconds (rule 6). */
  `CREATE TABLE IF NOT EXISTS tenant_usage (
    tenant_id BIGINT UNSIGNED NOT NULL,
    day DATE NOT NULL,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    mails BIGINT UNSIGNED NOT NULL DEFAULT 0,
    cpu_ms BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, day),
    KEY tenant_usage_day (day)
  )`,
  /**
   * How the mails of a tenant leave; null where the server's own settings hold. The address is encrypted: it holds a
   * password.
   */
  `CREATE TABLE IF NOT EXISTS tenant_mail_settings (
    tenant_id BIGINT UNSIGNED NOT NULL,
    encrypted_smtp_url BLOB NULL,
    mail_from VARCHAR(320) NULL,
    mail_from_allow TEXT NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (tenant_id)
  )`,
  /**
   * Ids of rows whose statistics were counted in another installation; of dead letters those that had failed up to
   * `counted_until`.
   */
  `CREATE TABLE IF NOT EXISTS imported_rows (
    table_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    first_id BIGINT UNSIGNED NOT NULL,
    last_id BIGINT UNSIGNED NOT NULL,
    counted_until DATETIME(3) NULL,
    PRIMARY KEY (table_name, first_id)
  )`,
  /**
   * People and service accounts. An owner may do everything in the tenant. From `deactivated_at` on, the keys of the
   * user are refused; earlier entries keep the name.
   */
  `CREATE TABLE IF NOT EXISTS users (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    email VARCHAR(255) NOT NULL,
    first_name VARCHAR(255) NOT NULL DEFAULT '',
    last_name VARCHAR(255) NOT NULL DEFAULT '',
    avatar_url VARCHAR(2048) NOT NULL DEFAULT '',
    is_owner BOOLEAN NOT NULL DEFAULT FALSE,
    is_service_account BOOLEAN NOT NULL DEFAULT FALSE,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    deactivated_at DATETIME(3) NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    UNIQUE KEY users_email (tenant_id, email),
    KEY users_address (email)
  )`,
  /** Passwords of users, as scrypt hashes with their parameters. A user without a row has none. */
  `CREATE TABLE IF NOT EXISTS user_passwords (
    user_id BIGINT UNSIGNED NOT NULL,
    hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    changed_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (user_id)
  )`,
  /** Links that work once, by the SHA-256 of their token. `purpose`: `sign_in`, or `password` to set one. */
  `CREATE TABLE IF NOT EXISTS login_links (
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    purpose VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (digest),
    KEY login_links_user (user_id, purpose, created_at),
    KEY login_links_expiry (expires_at)
  )`,
  /**
   * Sessions of people, by the SHA-256 of their token. `api_key_id`: the key that signed in; the session ends with
   * it.
   */
  `CREATE TABLE IF NOT EXISTS console_sessions (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tenant_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    api_key_id BIGINT UNSIGNED NULL,
    method VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ip VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL,
    user_agent VARCHAR(512) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    last_seen_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY console_sessions_digest (digest),
    KEY console_sessions_user (user_id, id),
    KEY console_sessions_expiry (expires_at)
  )`,
  /** Keys, as SHA-256 digests with a short visible prefix (spec §2.3). */
  `CREATE TABLE IF NOT EXISTS api_keys (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NULL,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    prefix VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_by_user_id BIGINT UNSIGNED NULL,
    expires_at DATETIME(3) NULL,
    last_used_at DATETIME(3) NULL,
    revoked_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY api_keys_digest (digest),
    KEY api_keys_tenant (tenant_id),
    KEY api_keys_user (user_id)
  )`,
  /** Teams: they own stories, credentials, resources, records and cases. */
  `CREATE TABLE IF NOT EXISTS teams (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    KEY teams_tenant (tenant_id)
  )`,
  /** Users of each team, with their roles (spec §2.2). */
  `CREATE TABLE IF NOT EXISTS memberships (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    team_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    role VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY memberships_user_team (user_id, team_id),
    KEY memberships_team (team_id)
  )`,
  /**
   * Transactions that add something to a team each change one of its few rows here; the team's deletion changes them
   * all.
   */
  `CREATE TABLE IF NOT EXISTS team_holds (
    team_id BIGINT UNSIGNED NOT NULL,
    shard TINYINT UNSIGNED NOT NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, shard)
  )`,
  /** The teams that a resource or a credential is shared with. */
  `CREATE TABLE IF NOT EXISTS team_shares (
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    item_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (kind, item_id, team_id),
    KEY team_shares_team (team_id, kind)
  )`,
  /**
   * Changes, with user, time and address. Rows are written once and never changed. Those of the command line have no
   * key and no `session_id`, and may have no user. `status`: requests that were refused are here too. `reason`: why
   * a change was made, if its request says so. Each filter of the list has an index that counts and sorts what it
   * lets through.
   */
  `CREATE TABLE IF NOT EXISTS audit_logs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NULL,
    user_email VARCHAR(255) NULL,
    key_id BIGINT UNSIGNED NULL,
    action VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    target_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    target_id BIGINT UNSIGNED NULL,
    method VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    path VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    ip VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NULL,
    user_agent VARCHAR(512) NULL,
    request_id VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    status SMALLINT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL,
    session_id BIGINT UNSIGNED NULL,
    reason VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    PRIMARY KEY (id),
    UNIQUE KEY audit_logs_guid (guid),
    KEY audit_logs_tenant (tenant_id, created_at),
    KEY audit_logs_user (tenant_id, user_id, created_at),
    KEY audit_logs_action (tenant_id, action, created_at),
    KEY audit_logs_target (tenant_id, target_type, target_id, created_at),
    KEY audit_logs_team (tenant_id, team_id, created_at),
    KEY audit_logs_type (tenant_id, target_type, created_at),
    KEY audit_logs_target_id (tenant_id, target_id, created_at)
  )`,
];

/** Stories, and what their actions use. */
const STORIES = [
  /** Folders of a team. `content_type`: what they were made for; `parent_folder_id`: the folder that holds it. */
  `CREATE TABLE IF NOT EXISTS folders (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    content_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'STORY',
    parent_folder_id BIGINT UNSIGNED NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    KEY folders_team (team_id),
    KEY folders_parent (parent_folder_id)
  )`,
  /**
   * Stories of a team. A draft is one too; `draft_of` is the story that it would change. `extra` keeps, as JSON text,
   * the export keys that the runtime does not use (spec §3.4); it may have megabytes. `settings` is the part of it
   * that lists show. `edited_at`: the last change of actions, links or notes; null: none since the story was made.
   * `locked` refuses changes of actions; under change control only a promoted change request changes them.
   */
  `CREATE TABLE IF NOT EXISTS stories (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    folder_id BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    description TEXT NULL,
    guid CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    schema_version INT UNSIGNED NOT NULL,
    language VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    keep_events_for INT UNSIGNED NOT NULL DEFAULT 604800,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    priority BOOLEAN NOT NULL DEFAULT FALSE,
    synchronous_webhooks_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    extra LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    version INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    locked BOOLEAN NOT NULL DEFAULT FALSE,
    change_control_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    edited_at DATETIME(3) NULL,
    settings MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    draft_of BIGINT UNSIGNED NULL,
    draft_name VARCHAR(255) NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    UNIQUE KEY stories_guid (guid),
    KEY stories_team_name (team_id, name),
    KEY stories_tenant (tenant_id),
    KEY stories_draft_of (draft_of, id)
  )`,
  /**
   * The actions of a story. `webhook_path` is unique on the server (spec §4.1). `past_ids`: the ids that an action
   * had in other installations, by which groups know it.
   */
  `CREATE TABLE IF NOT EXISTS agents (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    guid CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    options LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    keep_events_for INT UNSIGNED NOT NULL DEFAULT 0,
    webhook_path VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    extra LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    past_ids VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NULL,
    PRIMARY KEY (id),
    UNIQUE KEY agents_guid (guid),
    UNIQUE KEY agents_webhook_path (webhook_path),
    KEY agents_story (story_id, position)
  )`,
  /** Events flow from source to receiver; `secondary` is the no-match branch. */
  `CREATE TABLE IF NOT EXISTS links (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    source_agent_id BIGINT UNSIGNED NOT NULL,
    receiver_agent_id BIGINT UNSIGNED NOT NULL,
    link_type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    extra LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (id),
    KEY links_story (story_id, position)
  )`,
  /**
   * An id for each note on the board of a story, with a copy of the note for lists; `diagram_notes` in the story's
   * `extra` stays what exports give.
   */
  `CREATE TABLE IF NOT EXISTS story_notes (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    note LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY story_notes_story (story_id, position)
  )`,
  /** Users who answer for a story beside the one who made it. */
  `CREATE TABLE IF NOT EXISTS story_owners (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY story_owners_story_user (story_id, user_id)
  )`,
  /**
   * The state of a story after each change; `story_version` is the story's own counter of changes then. `digest` is
   * the SHA-256 of the text, `size` its bytes; the text itself, compressed, is in `story_version_parts`.
   */
  `CREATE TABLE IF NOT EXISTS story_versions (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    number INT UNSIGNED NOT NULL,
    story_version INT UNSIGNED NOT NULL,
    name VARCHAR(255) NULL,
    description TEXT NULL,
    source VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    size INT UNSIGNED NOT NULL,
    stored_bytes INT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY story_versions_number (story_id, number)
  )`,
  /** The compressed text of a version, in parts that fit the smallest accepted packet. */
  `CREATE TABLE IF NOT EXISTS story_version_parts (
    version_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    bytes MEDIUMBLOB NOT NULL,
    PRIMARY KEY (version_id, position)
  )`,
  /**
   * Requests to publish a draft under change control. `approved_version` is the draft's version that was approved: a
   * draft that has changed since needs another approval. `bypass_reason`: why it was promoted without one.
   */
  `CREATE TABLE IF NOT EXISTS change_requests (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    draft_id BIGINT UNSIGNED NOT NULL,
    title VARCHAR(255) NOT NULL,
    description TEXT NULL,
    status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'PENDING',
    user_id BIGINT UNSIGNED NOT NULL,
    approved_by BIGINT UNSIGNED NULL,
    approved_version INT UNSIGNED NULL,
    promoted_by BIGINT UNSIGNED NULL,
    bypass_reason TEXT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY change_requests_story (story_id, id),
    KEY change_requests_draft (draft_id, id)
  )`,
  /** Named options for actions of one type; `action_inputs` null: it names none. */
  `CREATE TABLE IF NOT EXISTS action_templates (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    description TEXT NOT NULL,
    vendor VARCHAR(255) NOT NULL,
    product VARCHAR(255) NOT NULL,
    agent_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    agent_options MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    action_inputs MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY action_templates_tenant (tenant_id, id)
  )`,
  /**
   * Words that stories and cases are marked with; each once in a team, letter case and accents counting. `color`:
   * `#RRGGBB`. `updated_at` null: it was not changed since it was made.
   */
  `CREATE TABLE IF NOT EXISTS tags (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    color CHAR(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '#8D75E6',
    updated_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY tags_team_name (team_id, name)
  )`,
  /**
   * When actions start runs by themselves. `next_at` is compared and set in the transaction that starts the run;
   * `last_at` is the time that a run was last started for, `last_run_guid` that run.
   */
  `CREATE TABLE IF NOT EXISTS schedules (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    cron VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    next_at DATETIME(3) NOT NULL,
    last_at DATETIME(3) NULL,
    last_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    PRIMARY KEY (id),
    UNIQUE KEY schedules_agent (agent_id, cron, timezone),
    KEY schedules_due (next_at),
    KEY schedules_story (story_id)
  )`,
  /**
   * Secrets of a team, encrypted with AES-256-GCM under ENCRYPTION_KEY. `mode`: how it gives its secret; `metadata`:
   * what of that may be shown. `api_key_id`: the key of this server that a credential of the connect flow contains.
   * `allowed_hosts`: a JSON list of patterns; null: any host (decision 0026). `live_credential_id`: the credential
   * whose test value this is; null: none. `test_enabled`: whether drafts get the test value.
   */
  `CREATE TABLE IF NOT EXISTS credentials (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    slug VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    encrypted_value MEDIUMBLOB NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    description TEXT NULL,
    api_key_id BIGINT UNSIGNED NULL,
    allowed_hosts TEXT NULL,
    mode VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEXT',
    settings LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    metadata LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    folder_id BIGINT UNSIGNED NULL,
    read_access VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEAM',
    live_credential_id BIGINT UNSIGNED NULL,
    test_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (id),
    UNIQUE KEY credentials_name (team_id, name),
    KEY credentials_access (team_id, read_access),
    KEY credentials_live (live_credential_id),
    KEY credentials_folder (folder_id)
  )`,
  /** Tokens that were fetched for credentials, encrypted, and who is fetching one. */
  `CREATE TABLE IF NOT EXISTS credential_tokens (
    credential_id BIGINT UNSIGNED NOT NULL,
    encrypted_token MEDIUMBLOB NULL,
    fetched_at DATETIME(3) NULL,
    expires_at DATETIME(3) NULL,
    lease CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    lease_until DATETIME(3) NULL,
    PRIMARY KEY (credential_id)
  )`,
  /** Values shared by a team's stories; `value` is JSON text, `test_value` the one for drafts. */
  `CREATE TABLE IF NOT EXISTS resources (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    slug VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    folder_id BIGINT UNSIGNED NULL,
    description TEXT NULL,
    user_id BIGINT UNSIGNED NULL,
    read_access VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'TEAM',
    test_enabled BOOLEAN NOT NULL DEFAULT FALSE,
    test_value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    test_created_at DATETIME(3) NULL,
    test_updated_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY resources_name (team_id, name),
    KEY resources_access (team_id, read_access),
    KEY resources_folder (folder_id)
  )`,
];

/** Runs. */
const RUNS = [
  /**
   * One row for each run. The guid is known before the first try, so a repeated insert is noticed (rule 3). Its end
   * is derived from its deliveries (notes/runs.md, Awaited runs). The index has what lists are narrowed by: a page and its count
   * read it alone.
   */
  `CREATE TABLE IF NOT EXISTS story_runs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    source VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    awaited BOOLEAN NOT NULL DEFAULT FALSE,
    response_event_id BIGINT UNSIGNED NULL,
    cancelled_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    UNIQUE KEY story_runs_guid (guid),
    KEY story_runs_list (story_id, created_at, id, source, cancelled_at)
  )`,
  /**
   * Outputs of agents: only their own output, plus `lineage`, upstream slug to event id (spec §5.1). Agent 0: the
   * input of a run. `work_ms`: how long the action worked that emitted the event; null for the input of a run.
   * `request`: the HTTP request that the event came of, as JSON without secrets (notes/runs.md, Sent requests); null: none was
   * kept.
   */
  `CREATE TABLE IF NOT EXISTS events (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    payload LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    lineage LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    work_ms INT UNSIGNED NULL,
    request MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    PRIMARY KEY (id),
    KEY events_agent (agent_id, id),
    KEY events_run (story_run_guid, id, agent_id),
    KEY events_story (story_id, id, agent_id)
  )`,
  /**
   * Events that are no plain output: the error of an action that failed for good, or an event that was emitted again
   * by hand. A table of its own, so that plain events need no further column.
   */
  `CREATE TABLE IF NOT EXISTS event_marks (
    event_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    failure BOOLEAN NOT NULL,
    reemitted BOOLEAN NOT NULL,
    PRIMARY KEY (event_id),
    KEY event_marks_story (story_id, reemitted, event_id),
    KEY event_marks_agent (agent_id, reemitted, event_id)
  )`,
  /**
   * Values of the first event of each run, by which the search finds it. A digest is of value and path. The primary
   * key serves deletion with the event, the index the search.
   */
  `CREATE TABLE IF NOT EXISTS run_values (
    event_id BIGINT UNSIGNED NOT NULL,
    digest BINARY(10) NOT NULL,
    run_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (event_id, digest),
    KEY run_values_digest (digest, run_id)
  )`,
  /**
   * A row exists exactly while its work is pending, rests, or has failed for good: the row is the token.
   * `resume_at`: an action asked to sleep until then, and goes on where it was (delay, throttle). `called`: another
   * story's action waits for what this run comes to (send to story). `mail_progress`: who has the mails of an action
   * that is tried again, so that only the others get them.
   */
  `CREATE TABLE IF NOT EXISTS deliveries (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    event_id BIGINT UNSIGNED NOT NULL,
    queue VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    awaited BOOLEAN NOT NULL DEFAULT FALSE,
    called BOOLEAN NOT NULL DEFAULT FALSE,
    depth INT UNSIGNED NOT NULL,
    generation INT UNSIGNED NOT NULL DEFAULT 0,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    losses INT UNSIGNED NOT NULL DEFAULT 0,
    retries INT UNSIGNED NOT NULL DEFAULT 0,
    due_at DATETIME(3) NOT NULL,
    resume_at DATETIME(3) NULL,
    error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    failed_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    mail_progress LONGTEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
    PRIMARY KEY (id),
    KEY deliveries_due (state, due_at, id),
    KEY deliveries_run (story_run_guid)
  )`,
  /**
   * Runs that an action of another run has called, and all that is needed to give that action its events. Written
   * once, with the run; `path` holds the ids of the stories above it, outermost first.
   */
  `CREATE TABLE IF NOT EXISTS story_calls (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    caller_delivery_id BIGINT UNSIGNED NOT NULL,
    caller_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    caller_story_id BIGINT UNSIGNED NOT NULL,
    caller_agent_id BIGINT UNSIGNED NOT NULL,
    caller_event_id BIGINT UNSIGNED NOT NULL,
    caller_depth INT UNSIGNED NOT NULL,
    caller_awaited BOOLEAN NOT NULL,
    caller_called BOOLEAN NOT NULL,
    path VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (story_run_guid),
    KEY story_calls_delivery (caller_delivery_id),
    KEY story_calls_run (caller_run_guid)
  )`,
  /**
   * Lines of an action's log, written together with the result they belong to. `request`: the HTTP request that a
   * failed attempt sent, as JSON without secrets (notes/runs.md, Sent requests); null: none was kept.
   */
  `CREATE TABLE IF NOT EXISTS agent_logs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    agent_id BIGINT UNSIGNED NOT NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    inbound_event_id BIGINT UNSIGNED NULL,
    level TINYINT UNSIGNED NOT NULL,
    message TEXT NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    request MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    PRIMARY KEY (id),
    KEY agent_logs_agent (agent_id, id, level),
    KEY agent_logs_run (story_run_guid, agent_id, id, level)
  )`,
  /** State rows of agents that remember (deduplicate, throttle); locked by the writer (rule 10). */
  `CREATE TABLE IF NOT EXISTS agent_memory (
    agent_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (agent_id, name)
  )`,
  /** Events or log lines of an action that were removed by request: those up to an id, until all are gone. */
  `CREATE TABLE IF NOT EXISTS agent_removals (
    agent_id BIGINT UNSIGNED NOT NULL,
    kind VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    up_to_id BIGINT UNSIGNED NOT NULL,
    requested_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (agent_id, kind)
  )`,
  /** Items that implode actions collect: one row for each parked delivery, deleted with it. */
  `CREATE TABLE IF NOT EXISTS implode_items (
    delivery_id BIGINT UNSIGNED NOT NULL,
    group_key CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    size INT UNSIGNED NOT NULL,
    position BIGINT UNSIGNED NULL,
    item LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (delivery_id),
    KEY implode_items_group (group_key, delivery_id),
    KEY implode_items_expiry (expires_at)
  )`,
  /** Values that deduplicate actions have passed on: a digest of each, numbered in order. */
  `CREATE TABLE IF NOT EXISTS deduplicated_values (
    agent_id BIGINT UNSIGNED NOT NULL,
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seq BIGINT UNSIGNED NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    PRIMARY KEY (agent_id, digest),
    KEY deduplicated_values_seq (agent_id, seq),
    KEY deduplicated_values_seen (agent_id, seen_at)
  )`,
  /**
   * Links in messages that send an action's event once more (exports: `{% prompt %}`). `used_by`: the click that
   * used the link up, so that it can tell after a lost answer to COMMIT. Retention asks of each run whether one of
   * its prompts can still be answered.
   */
  `CREATE TABLE IF NOT EXISTS prompts (
    id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    event_id BIGINT UNSIGNED NOT NULL,
    awaited BOOLEAN NOT NULL,
    called BOOLEAN NOT NULL,
    depth INT UNSIGNED NOT NULL,
    status VARCHAR(255) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3) NULL,
    used_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY prompts_expiry (expires_at),
    KEY prompts_event (event_id),
    KEY prompts_run (story_run_guid)
  )`,
  /** The part of each stored run that the archive has: retention deletes no more than that. */
  `CREATE TABLE IF NOT EXISTS archived_runs (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last_event_id BIGINT UNSIGNED NOT NULL,
    last_log_id BIGINT UNSIGNED NOT NULL,
    events INT UNSIGNED NOT NULL,
    archived_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_run_guid)
  )`,
  /** Runs that the archive looks at again: they had work left, or are due for deletion. */
  `CREATE TABLE IF NOT EXISTS archive_waits (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    next_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_run_guid),
    KEY archive_waits_next (next_at, story_run_guid)
  )`,
  /** The place of the archive, and how far it is: one row. */
  `CREATE TABLE IF NOT EXISTS archive_progress (
    id TINYINT UNSIGNED NOT NULL,
    place VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    after_run_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs BIGINT UNSIGNED NOT NULL DEFAULT 0,
    files BIGINT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    stored_at DATETIME(3) NULL,
    PRIMARY KEY (id)
  )`,
];

/** Records and cases. */
const CASES = [
  /** Types of records, by team; their fields are in `record_fields`. */
  `CREATE TABLE IF NOT EXISTS record_types (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    editable BOOLEAN NOT NULL DEFAULT TRUE,
    ttl_days INT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY record_types_name (team_id, name)
  )`,
  /**
   * The columns of a record type. `source` tells the two default fields from those of the type's own; `complete`
   * says that every record of the type has a row in `record_values` for this field (notes/data.md, Records).
   */
  `CREATE TABLE IF NOT EXISTS record_fields (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    record_type_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    result_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fixed_values LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    source VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'custom',
    complete BOOLEAN NOT NULL DEFAULT TRUE,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY record_fields_type (record_type_id)
  )`,
  /**
   * Records as they are shown: `data` is a JSON text from field id to value. `story_name` is the story's name at the
   * time. Filters and order look at `record_values`.
   */
  `CREATE TABLE IF NOT EXISTS records (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    record_type_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NULL,
    story_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    parent_id BIGINT UNSIGNED NULL,
    test_mode BOOLEAN NOT NULL DEFAULT FALSE,
    data LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    KEY records_list (record_type_id, test_mode, created_at, id),
    KEY records_story (record_type_id, test_mode, story_id, created_at, id),
    KEY records_type (record_type_id, id),
    KEY records_parent (parent_id)
  )`,
  /**
   * One row for each record and field, empty ones included: `sort_key` holds the value in bytes that compare as the
   * values do, NULL when empty; `full_text` the whole of a text that is longer than the key. `test_mode` is the
   * record's, so that one index serves every filter, order and count.
   */
  `CREATE TABLE IF NOT EXISTS record_values (
    record_id BIGINT UNSIGNED NOT NULL,
    field_id BIGINT UNSIGNED NOT NULL,
    test_mode BOOLEAN NOT NULL,
    sort_key VARBINARY(512) NULL,
    full_text LONGBLOB NULL,
    PRIMARY KEY (record_id, field_id),
    KEY record_values_key (field_id, test_mode, sort_key, record_id)
  )`,
  /** How many records a type has, over a few rows (shards) so that writers do not wait for each other. */
  `CREATE TABLE IF NOT EXISTS record_counts (
    record_type_id BIGINT UNSIGNED NOT NULL,
    test_mode BOOLEAN NOT NULL,
    shard TINYINT UNSIGNED NOT NULL,
    records BIGINT NOT NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (record_type_id, test_mode, shard)
  )`,
  /**
   * Work on many records that is left to the maintenance worker: `remove_field` (its values), `fill_field` (rows for
   * the records that are older than the field, up to `until_id`; done up to `done_id`), `remove_type` (its records).
   */
  `CREATE TABLE IF NOT EXISTS record_chores (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    record_type_id BIGINT UNSIGNED NOT NULL,
    field_id BIGINT UNSIGNED NULL,
    done_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    until_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY record_chores_kind (kind, id)
  )`,
  /**
   * Work items of a team (spec §7.1). Metadata and conditions are JSON text: key order is kept. `author_set_by_id`:
   * the user who set the case's author; null: nobody did (decision 0031).
   */
  `CREATE TABLE IF NOT EXISTS cases (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) NOT NULL,
    description MEDIUMTEXT NULL,
    status VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    priority VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    metadata MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    closure_conditions MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    author_id BIGINT UNSIGNED NULL,
    opened_by_id BIGINT UNSIGNED NULL,
    resolved_by_id BIGINT UNSIGNED NULL,
    opened_at DATETIME(3) NULL,
    resolved_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    author_set_by_id BIGINT UNSIGNED NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (id),
    KEY cases_team_created (team_id, created_at),
    KEY cases_team_status (team_id, status, created_at)
  )`,
  /** Which records are attached to which cases. */
  `CREATE TABLE IF NOT EXISTS case_records (
    case_id BIGINT UNSIGNED NOT NULL,
    record_id BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (case_id, record_id),
    KEY case_records_record (record_id)
  )`,
  /** Assignees of a case, in the order of the assignments. */
  `CREATE TABLE IF NOT EXISTS case_assignees (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY case_assignees_case_user (case_id, user_id)
  )`,
  /** Which case has which tag, in the order they were added. */
  `CREATE TABLE IF NOT EXISTS case_tags (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    tag_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY case_tags_case_tag (case_id, tag_id),
    KEY case_tags_tag (tag_id)
  )`,
  /**
   * Activities of a case; a comment is an activity too (spec §7.5). `acting_user_id`: the user who acted, if the
   * activity shows another user as its author (decision 0031).
   */
  `CREATE TABLE IF NOT EXISTS case_activities (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    activity_type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value MEDIUMTEXT NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    acting_user_id BIGINT UNSIGNED NULL,
    PRIMARY KEY (id),
    KEY case_activities_case (case_id, id),
    KEY case_activities_case_type (case_id, activity_type, id)
  )`,
  /** Linked cases: a link is two rows, one for each side. */
  `CREATE TABLE IF NOT EXISTS case_links (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    linked_case_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY case_links_pair (case_id, linked_case_id),
    KEY case_links_linked (linked_case_id)
  )`,
  /** Downstream actions that a case offers: pages to open. */
  `CREATE TABLE IF NOT EXISTS case_actions (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    url TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    label VARCHAR(255) NOT NULL,
    action_type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_actions_case (case_id, id)
  )`,
  /** Subscribers to changes of a case: an address with the secret that signs its requests, or a user. */
  `CREATE TABLE IF NOT EXISTS case_subscribers (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    url TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    user_id BIGINT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_subscribers_case (case_id, id)
  )`,
  /** The outbox: an activity that a subscriber, or a user mentioned in it, has still to hear of. */
  `CREATE TABLE IF NOT EXISTS case_notifications (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    activity_id BIGINT UNSIGNED NOT NULL,
    subscriber_id BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'due',
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    due_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    error VARCHAR(512) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_notifications_due (state, due_at, id),
    KEY case_notifications_case (case_id)
  )`,
];

/** Statistics and notices. */
const STATISTICS = [
  /**
   * How far statistics have counted each kind of rows. `after_at` counts for dead letters, which are read by time.
   * Each count locks the row.
   */
  `CREATE TABLE IF NOT EXISTS counting_positions (
    name VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    after_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    after_at DATETIME(3) NOT NULL DEFAULT '1970-01-02 00:00:00.000',
    PRIMARY KEY (name)
  )`,
  /** Runs whose start is counted in statistics, and whose end is not yet. */
  `CREATE TABLE IF NOT EXISTS uncounted_ends (
    run_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (run_id)
  )`,
  /** Statistics of stories by hour (UTC). `duration_ms` is a sum over the runs in `duration_counts`. */
  `CREATE TABLE IF NOT EXISTS story_counts (
    story_id BIGINT UNSIGNED NOT NULL,
    hour DATETIME NOT NULL,
    runs_started BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_ended BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_failed BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_cancelled BIGINT UNSIGNED NOT NULL DEFAULT 0,
    webhook_calls BIGINT UNSIGNED NOT NULL DEFAULT 0,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    dead_letters BIGINT UNSIGNED NOT NULL DEFAULT 0,
    handled_failures BIGINT UNSIGNED NOT NULL DEFAULT 0,
    duration_ms BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (story_id, hour),
    KEY story_counts_hour (hour)
  )`,
  /** Statistics of stories by minute (UTC), for a few hours. */
  `CREATE TABLE IF NOT EXISTS story_minutes (
    story_id BIGINT UNSIGNED NOT NULL,
    minute DATETIME NOT NULL,
    runs_started BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_ended BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_failed BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_cancelled BIGINT UNSIGNED NOT NULL DEFAULT 0,
    webhook_calls BIGINT UNSIGNED NOT NULL DEFAULT 0,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    dead_letters BIGINT UNSIGNED NOT NULL DEFAULT 0,
    handled_failures BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (story_id, minute),
    KEY story_minutes_minute (minute)
  )`,
  /**
   * Statistics of agents by hour (UTC). `work_ms`: the time that an agent worked for the `timed_events` of its
   * events whose time is known.
   */
  `CREATE TABLE IF NOT EXISTS agent_counts (
    agent_id BIGINT UNSIGNED NOT NULL,
    hour DATETIME NOT NULL,
    webhook_calls BIGINT UNSIGNED NOT NULL DEFAULT 0,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    dead_letters BIGINT UNSIGNED NOT NULL DEFAULT 0,
    handled_failures BIGINT UNSIGNED NOT NULL DEFAULT 0,
    work_ms BIGINT UNSIGNED NOT NULL DEFAULT 0,
    timed_events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (agent_id, hour),
    KEY agent_counts_hour (hour)
  )`,
  /**
   * Runs of a story that ended in an hour (UTC), by the length of their time: bucket n holds those up to 2^(n/2) ms.
   */
  `CREATE TABLE IF NOT EXISTS duration_counts (
    story_id BIGINT UNSIGNED NOT NULL,
    hour DATETIME NOT NULL,
    bucket TINYINT UNSIGNED NOT NULL,
    runs BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (story_id, hour, bucket),
    KEY duration_counts_hour (hour)
  )`,
  /**
   * The state of monitored actions. `seen_at`: the time of the last event, or when watching began.
   * `told_silence`: the recipients know that no event followed. `told_event_id`: they know of all events up to this
   * one.
   */
  `CREATE TABLE IF NOT EXISTS action_watches (
    agent_id BIGINT UNSIGNED NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    last_event_id BIGINT UNSIGNED NOT NULL,
    told_event_id BIGINT UNSIGNED NOT NULL,
    told_silence BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (agent_id),
    KEY action_watches_silent (told_silence, agent_id)
  )`,
  /**
   * When recipients of a story were told of failures. `told_up_to`: failures until then are told. `tried_at`: the
   * last attempt. Rows of a day ago are deleted.
   */
  `CREATE TABLE IF NOT EXISTS story_failure_notices (
    story_id BIGINT UNSIGNED NOT NULL,
    tried_at DATETIME(3) NOT NULL,
    told_up_to DATETIME(3) NULL,
    PRIMARY KEY (story_id),
    KEY story_failure_notices_tried (tried_at)
  )`,
  /** When recipients of a story were last told of its monitored actions. Rows of a day ago are deleted. */
  `CREATE TABLE IF NOT EXISTS story_watch_notices (
    story_id BIGINT UNSIGNED NOT NULL,
    tried_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_id),
    KEY story_watch_notices_tried (tried_at)
  )`,
  /** Secrets that sign requests to recipients of stories. `address_hash`: SHA-256 of the address. */
  `CREATE TABLE IF NOT EXISTS story_recipient_secrets (
    story_id BIGINT UNSIGNED NOT NULL,
    address_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (story_id, address_hash)
  )`,
  /**
   * Notices to recipients of stories and of digests: the outbox of mails and of JSON for addresses. `state`: due,
   * sent or failed; `due_at`: the next attempt, or when it ended. `lease`: the pass of a process that sends it.
   */
  `CREATE TABLE IF NOT EXISTS notices (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NULL,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    recipients LONGTEXT NOT NULL,
    content LONGTEXT NOT NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'due',
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    error VARCHAR(512) NULL,
    lease CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    due_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY notices_due (state, due_at, id),
    KEY notices_tenant (tenant_id, id),
    KEY notices_lease (lease, id)
  )`,
  /** Daily digests of teams; a team without a row has none. `next_at`: when the next one is made, by one process. */
  `CREATE TABLE IF NOT EXISTS team_digests (
    team_id BIGINT UNSIGNED NOT NULL,
    tenant_id BIGINT UNSIGNED NOT NULL,
    recipients LONGTEXT NOT NULL,
    hour TINYINT UNSIGNED NOT NULL,
    timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    next_at DATETIME(3) NOT NULL,
    last_at DATETIME(3) NULL,
    PRIMARY KEY (team_id),
    KEY team_digests_next (next_at, team_id)
  )`,
];

/** Every table. `claims`: a number that a transaction increments to exclude others that do the same, on any node (decision 0075). */
const TABLES = [...PEOPLE, ...STORIES, ...RUNS, ...CASES, ...STATISTICS];

/**
 * The schema that 0.12.0 left, made at once on an empty database (notes/stores.md, Former migrations). After a death it goes on at the next table. It has no
 * `down`: whoever wants none of it deletes the database.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`${table} ${STORED}`);
}
