/** Names and ids as text, lists and objects as JSON text: the same statements for SQLite and Postgres. */
const statements = [
  `create table if not exists flag_projects (name text primary key)`,
  `create table if not exists flag_environments (
    project text not null references flag_projects,
    name text not null,
    type text not null,
    position integer not null,
    default_strategy text,
    primary key (project, name)
  )`,
  `create table if not exists flag_features (
    name text primary key,
    project text not null references flag_projects,
    description text not null,
    tags text not null,
    archived boolean not null
  )`,
  `create table if not exists flag_feature_environments (
    feature text not null references flag_features,
    environment text not null,
    enabled boolean not null,
    primary key (feature, environment)
  )`,
  `create table if not exists flag_templates (id text primary key, name text not null, milestones text not null)`,
  `create table if not exists flag_plans (
    id text primary key,
    feature text not null references flag_features,
    environment text not null,
    template text not null references flag_templates,
    name text not null,
    active_milestone text,
    unique (feature, environment)
  )`,
  `create table if not exists flag_milestones (
    id text primary key,
    plan text not null references flag_plans,
    position integer not null,
    name text not null,
    strategies text not null
  )`,
  `create table if not exists flag_strategies (
    id text primary key,
    feature text not null references flag_features,
    environment text not null,
    milestone text references flag_milestones,
    name text not null,
    title text,
    disabled boolean not null,
    sort_order double precision not null,
    constraints text not null,
    parameters text not null,
    variants text not null
  )`,
  `create index if not exists flag_strategies_place on flag_strategies (feature, environment)`,
  `create table if not exists flag_segments (
    id bigint primary key,
    project text references flag_projects,
    name text not null,
    description text,
    constraints text not null
  )`,
  `create table if not exists flag_strategy_segments (
    strategy text not null references flag_strategies,
    segment bigint not null references flag_segments,
    primary key (strategy, segment)
  )`,
  `create table if not exists flag_variants (
    feature text not null references flag_features,
    environment text not null,
    position integer not null,
    variant text not null,
    primary key (feature, environment, position)
  )`,
  `create table if not exists flag_dependencies (
    feature text not null references flag_features,
    parent text not null references flag_features,
    enabled boolean not null,
    variants text not null,
    primary key (feature, parent)
  )`,
]

/** The key of the advisory lock; must be unique in the database. */
const lockKey = 4_242_001

/** Creates missing tables. Several processes may call it concurrently. */
async function createTables(knex) {
  await knex.transaction(async (trx) => {
    // On Postgres, creating the same table concurrently fails.
    if (knex.client.dialect === 'postgresql') await trx.raw('select pg_advisory_xact_lock(?)', [lockKey])
    for (const statement of statements) await trx.raw(statement)
  })
}

module.exports = { createTables }
