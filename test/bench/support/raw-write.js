const Database = require('better-sqlite3')
const { Client } = require('pg')
const { subjectsOf } = require('../../../build/domain/content/grouping.js')
const { searchText, summarize } = require('../../../build/domain/content/summary.js')
const { toEventRows } = require('../../../build/kernel/events/event-rows.js')

/**
 * Writes of change requests into our tables by the raw driver, with the same durability: one load, which allocates the
 * ids, and one commit, which compares the version, writes what searches need, appends the events and counts them.
 */
async function rawPostgres({ connection }, prefix) {
  const client = new Client(connection)
  await client.connect()
  const table = (name) => `"${prefix}${name}"`
  const load = `select c.version, c.document, s.required_approvals,
      case when c.version is null then nextval('${table('change_request_ids')}') end as request_id,
      array(select nextval('${table('change_ids')}') from generate_series(1, $4::integer)) as ids
    from (values (1)) as one
    left join ${table('change_requests')} as c
      on c.project = $1 and c.environment = $2 and c.created_by = $3 and c.open
    left join ${table('settings')} as s on s.project = $1 and s.environment = $2`
  const appended = `appended as (
      insert into ${table('events')}
        (created_at, type, project, environment, feature_name, created_by_user_id, change_request_id, body)
      select e.created_at, e.type, e.project, e.environment, e.feature_name, e.created_by_user_id, e.change_request_id, e.body::text
      from written, json_to_recordset($6::json) as e(created_at timestamptz, type text, project text, environment text,
        feature_name text, created_by_user_id bigint, change_request_id bigint, body json)
      returning id, project
    ),
    subjects as (
      insert into ${table('change_request_subjects')} (change_request_id, subject)
      select $1, subject from written, json_array_elements_text($7::json) as subject on conflict do nothing
    ),
    texts as (
      insert into ${table('change_request_texts')} (change_request_id, text) select $1, $8 from written
      on conflict (change_request_id) do update set text = excluded.text
    ),
    counted as (
      insert into ${table('event_counts')} as c (project, total, last_id)
      select project, count(*), max(id) from (select project, id from appended union all select '', id from appended) as one
      group by project
      on conflict (project) do update set total = c.total + excluded.total, last_id = excluded.last_id
    )
    select count(*) as written from written`
  const lock = `lock as materialized (select pg_advisory_xact_lock(hashtext('${prefix}')))`
  const update = `with ${lock}, written as (
      update ${table('change_requests')} set version = $2, summary = $4, document = $5
      from lock where id = $1 and version = $3 returning id
    ), ${appended}`
  const insert = `with ${lock}, written as (
      insert into ${table('change_requests')} (id, version, project, environment, created_by, state, state_since, open,
        after_review, whole_project, created_at, summary, document)
      select $1, $2, $3, $9, $10, 'Draft', $11, true, false, false, $11, $4, $5 from lock returning id
    ), ${appended}`
  return {
    async write({ project, environment, userId, count }, decide) {
      const { rows } = await client.query({ name: 'load', text: load, values: [project, environment, userId, count] })
      const [{ version, document, request_id: requestId, ids, required_approvals: requiredApprovals }] = rows
      const stored = version === null ? undefined : { version, changeRequest: JSON.parse(document) }
      const decision = decide({
        stored,
        requestId: Number(requestId),
        changeIds: ids.map(Number),
        requiredApprovals: requiredApprovals ?? undefined,
      })
      const { changeRequest, expectedVersion } = decision
      const summary = summarize(changeRequest)
      const texts = [
        JSON.stringify(summary),
        JSON.stringify(changeRequest),
        eventsJson(decision.events),
        JSON.stringify(subjectsOf(changeRequest)),
        searchText(summary),
      ]
      const common = [changeRequest.id, decision.version]
      const values =
        stored === undefined
          ? [...common, project, ...texts, environment, userId, changeRequest.createdAt]
          : [...common, expectedVersion, ...texts]
      const [name, text] = stored === undefined ? ['insert', insert] : ['update', update]
      const result = await client.query({ name, text, values })
      if (result.rows[0].written !== '1') throw new Error('The write lost a race.')
      return { version: decision.version, changeRequest }
    },
  }
}

