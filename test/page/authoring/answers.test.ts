import type { ReviewView } from '../../../src/generated'
import { voidedBy } from '../../../src/page/app/reviews/voids'
import { isOutdatedBase, messagesByPath, openRequestIn } from '../../../src/page/app/screens/authoring/model/answers'
import { findChange } from '../../../src/page/app/screens/authoring/model/stored-change'

describe('a message of the server', () => {
  it('belongs to the field of its path', () => {
    const inList = 'operator must be one of "IN", got "" at /body/payload/constraints/0/operator'
    const problems = [
      { message: 'must be boolean, got "x"', path: '/body/payload/enabled' },
      { message: inList, path: 'operator' },
      { message: 'timeRange must be one of "hour", got ""', path: 'timeRange' },
    ]
    expect([...messagesByPath(problems).keys()]).toEqual([
      '/payload/enabled',
      '/payload/constraints/0/operator',
      'timeRange',
    ])
  })
})

describe('a rejected proposal', () => {
  it('names the open change request', () => {
    const path = '/tools/api/admin/projects/my%20shop/change-requests/12'
    expect(openRequestIn({ status: 412, details: [{ message: 'Open.', path }] })).toEqual({
      project: 'my shop',
      id: 12,
    })
    expect(openRequestIn({ status: 412, details: [{ message: 'Outdated.' }] })).toBeUndefined()
    expect(openRequestIn({ status: 400, details: [{ message: 'Open.', path }] })).toBeUndefined()
  })

  it('is based on a flag that was edited since', () => {
    const message = 'Its target was edited.'
    expect(isOutdatedBase({ status: 412, details: [{ message, code: 'outdated-base' }] })).toBe(true)
    expect(isOutdatedBase({ status: 412, details: [{ message, code: 'outdated-revision' }] })).toBe(false)
  })
})

describe('an edit', () => {
  const review = (state: string, approvals: number, presetSchedule: object | null = null) =>
    ({ state, presetSchedule, changeRequest: { approvals: Array(approvals).fill({}) } }) as unknown as ReviewView

  it('states what it voids', () => {
    expect(voidedBy(review('Draft', 0))).toBe('')
    expect(voidedBy(review('In review', 1))).toBe('Voids 1 approval.')
    expect(voidedBy(review('Approved', 2, { withdrawn: null }))).toBe(
      'Voids 2 approvals. Returns it to review. Withdraws its schedule.',
    )
    expect(voidedBy(review('In review', 0, { withdrawn: {} }))).toBe('')
  })

  it('is about the change that replaced the opened one', () => {
    const payload = { enabled: true, snapshot: {} }
    const fields = [{ path: '/enabled', base: false, current: false, proposed: true, overwrites: false }]
    const now = {
      changes: [
        { id: 5, replaces: 3, baseKnown: true, fields },
        { id: 3, replaces: 1 },
      ],
      changeRequest: {
        features: [{ name: 'checkout', changes: [{ id: 5, action: 'updateEnabled', payload }] }],
        segments: [],
      },
    } as unknown as ReviewView
    const found = { id: 5, action: 'updateEnabled', feature: 'checkout', payload: { enabled: true }, fields }
    expect([findChange(now, 1), findChange(now, 5)]).toEqual([found, found])
    expect(findChange(now, 2)).toBeUndefined()
  })
})
