import express = require('express')
import changeRequests = require('express-change-requests')
import knexStorage = require('express-change-requests/knex')
import testing = require('express-change-requests/testing')
import createKnex = require('knex')

const { apiKeys, createChangeRequestRouter, memoryStorage } = changeRequests
const knex = createKnex.knex({ client: 'pg' })
const authorize: changeRequests.Authorize = (actor, permission, { project }) =>
  actor.id === 1 && permission === 'READ_EVENTS' && project === 'shop'

const router: changeRequests.ChangeRequestRouter = createChangeRequestRouter({
  storage: knexStorage.knexStorage({ knex, tablePrefix: 'cr_' }),
  authenticate: apiKeys([{ key: 'user:a-key-of-this-host', user: { id: 1 }, grants: [{ permission: 'ADMIN' }] }]),
  authorize,
})

express().use(router)
express().use('/flags', router)
testing.describeStorage satisfies (...args: never[]) => void

// @ts-expect-error: a storage is required
createChangeRequestRouter({ authenticate: () => null })
// @ts-expect-error: who calls has to be told
createChangeRequestRouter({ storage: memoryStorage() })
// @ts-expect-error: no such option
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null, basepath: '/x' })
// @ts-expect-error: an actor has an id
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => ({ username: 'ann' }) })
// @ts-expect-error: no such permission
authorize({ id: 1 }, 'READ_EVERYTHING', {})
