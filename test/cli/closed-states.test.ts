import { closedStates } from '../../src/cli/api/report'
import * as lifecycle from '../../src/domain/lifecycle'

describe('the closed states of the commands', () => {
  it('are those of the lifecycle', () => {
    expect([...closedStates].sort()).toEqual([...lifecycle.closedStates].sort())
  })
})
