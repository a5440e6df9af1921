const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, it } = require('node:test')
const { startHost } = require('./support/host')
const { createFlag } = require('./support/open-server')

const project = '/api/admin/projects/default'
const production = 'environments/production'
const rollout = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'default', groupId: 'g' } }

let host
let ann
let flag

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
})
after(() => host?.stop())

beforeEach(async () => {
  flag = (await createFlag(host.client)).name
})

/** Returns the draft of ann and deletes it; undefined without a draft. */
async function takeDraft() {
  const { body } = await ann.call('GET', `${project}/change-requests/open`)
  if (body.length === 0) return undefined
  await ann.call('DELETE', `${project}/change-requests/${body[0].id}`)
  return body[0]
}

const addStrategy = (environment) =>
  host.client.send('POST', `projects/default/features/${flag}/environments/${environment}/strategies`, rollout)

/** The changes of the draft, without what the router adds. */
const changesIn = ({ features, segments }) => [
  ...features.flatMap(({ name, changes }) =>
    changes.map(({ action, payload }) => ({ action, feature: name, payload })),
  ),
  ...segments.map(({ action, payload }) => ({ action, payload })),
]

describe('a write of an editor to production', () => {
  it('becomes a change in a draft, and the response names the draft', async () => {
    const { status, body } = await ann.call('POST', `${project}/features/${flag}/${production}/on`)
    const draft = await takeDraft()
    assert.equal(status, 403)
    assert.equal(body.name, 'PermissionError')
    assert.equal(body.details[0].message, body.message)
    assert.match(body.message, new RegExp(`to your change request ${draft.id}: ${host.url}/`))
    assert.equal(draft.state, 'Draft')
    assert.deepEqual(draft.features[0].changes[0].payload, { enabled: true })
  })

  it('becomes one change per flag', async () => {
    const other = `${flag}-too`
    await host.client.send('POST', 'projects/default/features', { name: other })
    const features = [flag, other]
    assert.equal((await ann.call('POST', `${project}/bulk_features/${production}/off`, { features })).status, 403)
    assert.deepEqual(
      (await takeDraft()).features.map(({ name }) => name),
      features,
    )
  })

  it('is added to the change request in review until there is a vote, then is a conflict that names it', async () => {
    const ben = await host.addPerson({ username: 'ben', role: 'Editor' })
    const write = () => ann.call('POST', `${project}/features/${flag}/${production}/on`)
    await write()
    const [{ id }] = (await ann.call('GET', `${project}/change-requests/open`)).body
    const move = (person, state) => person.call('PUT', `${project}/change-requests/${id}/state`, { state })
    await move(ann, 'In review')
    assert.equal((await write()).status, 403)
    const { body } = await ann.call('GET', `${project}/change-requests/${id}`)
    assert.deepEqual([body.state, body.features[0].changes.length], ['In review', 2])

    await move(ben, 'Approved')
    const refused = await write()
    assert.equal(refused.status, 409)
    assert.ok(refused.body.details.some(({ path }) => path?.endsWith(`/change-requests/${id}`)))
    await move(ann, 'Cancelled')
  })

  it('is rejected if it cannot be proposed', async () => {
    const { status, body } = await ann.call('POST', `${project}/stale`, { features: [flag], stale: true })
    assert.equal(status, 403)
    assert.deepEqual(body.permissions, ['SKIP_CHANGE_REQUEST'])
    assert.equal(await takeDraft(), undefined)
  })

  it('is blocked if its body is not JSON', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    const answer = await ann.call('PATCH', `${project}/features/${flag}`, '[{', headers)
    assert.equal(answer.status, 403)
  })
})

describe('the changes of a draft', () => {
  const path = () => `${project}/features/${flag}`
  const here = () => `${path()}/${production}`
  const change = (action, payload) => [{ action, feature: flag, payload }]
  const { parameters } = rollout

  const table = {
    'switching on': [
      () => ['POST', `${here()}/on?shouldActivateDisabledStrategies=true`],
      () => change('updateEnabled', { enabled: true, shouldActivateDisabledStrategies: true }),
    ],
    'switching off': [() => ['POST', `${here()}/off`], () => change('updateEnabled', { enabled: false })],
    'a new strategy': [
      () => ['POST', `${here()}/strategies`, rollout],
      () => change('addStrategy', { ...rollout, constraints: [] }),
    ],
    'a strategy that is replaced': [
      (id) => ['PUT', `${here()}/strategies/${id}`, { parameters }],
      (id) => change('updateStrategy', { id, parameters, constraints: [], variants: [] }),
    ],
    'an order of strategies': [
      (id) => ['POST', `${here()}/strategies/set-sort-order`, [{ id, sortOrder: 3 }]],
      (id) => change('reorderStrategy', [{ id, sortOrder: 3 }]),
    ],
    'a strategy that is deleted': [
      (id) => ['DELETE', `${here()}/strategies/${id}`],
      (id) => change('deleteStrategy', { id }),
    ],
    variants: [() => ['PUT', `${here()}/variants`, [variant]], () => change('patchVariant', { variants: [variant] })],
    'a patch of variants': [
      () => ['PATCH', `${here()}/variants`, [{ op: 'add', path: '/0', value: variant }]],
      () => change('patchVariant', { variants: [variant] }),
    ],
    'archiving a flag': [() => ['DELETE', path()], () => change('archiveFeature', {})],
    'archiving a list': [
      () => ['POST', `${project}/archive`, { features: [flag] }],
      () => change('archiveFeature', {}),
    ],
    'a dependency': [
      () => ['POST', `${path()}/dependencies`, { feature: 'parent', enabled: false }],
      () => change('addDependency', { feature: 'parent', enabled: false }),
    ],
    'a dependency that is removed': [
      () => ['DELETE', `${path()}/dependencies/parent`],
      () => change('deleteDependency', {}),
    ],
    'a segment': [
      () => ['PUT', `/api/admin/segments/${segment.id}`, { name: 'beta', constraints: [] }],
      () => [{ action: 'updateSegment', payload: { id: segment.id, name: 'beta', constraints: [] } }],
    ],
    'a segment that is deleted': [
      () => ['DELETE', `/api/admin/segments/${segment.id}`],
      () => [{ action: 'deleteSegment', payload: { id: segment.id } }],
    ],
  }
  const variant = { name: 'blue', weight: 1_000, weightType: 'variable', stickiness: 'default' }
  let segment

  before(async () => {
    segment = await host.client.send('POST', 'segments', { name: 'alpha', constraints: [] })
    await host.client.send('POST', 'projects/default/features', { name: 'parent' })
  })

  for (const [name, [write, changes]] of Object.entries(table)) {
    it(name, async () => {
      const { id } = await addStrategy('production')
      const { status, body } = await ann.call(...write(id))
      assert.equal(status, 403, body.message)
      assert.deepEqual(changesIn(await takeDraft()), changes(id))
    })
  }

  it('a patch of a strategy: the complete new strategy', async () => {
    const { id } = await addStrategy('production')
    const patch = [{ op: 'replace', path: '/parameters/rollout', value: '75' }]
    await ann.call('PATCH', `${here()}/strategies/${id}`, patch)
    const [{ payload }] = changesIn(await takeDraft())
    assert.deepEqual(payload.parameters, { ...parameters, rollout: '75' })
  })

  it('nothing for a write that cannot be proposed', async () => {
    assert.equal((await ann.call('POST', `${path()}/clone`, { name: `${flag}-copy` })).status, 403)
    assert.equal(await takeDraft(), undefined)
  })
})
