/**
 * SQL for the time of the last request with any key of the user `u`, to the minute; NULL if there was none. Reads the
 * index of keys by user.
 */
export const LAST_SEEN = '(SELECT MAX(k.last_used_at) FROM api_keys k WHERE k.user_id = u.id)';
