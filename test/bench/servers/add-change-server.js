const express = require('express')
const { connect } = require('../support/databases')
const { serve } = require('../support/child')
const { apiKeys, createChangeRequestRouter } = require('../../../dist/index.js')
const { knexStorage } = require('../../../dist/storage/knex/index.js')
const { toEventRows } = require('../../../build/kernel/events/event-rows.js')
const { parseChanges } = require('../../../build/capabilities/proposals/changes-body.js')
const { toChangeRequestView } = require('../../../build/kernel/view/change-request.js')
const { decideAdd } = require('../support/decide')
const { createNaiveTables, addNaively } = require('../support/six-statements')

const { way, config, keys, prefix } = JSON.parse(process.argv[2])
const authenticate = apiKeys(
  keys.map((key, index) => ({
    key,
    user: { id: index + 1, username: `caller${index}`, email: `caller${index}@example.com` },
    grants: [{ permission: 'ADMIN' }],
  })),
)
const app = express()
const path = '/api/admin/projects/:projectId/environments/:environment/change-requests'

const ways = {
  async ours() {
    const storage = knexStorage({ knex: connect(config), tablePrefix: prefix, acquireTimeoutMs: 10_000 })
    const router = createChangeRequestRouter({ storage, authenticate })
    await router.migrate()
    app.use(router)
  },

  async noStorage() {
    app.use(createChangeRequestRouter({ storage: keepsNothing(), authenticate }))
  },

  async bare() {
    app.post(path, express.json(), (req, res) => {
      const { projectId: project, environment } = req.params
      const { changeRequest, events } = decide(readyMade(environment), req.body, { project, environment, caller: 1 })
      toEventRows(events, '')
      answer(res, changeRequest)
    })
  },

  async naive() {
    const knex = connect(config)
    await createNaiveTables(knex, prefix)
    app.post(path, express.json(), async (req, res) => {
      const { id: caller } = authenticate(req)
      const { projectId: project, environment } = req.params
      const changes = parseChanges(req.body, { changesPerRequest: 100 })
      answer(res, await addNaively(knex, prefix, { project, environment, caller, changes }))
    })
  },
}

void ways[way]().then(() => serve(app))

/** Answers without data, except for the change request itself. */
const undescribed = {
  conflicts: { features: new Map(), changes: new Map() },
  scheduleConflicts: new Map(),
  defaultChanges: new Map(),
  segmentNames: new Map(),
  people: undefined,
}

function answer(res, changeRequest) {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  const described = { version: 1, changeRequest, ...undescribed }
  const body = JSON.stringify(toChangeRequestView(described, { stateTimestamps: true }))
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.end(body)
}

/** A storage whose change requests already have the number of changes at the end of the environment's name. */
function keepsNothing() {
  const last = { change: 0, changeRequest: 0 }
  const draw = (kind, count) => Array.from({ length: count }, () => ++last[kind])
  const unused = () => Promise.reject(new Error('The benchmark does not call this.'))
  return {
    portVersion: 1,
    find: unused,
    list: unused,
    summaries: unused,
    countByState: unused,
    countGroups: unused,
    projects: unused,
    settings: unused,
    findIdempotencyRecord: unused,
    commitSettings: unused,
    findSettings: async () => undefined,
    migrate: async () => {},
    close: async () => {},
    health: async () => ({ reachable: true, schemaVersion: 0, compatible: true, lastEventId: 0, durability: 'none' }),
    nextIds: async (kind, count) => draw(kind, count),
    loadProposal: async ({ environment, userId }, changeIds) => ({
      open: ofAuthor(readyMade(environment), userId),
      settings: undefined,
      changeRequestId: draw('changeRequest', 1)[0],
      changeIds: draw('change', changeIds),
    }),
    commit: async () => true,
    appendEvents: async () => {},
    eventHead: async () => ({ lastId: 0, total: 0, fingerprint: '' }),
    eventPage: async () => ({ count: 0, searched: 0, lastId: 0, json: Buffer.alloc(0) }),
    searchEvents: unused,
    due: async () => [],
    dueTimes: async () => ({ due: 0, first: null, next: null }),
    interrupted: async () => [],
    eventsPerDay: unused,
    eventCreators: async () => [],
    failureOf: () => undefined,
  }
}

/** Only the author adds to a change request. */
function ofAuthor(stored, id) {
  if (stored === undefined) return undefined
  const { version, changeRequest } = stored
  return { version, changeRequest: { ...changeRequest, createdBy: { ...changeRequest.createdBy, id } } }
}

const made = new Map()
const sample = require('../support/changes').change

function readyMade(environment) {
  const size = Number(/\d+$/.exec(environment)[0])
  if (size === 0) return undefined
  if (!made.has(size)) {
    const changes = Array.from({ length: size }, (_, index) => JSON.parse(sample(index)))
    const { changeRequest } = decide(undefined, changes, { project: 'shop', environment: 'production', caller: 1 })
    made.set(size, { version: size, changeRequest })
  }
  return made.get(size)
}

function decide(stored, body, { project, environment, caller: userId }) {
  const changes = parseChanges(body, { changesPerRequest: 500 })
  const changeIds = changes.map((_, index) => index + 1)
  return decideAdd(stored?.changeRequest, { fresh: { id: 1, project, environment }, userId, changes, changeIds })
}
