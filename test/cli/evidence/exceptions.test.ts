import { exceptionsOf } from '../../../src/cli/api/evidence/exceptions'
import type { LoggedEvent } from '../../../src/cli/api/evidence/lines'

const facts = { acknowledgements: new Map(), reasons: new Map() }
const event = (type: string, data: object, more: object = {}) =>
  ({
    ...{ id: 7, createdAt: '2026-07-01T08:00:00.000Z', type, createdBy: 'ann', createdByUserId: 1 },
    ...{ project: 'shop', environment: 'production', data, preData: null, ...more },
  }) as unknown as LoggedEvent
const found = (one: LoggedEvent) => exceptionsOf(one, facts).map(({ kind, who, why }) => [kind, who, why])

const skipped = { by: 'ben', id: 2, kind: 'person', reason: null, freeze: null }
const configuration = 'change-request-configuration-updated'

describe('the exceptions that an event shows', () => {
  it.each([
    [
      'a write that the gate let through',
      event('feature-updated', { skippedChangeRequest: skipped }),
      [['gate-skipped', 'ben (2)', '']],
    ],
    [
      'the same, of a key without a user, while the freezes could not be read',
      event('feature-updated', { skippedChangeRequest: { ...skipped, by: null, id: null, freeze: 'unknown' } }),
      [
        ['gate-skipped', '', ''],
        ['freeze-passed', '', 'unknown'],
      ],
    ],
    [
      'an emergency that nobody acknowledged, of an earlier version',
      event('change-request-applied', {
        changeRequestId: 3,
        emergency: { reason: 'It fails.', missing: [{ name: 'minimum', approvals: 2, given: 1 }] },
      }),
      [['emergency', 'ann (1)', 'It fails. Not acknowledged.']],
    ],
    [
      'an ordinary apply',
      event('change-request-applied', { changeRequestId: 3, trial: [{ kind: 'rule', name: 'x', met: true }] }),
      [],
    ],
    ['an approval', event('change-request-approval-added', { changeRequestId: 3, digest: 'sha256:0' }), []],
    [
      'a submit after an approval was taken back',
      event('change-request-sent-to-review', { changeRequestId: 3, takenBack: true }),
      [],
    ],
    [
      'an objection that ended in any other way than by a dismissal',
      event('change-request-rejected', {
        objections: [{ by: { id: 1 }, at: '', how: 'closed', endedBy: { id: 2 }, endedAt: '' }],
      }),
      [],
    ],
    [
      'settings that are stricter',
      event(
        configuration,
        { changeRequestsEnabled: true, requiredApprovals: 2 },
        { preData: { changeRequestsEnabled: false, requiredApprovals: 1 } },
      ),
      [],
    ],
    [
      'settings that are lower and off',
      event(
        configuration,
        { changeRequestsEnabled: false, requiredApprovals: 1 },
        { preData: { changeRequestsEnabled: true, requiredApprovals: 2 } },
      ),
      [
        ['settings-lowered', 'ann (1)', 'production: 2 approvals before, 1 after.'],
        ['settings-off', 'ann (1)', 'production: change requests were disabled.'],
      ],
    ],
  ])('%s', (_name, one, expected) => {
    expect(found(one)).toEqual(expected)
  })
})
