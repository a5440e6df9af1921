// The flags of a host, in the table host_flags (flag, change_request, process): one row each time a flag is enabled.
const states = (names, on) =>
  names.map((name) => {
    const strategies = [{ id: 'all', name: 'default', disabled: false }]
    return [name, { archived: false, enabled: on.has(name), strategies }]
  })

async function readFlags(query, features) {
  const on = new Set(await query('host_flags').whereIn('flag', features).pluck('flag'))
  return { features: new Map(states(features, on)), segments: new Map() }
}

async function switchOn(query, changes, { changeRequestId }, label) {
  for (const { feature } of changes) {
    await query('host_flags').insert({ flag: feature, change_request: changeRequestId, process: label })
  }
}

const eventsOf = (changes) =>
  changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature }))

const slowly = (slowMs) => new Promise((resolve) => setTimeout(resolve, Math.random() * slowMs))

/** Flags in the same database as the change requests, written in one transaction with them. */
function transactionalFlags(knex, { slowMs, label }) {
  return {
    transactional: true,
    current: ({ features }, { transaction = knex } = {}) => readFlags(transaction, features),
    async apply(changes, context) {
      await switchOn(context.transaction, changes, context, label)
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
        await switchOn(transaction, changes, context, label)
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
    table.integer('change_request').notNullable()
    table.string('process').notNullable()
  })
  await host.schema.createTable('host_ledger', (table) => {
    table.string('apply_id').primary()
    table.text('events').notNullable()
  })
}

module.exports = { createHostTables, readFlags, remoteFlags, transactionalFlags }
