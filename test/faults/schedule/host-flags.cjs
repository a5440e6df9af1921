// The flags of a host, in the table host_flags (flag, enabled, change_request, process): one row each time a flag is switched.
const states = (names, on) =>
  names.map((name) => {
    const strategies = [{ id: 'all', name: 'default', disabled: false }]
    return [name, { archived: false, enabled: on.has(name), strategies }]
  })

async function readFlags(query, features) {
  const rows = await query('host_flags').whereIn('flag', features).orderBy('id')
  const last = new Map(rows.map(({ flag, enabled }) => [flag, Boolean(enabled)]))
  const on = new Set(features.filter((name) => last.get(name)))
  return { features: new Map(states(features, on)), segments: new Map() }
}

async function switchAll(query, changes, { changeRequestId }, label) {
  for (const { feature, payload } of changes) {
    const row = { flag: feature, enabled: payload.enabled, change_request: changeRequestId, process: label }
    await query('host_flags').insert(row)
  }
}

const eventsOf = (changes) =>
  changes.map(({ feature, payload }) => {
    return { type: `feature-environment-${payload.enabled ? 'enabled' : 'disabled'}`, featureName: feature }
  })

const slowly = (slowMs) => new Promise((resolve) => setTimeout(resolve, Math.random() * slowMs))

/** Flags in the same database as the change requests, written in one transaction with them. */
function transactionalFlags(knex, { slowMs, label }) {
  return {
    transactional: true,
    current: ({ features }, { transaction = knex } = {}) => readFlags(transaction, features),
    async apply(changes, context) {
      await switchAll(context.transaction, changes, context, label)
      await slowly(slowMs)
      return eventsOf(changes)
    },
  }
}

/** Flags in a separate database, with a ledger of apply ids: each apply attempt runs once or never. */
function remoteFlags(host, { slowMs, label }) {
  return {
    current: ({ features }) => readFlags(host, features),
    async apply(changes, context) {
      await slowly(slowMs)
      await host.transaction(async (transaction) => {
        const events = JSON.stringify(eventsOf(changes))
        // The primary key rejects an attempt whose outcome was requested before it arrived.
        await transaction('host_ledger').insert({ apply_id: context.applyId, events })
        await switchAll(transaction, changes, context, label)
      })
      await slowly(slowMs)
      return eventsOf(changes)
    },
    async outcome(applyId) {
      await host('host_ledger').insert({ apply_id: applyId, events: 'null' }).onConflict('apply_id').ignore()
      const { events } = await host('host_ledger').where({ apply_id: applyId }).first()
      return JSON.parse(events)
    },
  }
}

async function createHostTables(host) {
  await host.schema.createTable('host_flags', (table) => {
    table.increments('id')
    table.string('flag').notNullable()
    table.boolean('enabled').notNullable()
    table.integer('change_request').notNullable()
    table.string('process').notNullable()
  })
  await host.schema.createTable('host_ledger', (table) => {
    table.string('apply_id').primary()
    table.text('events').notNullable()
  })
}

module.exports = { createHostTables, readFlags, remoteFlags, transactionalFlags }
