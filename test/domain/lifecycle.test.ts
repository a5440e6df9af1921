import { isOpen, isVisible, type State, type Transition, transitions } from '../../src/domain/lifecycle'
import { states } from '../../src/generated/lists'
import { nextState } from './support/next-state'

/** Row: the current state. Column: the transition. Cell: the state that it leads to, `-` if it is rejected. */
const lifecycle = `
            | change    | submit    | approve   | reject   | schedule  | apply   | cancel
  Draft     | Draft     | In review | -         | -        | -         | -       | Cancelled
  In review | In review | -         | Approved  | Rejected | -         | -       | Cancelled
  Approved  | In review | -         | Approved  | -        | Scheduled | Applied | Cancelled
  Scheduled | -         | -         | Scheduled | Rejected | Scheduled | Applied | -
  Applied   | -         | -         | -         | -        | -         | -       | -
  Cancelled | -         | -         | -         | -        | -         | -       | -
  Rejected  | -         | -         | -         | -        | -         | -       | -
`

const [[, ...columns] = [], ...rows] = lifecycle
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
const cells = rows.flatMap(([state, ...row]) =>
  row.map((next, index) => ({ state: state as State, step: columns[index] as Transition, next })),
)

describe('the lifecycle of a change request', () => {
  it.each(cells)('$state, $step: $next', ({ state, step, next }) => {
    expect(nextState(state, step)).toBe(next === '-' ? undefined : next)
  })

  it('has no other states and steps', () => {
    expect(rows.map(([state]) => state)).toEqual(states)
    expect(columns).toEqual(transitions)
  })

  it.each(states)('%s is open exactly if it accepts changes', (state) => {
    expect(isOpen(state)).toBe(['Draft', 'In review', 'Approved'].includes(state))
  })
})

describe('isVisible(state, authorId, viewer)', () => {
  it.each(states)('%s', (state) => {
    expect([1, 2, null].map((viewer) => isVisible(state, 1, viewer))).toEqual(
      state === 'Draft' ? [true, false, false] : [true, true, true],
    )
  })
})
