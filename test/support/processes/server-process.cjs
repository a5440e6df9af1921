// A server as a host runs it, in a separate process, from the built package. Forked with a Place of ./databases as
// its argument; sends its port when it listens, and ends with the process that forked it.
const express = require('express')
const { knex: createKnex } = require('knex')
const { createChangeRequestRouter } = require('../../../dist')
const { knexStorage } = require('../../../dist/storage/knex')

const place = JSON.parse(process.argv[2])
const knex = createKnex({ ...place.knex, ...(place.knex.client === 'pg' ? { pool: { min: 0, max: 5 } } : {}) })
const router = createChangeRequestRouter({
  storage: knexStorage({ knex, ...place.storage }),
  authenticate: ({ headers }) => ({ id: Number(headers.authorization), grants: [{ permission: 'ADMIN' }] }),
})

process.on('disconnect', () => process.exit())
router.migrate().then(() => {
  const server = express()
    .use(router)
    .listen(0, '127.0.0.1', () => process.send(server.address().port))
})
