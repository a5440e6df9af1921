import express = require('express')
import changeRequests = require('express-change-requests')
import knexStorage = require('express-change-requests/knex')
import testing = require('express-change-requests/testing')
import types = require('express-change-requests/types')
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
// A gate leaves the types of the handler behind it as they are without it.
express().patch(
  '/flags/:name',
  router.gate(() => null),
  (req, res) => void res.send(req.params.name satisfies string),
)
express().use('/flags', router)
testing.describeStorage satisfies (...args: never[]) => void

const title: types.TitleUpdate = { title: 'Sale' }
// @ts-expect-error: the types of bodies have their own entry point
title satisfies changeRequests.TitleUpdate

// @ts-expect-error: a storage is required
createChangeRequestRouter({ authenticate: () => null })
// @ts-expect-error: authenticate is required
createChangeRequestRouter({ storage: memoryStorage() })
// @ts-expect-error: no such option
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => null, basepath: '/x' })
// @ts-expect-error: an actor has an id
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => ({ username: 'ann' }) })
// @ts-expect-error: no such permission
authorize({ id: 1 }, 'READ_EVERYTHING', {})

interface Member extends changeRequests.Actor {
  readonly teams: readonly string[]
}
const members: changeRequests.Authenticate<Member> = (req) => (req.get('x-user') ? { id: 1, teams: ['shop'] } : null)
const ofTeams: changeRequests.Authorize<Member> = ({ teams }, _, { project }) => teams.includes(project ?? '')
createChangeRequestRouter({ storage: memoryStorage(), authenticate: members, authorize: ofTeams })
createChangeRequestRouter<Member>({ storage: memoryStorage(), authenticate: members })
createChangeRequestRouter({ storage: memoryStorage(), authenticate: members, authorize })
// @ts-expect-error: keys have no teams
createChangeRequestRouter({ storage: memoryStorage(), authenticate: apiKeys([]), authorize: ofTeams })
// @ts-expect-error: an actor that is not the one who was authenticated
createChangeRequestRouter<Member>({ storage: memoryStorage(), authenticate: () => ({ id: 1 }) })
// @ts-expect-error: the id of an actor is a number
createChangeRequestRouter({ storage: memoryStorage(), authenticate: () => ({ id: '5f0c7f5e-6a43-4a57' }) })
// @ts-expect-error: a key needs a user
apiKeys([{ key: 'user:a-key-of-this-host', grants: [] }])
// @ts-expect-error: no such limit
createChangeRequestRouter({ storage: memoryStorage(), authenticate: members, limits: { bodySize: 1 } })
// @ts-expect-error: no such option of the storage
knexStorage.knexStorage({ knex, tableprefix: 'cr_' })
// @ts-expect-error: not a way to survive
knexStorage.knexStorage({ knex, durability: 'forever' })
