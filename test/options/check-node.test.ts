import { nodeProblem } from '../../src/check-node'

const { engines } = require('../../package.json') as { engines: { node: string } }

describe('nodeProblem(version)', () => {
  it.each(['20.19.0', '20.20.2', '21.0.0', '22.0.0', '24.21.0', '100.0.0'])('accepts %s', (version) => {
    expect(nodeProblem(version)).toBeUndefined()
  })

  it.each(['20.18.3', '20.9.0', '20.2.0', '18.20.8', '16.0.0', '0.12.18'])(
    'names %s and the version needed',
    (version) => {
      expect(nodeProblem(version)).toBe(`express-change-requests needs Node 20.19 or later; this is Node ${version}.`)
    },
  )

  it('accepts the version that runs, and needs the one in package.json', () => {
    expect(nodeProblem()).toBeUndefined()
    expect(engines.node).toBe('>=20.19')
  })
})
