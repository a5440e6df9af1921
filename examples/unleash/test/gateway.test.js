const { deepEqual, equal, rejects } = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { unleashGateway } = require('../gateway')
const {
  createFlag,
  giveVariants,
  look,
  newName,
  openServer,
  rollout,
  strategiesOf,
  variant,
} = require('./support/open-server')

const place = { project: 'default', environment: 'production' }
let server
let gateway
let attempts = 0

before(async () => {
  server = await openServer()
  gateway = unleashGateway(server)
  await gateway.migrate()
})

after(() => server?.close())

function contextOf() {
  attempts += 1
  return { ...place, applyId: `attempt-${attempts}` }
}

function apply(...changes) {
  return gateway.apply(
    changes.map(([action, feature, payload = {}], index) => ({ id: index + 1, action, feature, payload })),
    contextOf(),
  )
}

describe('current', () => {
  it('returns strategies, parents and whether a flag is enabled', async () => {
    const parent = await createFlag(server.client)
    const { name, ids } = await createFlag(server.client, {
      strategies: [rollout('50')],
      enabled: true,
      parent: parent.name,
    })
    const { features } = await gateway.current({ ...place, features: [name], segments: [] })
    const { strategies, ...flag } = features.get(name)
    const dependencies = [{ feature: parent.name, enabled: true, variants: [] }]
    deepEqual(flag, { archived: false, enabled: true, variants: [], dependencies })
    deepEqual(
      strategies.map(({ id, parameters }) => [id, parameters.rollout]),
      [[ids[0], '50']],
    )
  })

  it('returns archived flags as archived, and leaves out flags that are deleted or in another project', async () => {
    const { name } = await createFlag(server.client)
    await server.client.send('POST', 'projects/default/archive', { features: [name] })
    const { features } = await gateway.current({ ...place, features: [name, 'no-such-flag'], segments: [] })
    deepEqual([...features], [[name, { archived: true, enabled: false }]])
  })

  it('returns segments, and leaves out deleted ones', async () => {
    const segment = await server.client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
    const { segments } = await gateway.current({ ...place, features: [], segments: [segment.id, 999_999] })
    deepEqual([...segments.keys()], [segment.id])
  })

  it('returns which of the mentioned segments and templates do not exist', async () => {
    const segment = await server.client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
    const subjects = { ...place, features: [], segments: [segment.id, 999_998] }
    const mentions = { segments: [segment.id, 999_998, 999_999], templates: ['careful'] }
    const { segments, missing } = await gateway.current({ ...subjects, mentions })
    deepEqual([...segments.keys()], [segment.id])
    deepEqual(missing, { segments: [999_998, 999_999], templates: ['careful'] })
    equal((await gateway.current(subjects)).missing, undefined)
  })

  it('returns the default strategy of the project', async () => {
    const strategy = { ...rollout('7'), constraints: [] }
    await server.client.send('POST', 'projects/default/environments/production/default-strategy', strategy)
    const { defaultStrategy } = await gateway.current({ ...place, features: [], segments: [] })
    equal(defaultStrategy.parameters.rollout, '7')
  })
})

