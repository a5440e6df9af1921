import { approvalRecord, closingRecord } from '../../../src/domain/steps/approval-record'
import { changeRequest, digest, facts, flags, vote } from '../support/change-requests'

describe('what is stored about the approvals of a closed change request', () => {
  it('names the rules and the counted approvals of one that is applied', () => {
    const from = { users: [3] }
    const rules = [
      { name: 'owners', environment: 'production', approvals: 1, from, when: { features: ['a'] } },
      { name: 'any', environment: 'staging', approvals: 2 },
    ]
    const approvals = [vote('ben'), vote('cleo', 'sha256:other'), vote('dora')]
    expect(approvalRecord(changeRequest({ approvals }), { ...facts('ann'), rules })).toStrictEqual({
      digest,
      rules: [
        { name: 'owners', environment: 'production', approvals: 1, from },
        { name: 'any', environment: 'staging', approvals: 2 },
      ],
      counted: [2, 4],
    })
  })

  it('has the digest of the last approval if the flags of one that is rejected are unknown', () => {
    const approvals = [vote('ben', 'sha256:first'), vote('cleo', 'sha256:last')]
    const recorded = (known: boolean, votes = approvals) =>
      closingRecord(changeRequest({ approvals: votes }), { digest, flags: known ? flags() : undefined }).digest
    expect([recorded(true), recorded(false), recorded(false, [])]).toEqual([digest, 'sha256:last', digest])
  })
})
