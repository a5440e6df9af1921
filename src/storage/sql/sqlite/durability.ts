/**
 * What a commit to SQLite survives: `full` a power loss, `normal` a crash of the process; with `host`, the settings of
 * the host apply.
 */
export type Durability = 'full' | 'normal' | 'host'
