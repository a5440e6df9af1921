const assert = require('node:assert/strict')
const { after, before, describe, it } = require('node:test')
const { startHost } = require('./support/host')
const { createFlag, newName, strategiesOf } = require('./support/open-server')
const { version } = require('./support/version')

const flexible = (parameters, more) => ({ name: 'flexibleRollout', parameters, ...more })
const rolledOut = (rollout) => flexible({ rollout, stickiness: 'default', groupId: 'g' })
const constrained = (constraint) =>
  flexible({ rollout: '50' }, { constraints: [{ contextName: 'userId', operator: 'IN', ...constraint }] })
const split = (...variants) =>
  flexible(
    { rollout: '50', stickiness: 'default', groupId: 'g' },
    { variants: variants.map((one) => ({ stickiness: 'default', weightType: 'variable', ...one })) },
  )

/** Strategies, as clients of the server send them. */
const strategies = {
  'the rollout 0 as a number': rolledOut(0),
  'the rollout 0': rolledOut('0'),
  'the rollout 100 as a number': rolledOut(100),
  'the rollout 100': rolledOut('100'),
  'a rollout with a fraction': rolledOut('75.5'),
  'a rollout above 100': rolledOut('175'),
  'a rollout that is no number': rolledOut('abc'),
  'an empty rollout': rolledOut(''),
  'the rollout null': rolledOut(null),
  'no rollout': flexible({ stickiness: 'default', groupId: 'g' }),
  'no parameters': { name: 'flexibleRollout' },
  'an odd stickiness': flexible({ rollout: '50', stickiness: 'no such field', groupId: '' }),
  'a percentage with a sign': { name: 'gradualRolloutUserId', parameters: { percentage: '+5', groupId: 'g' } },
  'a custom strategy': { name: 'no-such-strategy', parameters: { anything: 'goes', list: '' } },
  'extra properties': { ...rolledOut('50'), extra: { deep: [1] } },
  'a title of null': { ...rolledOut('50'), title: null },
  'a blank title': { ...rolledOut('50'), title: ' ' },
  'a title that is a number': { ...rolledOut('50'), title: 5 },
  'disabled as a text': { ...rolledOut('50'), disabled: 'true' },
  'a position as a text': { ...rolledOut('50'), sortOrder: '3' },
  'a parameter that is a boolean': flexible({ rollout: '50', stickiness: 'default', groupId: true }),
  'a parameter that is an object': flexible({ rollout: '50', stickiness: 'default', groupId: {} }),
  'the parameters null': { name: 'flexibleRollout', parameters: null },
  'the constraints null': { ...rolledOut('50'), constraints: null },
  'the variants null': { ...rolledOut('50'), variants: null },
  'disabled null': { ...rolledOut('50'), disabled: null },
  'an unknown operator': constrained({ operator: 'ROUGHLY', values: ['1'] }),
  'no values': constrained({}),
  'empty values': constrained({ values: [] }),
  'an empty value': constrained({ values: [''] }),
  'values of null': constrained({ values: null }),
  'a value that is a number': constrained({ values: [1] }),
  'a number that is a number': constrained({ operator: 'NUM_EQ', value: 5 }),
  'a field that is a number': constrained({ contextName: 5, values: ['1'] }),
  'inverted as a text': constrained({ values: ['1'], inverted: 'true' }),
  'case-insensitive null': constrained({ values: ['1'], caseInsensitive: null }),
  'a long value': constrained({ values: ['x'.repeat(101)] }),
  'case-insensitive values': constrained({ operator: 'STR_CONTAINS', values: ['a'], caseInsensitive: true }),
  'extra properties of a constraint': constrained({ values: ['1'], extra: true }),
  'a number that is none': constrained({ operator: 'NUM_EQ', value: 'abc' }),
  'a number in hexadecimal': constrained({ operator: 'NUM_EQ', value: '0x10' }),
  'a number with blanks': constrained({ operator: 'NUM_EQ', value: ' 5 ' }),
  'a date that is none': constrained({ operator: 'DATE_AFTER', value: 'tomorrow' }),
  'a day without a time': constrained({ operator: 'DATE_AFTER', value: '2026-03-04' }),
  'a day that does not exist': constrained({ operator: 'DATE_AFTER', value: '2026-02-30' }),
  'a date in words': constrained({ operator: 'DATE_AFTER', value: 'Wed, 04 Mar 2026 12:00:00 GMT' }),
  'a version that is none': constrained({ operator: 'SEMVER_EQ', value: '1.2' }),
  'a version with a v': constrained({ operator: 'SEMVER_EQ', value: 'v1.2.3' }),
  'an expression that does not compile': constrained({ operator: 'REGEX', value: '(' }),
  'an expression with a look-ahead': constrained({ operator: 'REGEX', value: '(?=a)b' }),
  'an inverted expression': constrained({ operator: 'REGEX', value: 'a', inverted: true }),
  'an address that is none': constrained({ operator: 'IN_CIDR', values: ['10.0.0.300'] }),
  'unknown segments': { ...rolledOut('50'), segments: [987_654] },
  'the segments null': { ...rolledOut('50'), segments: null },
  'weights below 1000': split({ name: 'a', weight: 1 }, { name: 'b', weight: 1 }),
  'weights above 1000': split({ name: 'a', weight: 900 }, { name: 'b', weight: 900 }),
  'a weight with a fraction': split({ name: 'a', weight: 333.3 }, { name: 'b', weight: 666.7 }),
  'fixed weights alone': split({ name: 'a', weight: 1000, weightType: 'fix' }),
  'fixed weights above 1000': split({ name: 'a', weight: 1500, weightType: 'fix' }, { name: 'b', weight: 1 }),
  'a weight as a text': split({ name: 'a', weight: '1000' }),
  'a name that is a number': split({ name: 1, weight: 1000 }),
  'a payload that is a number': split({ name: 'a', weight: 1000, payload: { type: 'number', value: 5 } }),
  'variants of one name': split({ name: 'a', weight: 500 }, { name: 'a', weight: 500 }),
  'a variant without a name': split({ name: '', weight: 1000 }),
  'a payload that is no JSON': split({ name: 'a', weight: 1000, payload: { type: 'json', value: '{' } }),
  'a payload of another type': split({ name: 'a', weight: 1000, payload: { type: 'color', value: 'red' } }),
}

