const { connect } = require('./databases')
const { createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')

/** The router on the log of each prefix, at `/<prefix>`; every caller is `caller1`, who has all permissions. */
function mountOurs(app, { config, prefixes, storageOptions = {}, limits = {} }) {
  const knex = connect(config)
  const authenticate = () => ({ id: 1, username: 'caller1', grants: [{ permission: 'ADMIN' }] })
  const storages = {}
  for (const prefix of prefixes) {
    const storage = knexStorage({ knex, tablePrefix: prefix, acquireTimeoutMs: 10_000, ...storageOptions })
    storages[prefix] = storage
    app.use(createChangeRequestRouter({ storage, basePath: `/${prefix}`, authenticate, limits }))
  }
  return storages
}

module.exports = { mountOurs }