describe('apply', () => {
  it('enables and disables a flag', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('50')] })
    deepEqual(await apply(['updateEnabled', name, { enabled: true }]), [
      { type: 'feature-environment-enabled', featureName: name },
    ])
    equal((await look(server.client, name)).enabled, true)
    await apply(['updateEnabled', name, { enabled: false }])
    equal((await look(server.client, name)).enabled, false)
  })

  it('adds, alters, reorders and deletes strategies', async () => {
    const { name, ids } = await createFlag(server.client, {
      strategies: [rollout('10'), rollout('20', { title: 'second' })],
      enabled: true,
    })
    const events = await apply(
      ['addStrategy', name, { ...rollout('30'), constraints: [], sortOrder: 0.5 }],
      ['updateStrategy', name, { id: ids[1], title: null, parameters: rollout('25').parameters }],
      ['reorderStrategy', name, [{ id: ids[1], sortOrder: 0 }]],
      ['deleteStrategy', name, { id: ids[0] }],
    )
    deepEqual(
      events.map(({ type }) => type),
      ['feature-strategy-add', 'feature-strategy-update', 'strategy-order-changed', 'feature-strategy-remove'],
    )
    const { enabled, strategies } = await look(server.client, name)
    deepEqual(
      [enabled, strategies.map(({ title, parameters }) => [title, parameters.rollout])],
      [
        true,
        [
          [null, '25'],
          [null, '30'],
        ],
      ],
    )
  })

  it('keeps properties of a strategy that an update does not send', async () => {
    const { name, ids } = await createFlag(server.client, {
      strategies: [
        rollout('10', { title: 'kept', constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] }),
      ],
    })
    await apply(['updateStrategy', name, { id: ids[0], parameters: rollout('90').parameters }])
    const [strategy] = (await look(server.client, name)).strategies
    deepEqual([strategy.title, strategy.constraints.length, strategy.parameters.rollout], ['kept', 1, '90'])
  })

  it('activates the strategies there were, on request', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10', { disabled: true })] })
    await apply(['updateEnabled', name, { enabled: true, shouldActivateDisabledStrategies: true }])
    const { enabled, strategies } = await look(server.client, name)
    deepEqual([enabled, strategies.map(({ disabled }) => disabled)], [true, [false]])
  })

  it('reorders strategies', async () => {
    const { name, ids } = await createFlag(server.client, { strategies: [rollout('10'), rollout('20')] })
    const events = await apply([
      'reorderStrategy',
      name,
      [
        { id: ids[1], sortOrder: 0 },
        { id: ids[0], sortOrder: 1 },
      ],
    ])
    deepEqual(events, [
      {
        type: 'strategy-order-changed',
        featureName: name,
        data: { strategyIds: [ids[1], ids[0]] },
        preData: { strategyIds: ids },
      },
    ])
  })

  it('replaces and removes variants', async () => {
    const { name } = await createFlag(server.client)
    const old = { ...variant('old'), weight: 1_000 }
    await giveVariants(server, name, [old])
    const [event] = await apply(['patchVariant', name, { variants: [variant('blue'), variant('red')] }])
    const weights = async () => (await look(server.client, name)).variants.map((each) => [each.name, each.weight])
    const halves = [
      ['blue', 500],
      ['red', 500],
    ]
    deepEqual(await weights(), halves)
    const { data, preData, ...rest } = event
    deepEqual(rest, { type: 'feature-environment-variants-updated', featureName: name })
    deepEqual([data.variants.map((each) => [each.name, each.weight]), preData.variants], [halves, [old]])
    await apply(['patchVariant', name, { variants: [] }])
    deepEqual(await weights(), [])
  })

  it('returns the change of a new strategy', async () => {
    const { name } = await createFlag(server.client)
    const twins = [1, 2].map(() => ['addStrategy', name, { ...rollout('30'), constraints: [] }])
    const events = await apply(['updateEnabled', name, { enabled: true }], ...twins)
    const added = events.filter(({ type }) => type === 'feature-strategy-add')
    deepEqual(
      added.map(({ changeId }) => changeId),
      [2, 3],
    )
    equal(new Set(added.map(({ data }) => data.id)).size, 2)
  })

  it('adds, replaces and deletes dependencies', async () => {
    const [one, two, child] = [
      await createFlag(server.client),
      await createFlag(server.client),
      await createFlag(server.client),
    ]
    await apply(['addDependency', child.name, { feature: one.name }])
    await apply(['addDependency', child.name, { feature: two.name, enabled: false, variants: ['ignored'] }])
    deepEqual((await look(server.client, child.name)).dependencies, [
      { feature: two.name, enabled: false, variants: [] },
    ])
    await apply(['deleteDependency', child.name])
    deepEqual((await look(server.client, child.name)).dependencies, [])
  })

  it('alters and deletes segments', async () => {
    const { id } = await server.client.send('POST', 'segments', {
      name: newName('segment'),
      description: 'd',
      constraints: [],
    })
    const name = newName('segment')
    const [event] = await apply([
      'updateSegment',
      null,
      { id, name, description: null, constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] },
    ])
    deepEqual(
      [event.type, event.preData.description, event.data.description, event.data.constraints.length],
      ['segment-updated', 'd', null, 1],
    )
    await apply(['deleteSegment', null, { id }])
    equal(await server.client.find(`segments/${id}`), undefined)
  })

  it('archives a parent together with its child', async () => {
    const parent = await createFlag(server.client)
    const child = await createFlag(server.client, { parent: parent.name })
    const events = await apply(['archiveFeature', parent.name], ['archiveFeature', child.name])
    deepEqual(
      events.map(({ type, featureName }) => [type, featureName]),
      [
        ['feature-archived', parent.name],
        ['feature-archived', child.name],
        ['feature-dependencies-removed', child.name],
      ],
    )
    equal(await look(server.client, parent.name), null)
  })

  it('does nothing if the target state is reached', async () => {
    const { name } = await createFlag(server.client)
    deepEqual(await apply(['updateEnabled', name, { enabled: false }], ['deleteStrategy', name, { id: 'gone' }]), [])
  })

  it('runs an apply once', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    const context = contextOf()
    const changes = [{ id: 1, action: 'updateEnabled', feature: name, payload: { enabled: true } }]
    const events = await gateway.apply(changes, context)
    await rejects(gateway.apply(changes, context), { name: 'ConflictError' })
    deepEqual(await gateway.outcome(context.applyId), events)
  })

  it('rejects an apply whose outcome was reported as not applied', async () => {
    const { name } = await createFlag(server.client, { strategies: [rollout('10')] })
    const context = contextOf()
    equal(await gateway.outcome(context.applyId), null)
    const changes = [{ id: 1, action: 'updateEnabled', feature: name, payload: { enabled: true } }]
    await rejects(gateway.apply(changes, context), { name: 'ConflictError' })
    equal((await look(server.client, name)).enabled, false)
  })
})