function eventsJson(events) {
  const texts = toEventRows(events, '').map((row) => {
    const columns = {
      created_at: row.createdAt,
      type: row.type,
      project: row.project,
      environment: row.environment,
      feature_name: row.featureName,
      created_by_user_id: row.createdByUserId,
      change_request_id: row.changeRequestId,
    }
    return `${JSON.stringify(columns).slice(0, -1)},"body":${row.json}}`
  })
  return `[${texts.join(',')}]`
}

async function rawSqlite({ connection }, prefix) {
  const database = new Database(connection.filename)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  const table = (name) => `"${prefix}${name}"`
  const find = database.prepare(
    `select version, document from ${table('change_requests')}
     where project = ? and environment = ? and created_by = ? and open`,
  )
  const settings = database.prepare(
    `select required_approvals from ${table('settings')} where project = ? and environment = ?`,
  )
  const allocate = database.prepare(`update ${table('ids')} set last = last + ? where kind = ? returning last`)
  const update = database.prepare(
    `update ${table('change_requests')} set version = ?, summary = ?, document = ? where id = ? and version = ?`,
  )
  const insert = database.prepare(
    `insert into ${table('change_requests')}
       (id, version, project, environment, created_by, state, state_since, open, after_review, whole_project, created_at,
        summary, document)
     values (?, ?, ?, ?, ?, 'Draft', ?, 1, 0, 0, ?, ?, ?)`,
  )
  const addSubject = database.prepare(
    `insert or ignore into ${table('change_request_subjects')} (change_request_id, subject) values (?, ?)`,
  )
  const putText = database.prepare(`insert or replace into ${table('change_request_texts')} values (?, ?)`)
  const append = database.prepare(
    `insert into ${table('events')}
       (created_at, type, project, environment, feature_name, created_by_user_id, change_request_id, body)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const count = database.prepare(
    `insert into ${table('event_counts')} (project, total, last_id) values (?, ?, ?)
     on conflict (project) do update set total = total + excluded.total, last_id = excluded.last_id`,
  )
  const [begin, commit, rollback] = ['begin immediate', 'commit', 'rollback'].map((text) => database.prepare(text))
  const write = ({ project, environment, userId, count: wanted }, decide) => {
    const row = find.get(project, environment, userId)
    const stored = row && { version: row.version, changeRequest: JSON.parse(row.document) }
    const requestId = stored === undefined ? allocate.get(1, 'changeRequest').last : 0
    const { last } = allocate.get(wanted, 'change')
    const changeIds = Array.from({ length: wanted }, (_, index) => last - wanted + 1 + index)
    const requiredApprovals = settings.get(project, environment)?.required_approvals
    const { changeRequest, version, expectedVersion, events } = decide({
      stored,
      requestId,
      changeIds,
      requiredApprovals,
    })
    const { id, createdAt } = changeRequest
    const summary = summarize(changeRequest)
    const texts = [JSON.stringify(summary), JSON.stringify(changeRequest)]
    const { changes } =
      stored === undefined
        ? insert.run(id, version, project, environment, userId, createdAt, createdAt, ...texts)
        : update.run(version, ...texts, id, expectedVersion)
    if (changes !== 1) throw new Error('The write lost a race.')
    for (const subject of subjectsOf(changeRequest)) addSubject.run(id, subject)
    putText.run(id, searchText(summary))
    const rows = toEventRows(events, '')
    let lastId = 0
    for (const event of rows) {
      lastId = append.run(
        event.createdAt,
        event.type,
        event.project,
        event.environment,
        event.featureName,
        event.createdByUserId,
        event.changeRequestId,
        event.json,
      ).lastInsertRowid
    }
    for (const scope of ['', project]) count.run(scope, rows.length, lastId)
    return { version, changeRequest }
  }
  return {
    async write(place, decide) {
      begin.run()
      try {
        const stored = write(place, decide)
        commit.run()
        return stored
      } finally {
        if (database.inTransaction) rollback.run()
      }
    },
  }
}

module.exports = { rawPostgres, rawSqlite }
