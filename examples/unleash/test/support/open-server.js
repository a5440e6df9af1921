const knex = require('knex')
const { unleashClient } = require('../../server/client')
const { startPostgres } = require('../../demo/postgres')
const { startUnleash } = require('../../demo/start-unleash')
const { version } = require('./version')

const project = 'projects/default'

/** For a busy machine: options of a gateway, a mirror and a client. */
const timeouts = { callTimeoutMs: 300_000, quietMs: 600_000 }

/**
 * A Postgres and a server for the tests of a file.
 *
 * @returns {Promise<{ url: string, token: string, databaseUrl: string, serverDatabaseUrl: string, serverKnex: import('knex').Knex, knex: import('knex').Knex, client: object, callTimeoutMs: number, quietMs: number, close: () => Promise<void> }>}
 */
async function openServer() {
  const parts = []
  try {
    const postgres = await startPostgres()
    parts.unshift(() => postgres.stop())
    await postgres.createDatabase('unleash')
    await postgres.createDatabase('front')
    const serverDatabaseUrl = postgres.url('unleash')
    const { url, token, stop } = await startUnleash({ databaseUrl: serverDatabaseUrl, version })
    parts.unshift(stop)
    const databaseUrl = postgres.url('front')
    const handle = knex({ client: 'pg', connection: databaseUrl })
    parts.unshift(() => handle.destroy())
    const serverKnex = knex({ client: 'pg', connection: serverDatabaseUrl })
    parts.unshift(() => serverKnex.destroy())
    const client = unleashClient({ url, token, ...timeouts })
    return { url, token, databaseUrl, serverDatabaseUrl, serverKnex, knex: handle, client, close, ...timeouts }
  } catch (error) {
    await close()
    throw error
  }

  async function close() {
    for (const end of parts.splice(0)) await end()
  }
}

let names = 0

/** A name that no other flag or segment has. */
function newName(prefix) {
  names += 1
  return `${prefix}-${process.pid}-${names}`
}

/** Creates a flag with strategies in production; returns its name and their ids. */
async function createFlag(client, { strategies = [], enabled = false, parent } = {}) {
  const name = newName('flag')
  await client.send('POST', `${project}/features`, { name })
  const ids = []
  for (const strategy of strategies) ids.push((await client.send('POST', strategiesOf(name), strategy)).id)
  if (parent) await client.send('POST', `${project}/features/${name}/dependencies`, { feature: parent })
  if (enabled) await client.send('POST', `${project}/features/${name}/environments/production/on`)
  return { name, ids }
}

/** Gives a flag variants in production. The server itself replaces them only where there are some. */
async function giveVariants({ serverKnex }, name, variants) {
  const place = { feature_name: name, environment: 'production' }
  await serverKnex('feature_environments')
    .where(place)
    .update({ variants: JSON.stringify(variants) })
}

/** A variant that takes its share of the weight. */
const variant = (name) => ({ name, weight: 0, weightType: 'variable', stickiness: 'default' })

function strategiesOf(name) {
  return `${project}/features/${name}/environments/production/strategies`
}

/** A strategy that is rolled out to a share. */
function rollout(share, more = {}) {
  return { name: 'flexibleRollout', parameters: { rollout: share, stickiness: 'default', groupId: 'g' }, ...more }
}

/** What production has of a flag, without ids; null for one that is archived. */
async function look(client, name) {
  const flag = await client.find(`${project}/features/${name}?variantEnvironments=true`)
  if (flag === undefined) return null
  const { enabled, strategies, variants } = flag.environments.find((each) => each.name === 'production')
  return {
    enabled,
    variants,
    strategies: strategies.map(({ id: _id, title, sortOrder: _place, ...strategy }) => ({
      ...strategy,
      title: title || null,
    })),
    dependencies: flag.dependencies,
  }
}

/** Switches the maintenance mode of the server, which caches it for a while. */
async function setMaintenance(client, enabled) {
  const isOn = () =>
    client.send('POST', 'features/validate', { name: newName('probe') }).then(
      () => false,
      ({ status }) => status === 503,
    )
  do await client.send('POST', 'maintenance', { enabled })
  while ((await isOn()) !== enabled)
}

module.exports = { createFlag, giveVariants, look, newName, openServer, rollout, setMaintenance, strategiesOf, variant }