describe('apply of changes that do not fit', () => {
  const cases = [
    [
      'a flag that is archived',
      async ({ name }) => {
        await server.client.send('POST', 'projects/default/archive', { features: [name] })
        return [['updateEnabled', name, { enabled: true }]]
      },
    ],
    ['a strategy that is gone', async ({ name }) => [['updateStrategy', name, { id: 'gone' }]]],
    ['a segment that is gone', async () => [['updateSegment', null, { id: 999_999, name: 'gone', constraints: [] }]]],
    [
      'variants for a flag without any',
      async ({ name }) => [
        ['updateEnabled', name, { enabled: true }],
        ['patchVariant', name, { variants: [variant('blue')] }],
      ],
    ],
    [
      'a parent that is gone',
      async ({ name }) => [
        ['updateEnabled', name, { enabled: true }],
        ['addDependency', name, { feature: 'no-such-flag' }],
      ],
    ],
    [
      'a flag that others depend on',
      async ({ name }) => {
        await createFlag(server.client, { parent: name })
        return [
          ['updateEnabled', name, { enabled: true }],
          ['archiveFeature', name],
        ]
      },
    ],
    [
      'a kind of strategy that does not exist',
      async ({ name }) => [
        ['updateEnabled', name, { enabled: true }],
        ['addStrategy', name, { name: 'no-such-kind', parameters: {}, constraints: [] }],
      ],
    ],
    [
      'a segment in use',
      async ({ name }) => {
        const { id } = await server.client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
        await server.client.send('POST', strategiesOf(name), rollout('5', { segments: [id] }))
        return [
          ['updateEnabled', name, { enabled: true }],
          ['deleteSegment', null, { id }],
        ]
      },
    ],
  ]
  for (const [what, prepare] of cases) {
    it(`is rejected as a conflict and changes nothing: ${what}`, async () => {
      const flag = await createFlag(server.client, { strategies: [rollout('10')] })
      const changes = await prepare(flag)
      const before = await look(server.client, flag.name)
      await rejects(apply(...changes), { name: 'ConflictError' })
      deepEqual(await look(server.client, flag.name), before)
    })
  }
})
