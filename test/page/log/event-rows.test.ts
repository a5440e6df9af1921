import { appliedRows } from '../../../src/page/app/screens/log/event/applied-rows'
import { pastReview } from '../../../src/page/app/screens/log/event/event-facts'
import { differenceWords, eventRows } from '../../../src/page/app/screens/log/event/event-rows'
import { textOf } from '../../../src/page/app/words/spans'

const strategy = (rollout: string, title = '') => ({ name: 'flexibleRollout', title, parameters: { rollout } })

const described = (event: Parameters<typeof eventRows>[0]) =>
  eventRows(event).rows.map(({ label, now, after }) => `${label}: ${textOf(now.words)} → ${textOf(after.words)}`)

describe('what changed in an event', () => {
  it('is shown field by field, in words', () => {
    const event = { type: 'feature-strategy-update', preData: strategy('10'), data: strategy('40', 'All') }
    expect(described(event)).toEqual(['Title: empty → All', 'Rollout: 10 % → 40 %'])
  })

  it('leaves out what is shown elsewhere', () => {
    expect(described({ type: 'change-request-applied', data: { changeRequestId: 1, digest: 'abc' } })).toEqual([])
  })

  it('shows a settings event as switches and numbers', () => {
    const event = {
      type: 'change-request-configuration-updated',
      preData: { changeRequestsEnabled: false, requiredApprovals: 1 },
      data: { changeRequestsEnabled: true, requiredApprovals: 2 },
    }
    expect(described(event)).toEqual(['Change requests: off → on', 'Approvals: 1 → 2'])
  })

  it('is compared like the fields of a review', () => {
    const email = (...values: string[]) => ({ contextName: 'email', operator: 'STR_ENDS_WITH', values })
    const stored = { ...strategy('40'), constraints: [email('@b', '@c'), { ...email('@a'), inverted: false }] }
    const event = {
      type: 'feature-strategy-update',
      preData: { ...strategy('10'), constraints: [email('@a'), email('@c', '@b')], segments: [1, 2] },
      data: { ...stored, segments: [2, 1], disabled: false, variants: [] },
    }
    expect(described(event)).toEqual(['Rollout: 10 % → 40 %'])
  })

  it('of an edited change is the difference of the payloads', () => {
    const change = (rollout: string) => ({ action: 'updateStrategy', feature: 'pay', payload: strategy(rollout) })
    expect(described({ type: 'change-edited', preData: change('10'), data: change('20') })).toEqual([
      'Rollout: 10 % → 20 %',
    ])
  })
})

describe('an event', () => {
  it('with a new order of strategies lists the order', () => {
    const payload = [
      { id: 'b', sortOrder: 1 },
      { id: 'a', sortOrder: 0 },
    ]
    expect(described({ type: 'change-added', data: { action: 'reorderStrategy', payload } })).toEqual([
      'Order: none → a, b',
    ])
  })

  it('can have names that all objects have', () => {
    expect(described({ type: 'own', data: { constructor: 'x' } })).toEqual(['constructor: none → x'])
  })
})

describe('the facts of an apply', () => {
  it('are its approvals, requirements and overwritten fields, in words', () => {
    const data = {
      changeRequestId: 7,
      approvals: [
        { by: { id: 2, username: 'ben' }, at: '2026-03-04T12:00:00.000Z', rules: ['owners', 'security'] },
        { by: { id: 3, username: null }, at: '2026-03-04T12:00:00.000Z', rules: [] },
      ],
      requirements: [
        { name: 'minimum', environment: null, approvals: 2, given: 2 },
        { name: 'owners', environment: 'production', approvals: 1, given: 1 },
      ],
      overwrote: [
        { feature: 'checkout', path: '/title' },
        { segment: 4, path: '/name' },
      ],
      settled: 'operator',
      policy: 'a'.repeat(64),
    }
    const { rows, isDifference } = appliedRows({ type: 'change-request-applied', data })
    expect(isDifference).toBe(false)
    expect(rows.map(({ label, after }) => `${label}: ${textOf(after.words)}`)).toEqual([
      'settled: operator',
      'Approvals: ben (owners, security); user 3',
      'Requirements: minimum, 2 of 2; owners, 1 of 1',
      'Overwrote: /title of checkout; /name of segment 4',
    ])
    expect(appliedRows({ type: 'change-request-applied', data: { changeRequestId: 7 } }).rows).toEqual([])
  })
})

describe('the difference in the line of an event', () => {
  const words = (event: Parameters<typeof eventRows>[0]) => {
    const found = differenceWords(eventRows(event))
    return found && textOf(found)
  }

  it('shows the old and the new value', () => {
    const event = { type: 'feature-strategy-update', preData: strategy('10'), data: strategy('40') }
    expect(words(event)).toBe('rollout 10 % → 40 %')
  })

  it('is empty without a previous state', () => {
    expect(words({ type: 'feature-strategy-add', data: strategy('40') })).toBeNull()
  })

  it('names a long text without its value', () => {
    const event = { type: 'feature-updated', preData: { description: 'a' }, data: { description: 'b'.repeat(100) } }
    expect(words(event)).toBe('description a → …')
  })
})

describe('without review', () => {
  it('is an emergency, with its reason and the missing requirements', () => {
    const missing = [{ name: 'minimum', approvals: 2, given: 1 }]
    const data = { emergency: { reason: ' Retries flood the bank ', missing } }
    expect(pastReview({ type: 'change-request-applied', data })).toEqual({
      kind: 'emergency',
      reason: ' Retries flood the bank ',
      missing: ['minimum, 1 of 2'],
    })
  })

  it('is a write that skipped the review, with or without a reason', () => {
    const data = { skippedChangeRequest: { by: 1, reason: null } }
    expect(pastReview({ type: 'feature-updated', data })).toEqual({ kind: 'skipped', reason: '', missing: [] })
  })

  it('is nothing else', () => {
    expect(pastReview({ type: 'change-request-applied', data: { emergency: true } })).toBeUndefined()
  })
})
