const { createFlag, giveVariants, look, newName, rollout, variant } = require('./open-server')

/** Flags and segments, and changes of them that need each kind of step. */
async function prepareStory(server) {
  const { client } = server
  const goesOn = await createFlag(client, { strategies: [rollout('10'), rollout('20'), rollout('30')] })
  const goesOff = await createFlag(client, { strategies: [rollout('40')], enabled: true })
  const goes = await createFlag(client)
  for (const { name } of [goesOn, goesOff]) await giveVariants(server, name, [{ ...variant('old'), weight: 1_000 }])
  const altered = await client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
  const deleted = await client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }]
  const changes = [
    ['updateEnabled', goesOff.name, { enabled: false }],
    ['updateSegment', null, { id: altered.id, name: altered.name, constraints }],
    ['addDependency', goesOn.name, { feature: goesOff.name }],
    ['addStrategy', goesOn.name, { ...rollout('50'), constraints: [] }],
    ['updateStrategy', goesOn.name, { id: goesOn.ids[1], title: 'altered' }],
    ['reorderStrategy', goesOn.name, [{ id: goesOn.ids[2], sortOrder: 0 }]],
    ['patchVariant', goesOn.name, { variants: [variant('blue'), variant('red')] }],
    ['patchVariant', goesOff.name, { variants: [] }],
    ['deleteStrategy', goesOn.name, { id: goesOn.ids[0] }],
    ['deleteSegment', null, { id: deleted.id }],
    ['updateEnabled', goesOn.name, { enabled: true }],
    ['archiveFeature', goes.name],
  ].map(([action, feature, payload = {}], index) => ({ id: index + 1, action, feature, payload }))

  /** The state of all of it, without the names. */
  async function lookAround() {
    const { dependencies, ...flag } = await look(client, goesOn.name)
    return {
      goesOn: { ...flag, hasParent: dependencies.length > 0 },
      goesOff: await look(client, goesOff.name),
      goes: (await look(client, goes.name)) !== null,
      altered: (await client.find(`segments/${altered.id}`)).constraints,
      deleted: (await client.find(`segments/${deleted.id}`)) !== undefined,
    }
  }
  return { changes, lookAround }
}

module.exports = { prepareStory }
