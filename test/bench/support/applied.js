const { apiKeys, createChangeRequestRouter } = require('../../../dist')
const { createClient } = require('../../../dist/client')

const people = [1, 2].map((id) => ({
  key: `key-of-user-${id}-0123456789`,
  user: { id, username: `user-${id}` },
  grants: [{ permission: 'ADMIN' }],
}))
const strategies = [{ id: 'all', name: 'default', disabled: false }]
const flags = {
  current: async ({ features = [] }) => ({
    features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies }])),
    segments: new Map(),
  }),
  apply: async (changes) =>
    changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature, data: { feature } })),
}

/** One applied change request as it is stored, and its events. */
async function originalOf(storage, options = {}) {
  const express = require('express')
  const router = createChangeRequestRouter({ storage, authenticate: apiKeys(people), flags, logger: false, ...options })
  const server = express().use(router).listen(0)
  const api = `http://127.0.0.1:${server.address().port}/api/admin`
  const [author, reviewer] = people.map(({ key }) => createClient({ api, headers: { Authorization: key } }))
  const place = { project: 'shop', environment: 'production' }
  const changes = ['search', 'checkout'].map((feature) => {
    return { action: 'updateEnabled', feature, payload: { enabled: true } }
  })
  const { body } = await author.propose(place, changes)
  const of = { project: 'shop', id: body.id }
  await author.setState(of, { state: 'In review' })
  await author.comment(of, { text: 'The dashboards are ready. '.repeat(10) })
  await reviewer.setState(of, { state: 'Approved' })
  await reviewer.setState(of, { state: 'Applied' })
  server.close()
  await router.close()
  const [stored] = (await storage.inspect.changeRequests({ after: null, limit: 1, bytes: 2 ** 20 })).items
  const { items: events } = await storage.inspect.events({ after: null, limit: 100, bytes: 2 ** 20 })
  return { stored, events, next: body.id + 1 }
}

/** Commits a copy under another id. */
async function copy(storage, { stored, events }, id) {
  const renamed = (text) => text.replaceAll(`"changeRequestId":${stored.id}`, `"changeRequestId":${id}`)
  const { open, dueAt, applyingSince } = stored.columns
  return storage.commit({
    changeRequest: { ...stored.changeRequest, id },
    summary: { ...JSON.parse(stored.summary), id },
    searchText: stored.searchText,
    subjects: stored.subjects.map((one) => one.replace(`change request ${stored.id}`, `change request ${id}`)),
    ...{ open, dueAt, applyingSince, version: 1, expectedVersion: 0, before: null },
    events: events.map(({ columns: { createdByKind: _, ...columns }, json }) => {
      return { ...columns, changeRequestId: columns.changeRequestId && id, json: renamed(json) }
    }),
  })
}

async function fill(storage, original, count) {
  let next = original.next
  const end = next + count
  const work = async () => {
    while (next < end) await copy(storage, original, next++)
  }
  await Promise.all(Array.from({ length: 50 }, work))
  return end
}

module.exports = { copy, fill, originalOf, people }
