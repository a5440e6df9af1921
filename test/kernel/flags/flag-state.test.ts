import type { CurrentOptions, FlagState, Subjects } from '../../../src'
import type { ChangeRequest, JsonValue, NewChange } from '../../../src/domain/change-request'
import { digestOf, hashOf } from '../../../src/kernel/digest'
import {
  currentFlags,
  currentFlagsOf,
  groupByPlace,
  lockedFlags,
  placeOf,
  previewOf,
} from '../../../src/kernel/host/flag-state'
import { ulid } from '../../../src/kernel/step/flag-events'
import { createFixture, enable, renameSegment } from '../support/fixture'
import { HostFlags } from '../support/flags'

/** A gateway that records its calls. */
function gateway() {
  const flags = new HostFlags()
  const asked: unknown[] = []
  return {
    asked,
    flags: {
      current(subjects: Subjects, options?: CurrentOptions) {
        asked.push(options === undefined ? subjects : [subjects, options])
        return flags.current(subjects)
      },
      apply: async () => [],
    },
  }
}

async function draft() {
  const fixture = createFixture()
  const changes = [enable(), enable('search'), enable(), renameSegment(4), renameSegment(4)]
  return (await fixture.propose('ann', changes)).changeRequest
}

const nothing = { segments: [], templates: [] }
const subjects = {
  ...{ project: 'shop', environment: 'production', features: ['checkout', 'search'], segments: [4] },
  mentions: nothing,
}

describe('currentFlagsOf', () => {
  it('reads each flag and segment of the change requests once', async () => {
    const { asked, flags } = gateway()
    const changeRequest = await draft()
    const state = await currentFlagsOf(createFixture({ flags }).services, [changeRequest, changeRequest])
    expect(asked).toEqual([subjects])
    expect([...(state?.features.keys() ?? [])]).toEqual(['checkout', 'search'])
  })

  it('calls nothing for no change requests, and is undefined without a gateway', async () => {
    const { asked, flags } = gateway()
    expect(await currentFlagsOf(createFixture({ flags }).services, [])).toBeUndefined()
    expect(asked).toEqual([])
    expect(await currentFlagsOf(createFixture().services, [await draft()])).toBeUndefined()
  })
})

describe('what changes mention', () => {
  const add = (segments: number[]): NewChange => ({
    ...{ action: 'addStrategy', feature: 'checkout' },
    payload: { name: 'default', constraints: [], parameters: {}, segments },
  })
  const plan: NewChange = { action: 'addReleasePlan', feature: 'checkout', payload: { templateId: 't1' } }

  /** A gateway with a default strategy that has two segments. It only knows the segment 4. */
  function checking(enabled = false) {
    const asked: Subjects[] = []
    const flags = new HostFlags()
    flags.enabled = enabled
    const current = async (about: Subjects): Promise<FlagState> => {
      asked.push(about)
      const segments = about.mentions?.segments.filter((id) => id !== 4) ?? []
      const defaultStrategy = { name: 'default', segments: [4, 7] }
      return { ...(await flags.current(about)), defaultStrategy, missing: { segments } }
    }
    return { asked, flags: { current, apply: async () => [] } }
  }

  it('is named to the gateway, each once', async () => {
    const { asked, flags } = gateway()
    const { services, propose } = createFixture({ flags })
    const { changeRequest } = await propose('ann', [add([4, 9]), add([9, 1.5]), plan, plan, renameSegment(3)])
    asked.length = 0
    await currentFlagsOf(services, [changeRequest])
    expect(asked).toEqual([expect.objectContaining({ mentions: { segments: [4, 9], templates: ['t1'] } })])
  })

  it('includes the segments of the default strategy where that may be added', async () => {
    const { asked, flags } = checking()
    const state = await currentFlags(createFixture({ flags }).services, {
      ...subjects,
      mentions: { ...nothing, segments: [9] },
    })
    expect(asked.map(({ features, mentions }) => [features.length, mentions?.segments])).toEqual([
      [2, [9]],
      [0, [4, 7]],
    ])
    expect(state?.missing).toEqual({ segments: [9, 7] })
    expect([...(state?.features.keys() ?? [])]).toEqual(['checkout', 'search'])
  })

  it('includes them in the transaction, too', async () => {
    const { asked, flags } = checking()
    const options = { transaction: 'trx', forUpdate: true } as const
    const state = await lockedFlags(createFixture({ flags }).services, await draft(), options)
    expect([asked.length, state?.missing]).toEqual([2, { segments: [7] }])
  })

  it.each([
    ['of flags that are on', true, subjects],
    ['if nothing is to be checked', false, { ...subjects, mentions: undefined }],
  ])('does not include them %s', async (_, enabled, about) => {
    const { asked, flags } = checking(enabled)
    await currentFlags(createFixture({ flags }).services, about as Subjects)
    expect(asked).toHaveLength(1)
  })
})

describe('lockedFlags', () => {
  it('passes the transaction, and throws the errors of the gateway', async () => {
    const { asked, flags } = gateway()
    const options = { transaction: 'trx', forUpdate: true } as const
    await lockedFlags(createFixture({ flags }).services, await draft(), options)
    expect(asked).toEqual([[subjects, options]])
    expect(await lockedFlags(createFixture().services, await draft(), options)).toBeUndefined()
    const failure = new Error('out of order')
    const broken = createFixture({ flags: { ...flags, current: () => Promise.reject(failure) } })
    await expect(lockedFlags(broken.services, await draft(), options)).rejects.toBe(failure)
  })
})