const segments = {
  'no constraints': { constraints: [] },
  'an unknown project': { constraints: [], project: 'no-such-project' },
  'a description of null': { constraints: [], description: null },
  'a name that is a number': { constraints: [], name: 5 },
  'extra properties': { constraints: [], extra: 1 },
  'empty values': { constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] },
  'a version that is none': { constraints: [{ contextName: 'userId', operator: 'SEMVER_EQ', value: '1' }] },
}

let host
let ann

before(async () => {
  host = await startHost()
  ann = await host.addPerson({ username: 'ann', role: 'Editor' })
})
after(() => host?.stop())

/** Sends the same body to the server and to the front, and returns what each says. */
async function sendToBoth(method, toPath, body) {
  const taken = await host.client.send(method, await toPath(), body).then(
    () => true,
    () => false,
  )
  const { body: answer } = await ann.call(method, `/api/admin/${await toPath()}`, body)
  const isProposed = /was added to your change request/.test(answer.message)
  if (isProposed) await discardDraft()
  return { taken, isProposed, answer }
}

async function discardDraft() {
  const project = '/api/admin/projects/default/change-requests'
  const [draft] = (await ann.call('GET', `${project}/open`)).body
  await ann.call('DELETE', `${project}/${draft.id}`)
}

/** What the server takes, the front proposes; it may also propose what the server rejects when it is applied. */
function assertNoStricter({ taken, isProposed, answer }) {
  if (taken) assert.ok(isProposed, JSON.stringify(answer))
}

describe('the front refuses no strategy that the server takes', () => {
  const newPath = async () => strategiesOf((await createFlag(host.client)).name)
  const existingPath = async () => {
    const { name, ids } = await createFlag(host.client, { strategies: [rolledOut('5')] })
    return `${strategiesOf(name)}/${ids[0]}`
  }
  const found = []
  for (const [name, body] of Object.entries(strategies)) {
    it(`new, with ${name}`, async () => {
      const both = await sendToBoth('POST', newPath, body)
      found.push(both)
      assertNoStricter(both)
    })
    const skip = version === '6.10' && name === 'a payload of another type' && 'the schema of a change has no such type'
    it(`replaced, with ${name}`, { skip }, async () => assertNoStricter(await sendToBoth('PUT', existingPath, body)))
  }

  it('and both take some and refuse some', () => {
    assert.ok(found.some(({ taken }) => taken) && found.some(({ taken }) => !taken))
    assert.ok(found.some(({ isProposed }) => !isProposed))
  })
})

describe('the front refuses no segment that the server takes', () => {
  const toPath = async () => {
    const { id } = await host.client.send('POST', 'segments', { name: newName('segment'), constraints: [] })
    return `segments/${id}`
  }
  for (const [name, body] of Object.entries(segments)) {
    it(name, async () => assertNoStricter(await sendToBoth('PUT', toPath, { name: newName('renamed'), ...body })))
  }
})
