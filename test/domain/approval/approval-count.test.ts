import { approvalCountText, isApprovalCount, toApprovalCount } from '../../../src/domain/approval/check-rules'

describe('the number of approvals', () => {
  it.each([
    [0, false, 1],
    [1, true, 1],
    [2.5, false, 2.5],
    [10, true, 10],
    [11, false, 10],
    [-1, false, 1],
  ])('%d can be required: %s; the nearest is %d', (value, expected, nearest) => {
    expect(isApprovalCount(value)).toBe(expected)
    expect(toApprovalCount(value)).toBe(nearest)
  })

  it('is no text', () => {
    expect(isApprovalCount('1')).toBe(false)
  })

  it('is described', () => {
    expect(approvalCountText).toBe('a whole number from 1 to 10')
  })
})
