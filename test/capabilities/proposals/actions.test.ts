import { parseChanges } from '../../../src/capabilities/proposals/changes-body'
import type { Action } from '../../../src/generated'
import { rejection } from '../../validation/rejection'
import { payloads } from './fixtures/payloads'

const limits = { changesPerRequest: 100 }
const segmentActions: readonly string[] = ['updateSegment', 'deleteSegment']
const payloadMayMiss: readonly string[] = ['archiveFeature', 'deleteDependency']

function body(action: string, payload: unknown) {
  const change = segmentActions.includes(action) ? { action } : { action, feature: 'checkout' }
  return payload === undefined ? change : { ...change, payload }
}

function whole(path: string, list: string): string {
  return path === '' || path.startsWith('/') ? `/body${list}/payload${path}` : path
}

describe.each(Object.entries(payloads))('%s', (action, { accepted, refused }) => {
  it.each(accepted.map((payload) => [JSON.stringify(payload), payload]))('accepts the payload %s', (_, payload) => {
    const kept = action === 'archiveFeature' ? {} : (payload ?? {})
    const feature = segmentActions.includes(action) ? null : 'checkout'
    expect(parseChanges(body(action, payload), limits)).toEqual([{ action, feature, payload: kept }])
  })

  if (refused.length > 0) {
    it.each(refused.map((row) => [JSON.stringify(row[0]), ...row] as const))(
      'rejects the payload %s',
      (_, payload, path, message) => {
        const { details } = rejection(() => parseChanges(body(action, payload), limits))
        expect(details).toEqual([{ path: whole(path, ''), message: expect.stringContaining(message) }])
        const inList = rejection(() =>
          parseChanges([{ action: 'archiveFeature', feature: 'x' }, body(action, payload)], limits),
        )
        expect(inList.details).toEqual([{ path: whole(path, '/1'), message: expect.stringContaining(message) }])
      },
    )
  }

  if (!payloadMayMiss.includes(action)) {
    it('needs a payload', () => {
      const { details } = rejection(() => parseChanges(body(action, undefined), limits))
      expect(details).toEqual([{ path: '/body/payload', message: 'payload is required and missing' }])
    })

    it.each([null, 'text', 1, true])('rejects %p as a payload', (payload) => {
      const { details } = rejection(() => parseChanges(body(action, payload), limits))
      expect(details).toEqual([
        { path: '/body/payload', message: expect.stringMatching(/^must be (object|array), got/) },
      ])
    })
  }
})

describe('the name of the flag', () => {
  const payloadOf = (action: string) => payloads[action as Action].accepted[0]
  const flagActions = Object.keys(payloads).filter((action) => !segmentActions.includes(action))

  it.each(flagActions)('is required by %s', (action) => {
    const { details } = rejection(() => parseChanges({ action, payload: payloadOf(action) }, limits))
    expect(details).toEqual([{ path: '/body/feature', message: 'feature is required and missing' }])
  })

  it.each([undefined, null, 'checkout', 'a b', 12, {}])('is ignored for a segment action (%p)', (feature) => {
    const change = { action: 'deleteSegment', feature, payload: { id: 4 } }
    expect(parseChanges(change, limits)).toEqual([{ action: 'deleteSegment', feature: null, payload: { id: 4 } }])
  })
})
