import type { SubmittedChange } from '../../../src/generated'
import { errorsByField } from '../../../src/page/app/screens/flag/errors'

const constraint = { contextName: 'country', operator: 'IN', values: [] }
const own = {
  enabled: true,
  strategies: [
    { id: 'half', constraints: [constraint] },
    { id: 'new 1', parameters: {} },
  ],
}
const update = { action: 'updateStrategy', feature: 'checkout', payload: { id: 'half', constraints: [constraint] } }
const add = { action: 'addStrategy', feature: 'checkout', payload: { name: 'default' } }
const safeguard = { action: 'changeSafeguard', feature: 'checkout', payload: {} }

const pathsOf = (changes: readonly object[], ...paths: string[]) => [
  ...errorsByField(
    paths.map((path) => ({ path, message: 'Wrong.' })),
    changes as readonly SubmittedChange[],
    { base: own, own },
  ).keys(),
]

describe('a message of the server about an edit', () => {
  it('belongs to the field of the change that it names', () => {
    const changes = [update, add, safeguard]
    expect(pathsOf(changes, '/body/0/payload/constraints/0/values', '/changes/1/payload/name')).toEqual([
      '/strategies/half/constraints/0/values',
      '/strategies/new 1/name',
    ])
    expect(pathsOf(changes, '/body/2/payload/planId', '/body/9/payload/id', 'operator')).toEqual([
      '/others/0/planId',
      '/body/9/payload/id',
      'operator',
    ])
  })

  it('needs no position if one change was sent', () => {
    expect(pathsOf([update], '/body/payload/constraints', '/payload/title', 'operator')).toEqual([
      '/strategies/half/constraints',
      '/strategies/half/title',
      'operator',
    ])
    expect(pathsOf([{ action: 'updateSegment', payload: { id: 1 } }], '/body/payload/name')).toEqual(['/name'])
  })
})