describe('previewOf', () => {
  it('has the implied changes, and a digest of everything that would be applied', async () => {
    const changeRequest = await draft()
    const flags = new HostFlags()
    flags.strategies = []
    const before = await flags.current(subjects)
    const preview = previewOf(changeRequest, before)
    expect([...preview.defaultChanges.keys()]).toEqual(['checkout', 'search'])
    expect(preview).toMatchObject({ before, digest: digestOf(changeRequest, preview.defaultChanges) })
    expect(preview.digest).not.toBe(digestOf(changeRequest))
  })
})

describe('digestOf', () => {
  const changes = [
    {
      id: 1,
      action: 'updateEnabled',
      feature: 'checkout',
      payload: { enabled: true },
      createdBy: { id: 1, username: 'ann', imageUrl: null },
      createdAt: '2026-03-04T12:00:00.000Z',
    },
  ] as const
  const plain = 'sha256:c662a0239f3aac8fc003e84f615cdb32788aff0c55c0cc05e03fbaeec2e0faae'
  const strategy = (payload: { [key: string]: string }) =>
    new Map([['checkout', { action: 'addStrategy', feature: 'checkout', payload }]] as const)

  it('never changes, because stored votes depend on it', () => {
    expect(digestOf({ changes })).toBe(plain)
    expect(digestOf({ changes }, strategy({ name: 'default', title: 'all' }))).toBe(
      'sha256:96f90f2c5dfb230fbddec417000126327ba35e8a500aea8707498791ae598936',
    )
    const based = changes.map((one) => ({ ...one, baseHash: hashOf({ enabled: false }) }))
    expect(digestOf({ changes: based })).toBe('sha256:3e4cf547f895c03de2cce9cc8aba3001ad96f46416edbab646ab373f491e640d')
  })

  it('contains only the hash of the base, so that no list hashes a whole base', () => {
    const [one] = changes
    const unread = { ...one, baseHash: 'sha256:x' }
    Object.defineProperty(unread, 'base', {
      get: () => {
        throw new Error('The base was read.')
      },
    })
    expect(digestOf({ changes: [unread] })).not.toBe(digestOf({ changes: [{ ...one, baseHash: 'sha256:y' }] }))
  })

  it.each([{ id: 2 }, { action: 'addStrategy' }, { feature: 'search' }, { payload: {} }, { baseHash: 'sha256:x' }])(
    'differs for a change with other %p',
    (more) => {
      expect(digestOf({ changes: [{ ...changes[0], ...more }] as unknown as ChangeRequest['changes'] })).not.toBe(plain)
    },
  )

  it('does not depend on the author of the change or on the order of keys', () => {
    const other = { ...changes[0], createdBy: { id: 9, username: null, imageUrl: null }, createdAt: 'later' }
    expect(digestOf({ changes: [other] })).toBe(plain)
    const digest = digestOf({ changes }, strategy({ name: 'default', title: 'all' }))
    expect(digestOf({ changes }, strategy({ title: 'all', name: 'default' }))).toBe(digest)
    expect(hashOf({ b: [{ d: 1, c: 2 }], a: null })).toBe(hashOf({ a: null, b: [{ c: 2, d: 1 }] }))
    expect(hashOf(null)).not.toBe(hashOf({}))
  })

  it('hashes a base in its canonical form, and what was sent as it is', () => {
    expect(hashOf({ segments: [1, 2], disabled: false })).toBe(hashOf({ segments: [2, 1] }))
    const digests = [
      [1, 2],
      [2, 1],
    ].map((segments) => digestOf({ changes: [{ ...changes[0], payload: { segments } }] }))
    expect(digests[0]).not.toBe(digests[1])
  })

  it('hashes an implied change in its canonical form, because the gateway returns it', () => {
    const digestWith = (payload: JsonValue) =>
      digestOf({ changes }, new Map([['checkout', { action: 'addStrategy', feature: 'checkout', payload }]]))
    const digest = digestWith({ name: 'default', segments: [1, 2], parameters: { rollout: 50 }, title: '' })
    expect(digest).toBe(
      digestWith({ parameters: { rollout: '50' }, disabled: false, segments: [2, 1], name: 'default' }),
    )
    expect(digest).not.toBe(digestWith({ name: 'default', segments: [1], parameters: { rollout: '50' } }))
  })
})

describe('places', () => {
  it('groups by project and environment, in order', () => {
    const items = ['a/x', 'b/x', 'a/y', 'a/x'].map((place, index) => {
      const [project = '', environment = ''] = place.split('/')
      return { project, environment, index }
    })
    const groups = [...groupByPlace(items)].map(([place, group]) => [place, group.map(({ index }) => index)])
    expect(groups).toEqual([
      ['a/x', [0, 3]],
      ['b/x', [1]],
      ['a/y', [2]],
    ])
    expect(placeOf({ project: 'shop', environment: 'production' })).toBe('shop/production')
  })
})

describe('ulid', () => {
  it('has the time in ten characters, and sixteen random ones', () => {
    expect(ulid(new Date(0))).toMatch(/^0{10}[0-9A-HJKMNP-TV-Z]{16}$/)
    expect(ulid(new Date('2026-03-04T12:00:00.000Z')).slice(0, 10)).toBe('01KJWBG7G0')
    expect(ulid(new Date(1)).slice(0, 10)).toBe('0000000001')
    expect(ulid(new Date(32)).slice(0, 10)).toBe('0000000010')
    expect(new Set(Array.from({ length: 100 }, () => ulid(new Date(0)))).size).toBe(100)
  })
})
