import { parseSettings } from '../../../src/capabilities/settings/body'
import { expectRejected, labelled } from '../../validation/rejection'

describe('PUT .../change-requests/config', () => {
  it.each([
    [{ changeRequestsEnabled: true }, { changeRequestsEnabled: true, requiredApprovals: null }],
    // As GET .../config returns it if change requests are disabled.
    [
      { changeRequestsEnabled: true, requiredApprovals: null },
      { changeRequestsEnabled: true, requiredApprovals: null },
    ],
    [
      { changeRequestsEnabled: false, requiredApprovals: 0 },
      { changeRequestsEnabled: false, requiredApprovals: 1 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 1 },
      { changeRequestsEnabled: true, requiredApprovals: 1 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 10 },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 11 },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
    [
      { changeRequestsEnabled: true, requiredApprovals: 2 ** 53 - 1, other: null },
      { changeRequestsEnabled: true, requiredApprovals: 10 },
    ],
  ])('accepts %j', (body, expected) => {
    expect(parseSettings(body)).toEqual(expected)
  })

  it.each(
    labelled([
      [{}, '/body/changeRequestsEnabled', 'changeRequestsEnabled is required and missing'],
      [{ changeRequestEnabled: true }, '/body/changeRequestsEnabled', 'is required and missing'],
      [{ changeRequestsEnabled: 'true' }, '/body/changeRequestsEnabled', 'must be boolean, got "true"'],
      [{ changeRequestsEnabled: null }, '/body/changeRequestsEnabled', 'must be boolean, got null'],
      [
        { changeRequestsEnabled: true, requiredApprovals: 1.5 },
        '/body/requiredApprovals',
        'must be integer or null, got 1.5',
      ],
      [
        { changeRequestsEnabled: true, requiredApprovals: '2' },
        '/body/requiredApprovals',
        'must be integer or null, got "2"',
      ],
      [{ changeRequestsEnabled: true, requiredApprovals: -1 }, '/body/requiredApprovals', 'must be at least 0'],
      [{ changeRequestsEnabled: true, requiredApprovals: 2 ** 53 }, '/body/requiredApprovals', 'must be at most'],
    ]),
  )('rejects %s', (_, body, path, message) => {
    expectRejected(parseSettings, body, path, message)
  })
})
