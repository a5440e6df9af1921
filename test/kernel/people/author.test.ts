import { requirePerson, signatureOf, toActor, toPerson } from '../../../src/kernel/host/author'
import { createFixture, type FixtureOptions, rejection } from '../support/fixture'

const options = (more: FixtureOptions = {}) => createFixture(more).services.options

describe('toActor', () => {
  it.each([null, undefined, false, '', 0])('%p is nobody', (answer) => {
    expect(toActor(answer)).toBeNull()
  })

  it.each([{ id: 1 }, { id: null }, { id: Number.MAX_SAFE_INTEGER, username: 'ann', team: 'x' }])(
    '%p is the caller, unchanged',
    (answer) => {
      expect(toActor(answer)).toBe(answer)
    },
  )

  it.each([
    ['secret-key', 'a string'],
    [true, 'a boolean'],
    [7, 'a number'],
    [[], 'an array'],
    [() => {}, 'a function'],
  ])('%p is a fault of the host; only the type is logged', async (answer, came) => {
    expect(await rejection(async () => toActor(answer))).toMatchObject({
      name: 'UnknownError',
      cause: {
        message: `authenticate returned ${came}; it must be an object with an id, or null for an unknown caller.`,
      },
    })
  })

  it.each([
    [{}, 'undefined'],
    [{ id: 0 }, '0'],
    [{ id: -1 }, '-1'],
    [{ id: 1.5 }, '1.5'],
    [{ id: '1' }, "'1'"],
    [{ id: 2 ** 53 }, '9007199254740992'],
  ])('%p has no id that can be stored', async (answer, named) => {
    expect(await rejection(async () => toActor(answer))).toMatchObject({
      cause: { message: `authenticate returned the id ${named}; it must be a positive integer or null.` },
    })
  })

  it.each(['payments', [1], {}])(
    '%p are invalid groups: a part of a text must not count for a rule',
    async (groups) => {
      expect(await rejection(async () => toActor({ id: 1, groups }))).toMatchObject({
        cause: { message: expect.stringMatching(/^authenticate returned the groups .*; it must be a list of names/) },
      })
    },
  )
})

describe('toActor of a machine', () => {
  const ann = { id: 1, username: 'ann' }

  it.each([
    { id: 9, kind: 'service', onBehalfOf: ann },
    { id: 9, kind: 'agent', onBehalfOf: { id: 1 } },
    { id: 9, kind: 'agent' },
    { id: 9, kind: 'person', onBehalfOf: null },
    { id: 9, kind: null },
  ])('%j is the caller, unchanged', (answer) => {
    expect(toActor(answer)).toBe(answer)
  })

  it.each([
    [{ kind: 'robot' }, "the kind 'robot'; it must be one of person, service, agent, or left out."],
    [{ kind: ['agent'] }, 'the kind '],
    [{ onBehalfOf: ann }, 'left out: a person acts for nobody.'],
    [{ kind: 'person', onBehalfOf: ann }, 'left out: a person acts for nobody.'],
    [{ kind: 'agent', onBehalfOf: { id: 9 } }, 'another user than the machine itself.'],
    [{ kind: 'agent', onBehalfOf: { id: 0 } }, 'an object with a positive integer as id, and a username or none.'],
    [{ kind: 'agent', onBehalfOf: 'ann' }, 'an object with a positive integer as id, and a username or none.'],
    [{ kind: 'agent', onBehalfOf: { id: 1, username: {} } }, 'a username or none.'],
  ])('%j is a fault of the host, which the log describes', async (answer, named) => {
    expect(await rejection(async () => toActor({ id: 9, ...answer }))).toMatchObject({
      name: 'UnknownError',
      cause: { message: expect.stringContaining(named) },
    })
  })
})

/** @see contract 5.2 */
describe('toPerson', () => {
  it.each([
    [{ name: 'Ann Lee', email: 'ann@example.com', username: 'ann' }, 'Ann Lee'],
    [{ name: ' ', email: 'ann@example.com', username: 'ann' }, 'ann@example.com'],
    [{ email: '', username: 'ann' }, 'ann'],
    [{ email: null }, null],
  ])('shows %p as %p', (names, username) => {
    expect(toPerson({ id: 1, ...names }, options())).toEqual({ id: 1, username, imageUrl: null })
  })

  it('prefers the picture of the host app to a gravatar, and has none without that option', () => {
    const ann = { id: 1, email: 'ann@example.com' }
    const pictured = { ...ann, imageUrl: 'https://example.com/ann.png' }
    expect(toPerson(pictured, options({ gravatar: true })).imageUrl).toBe('https://example.com/ann.png')
    expect(toPerson(pictured, options()).imageUrl).toBe('https://example.com/ann.png')
    expect(toPerson(ann, options()).imageUrl).toBeNull()
  })

  it.each([
    // Each is the SHA-256 of the address or name in small letters.
    [
      { email: ' Ann@Example.com ', username: 'other' },
      '71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476',
    ],
    [{ email: '', username: 'ann' }, '49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1'],
    [{}, '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b'],
  ])('returns the URL of the gravatar of %p', (names, hash) => {
    const { imageUrl } = toPerson({ id: 1, ...names }, options({ gravatar: true }))
    expect(imageUrl).toBe(`https://gravatar.com/avatar/${hash}?s=42&d=retro&r=g`)
  })
})

/** @see contract 8.3 */
describe('signatureOf', () => {
  it.each([
    [{ email: 'ann@example.com', username: 'ann', name: 'Ann' }, 'ann@example.com'],
    [{ username: 'ann', name: 'Ann' }, 'ann'],
    [{ name: 'Ann' }, 'unknown'],
  ])('names %p as %s', (names, signature) => {
    expect(signatureOf({ id: 1, ...names }, '192.0.2.7', options())).toEqual({ signature, ip: null })
  })

  it('has the address of the caller only with the option recordIp', () => {
    const recording = options({ recordIp: true })
    expect(signatureOf({ id: 1 }, '192.0.2.7', recording).ip).toBe('192.0.2.7')
    expect(signatureOf({ id: 1 }, undefined, recording).ip).toBeNull()
  })
})

describe('requirePerson', () => {
  it('is the person and the signature, as they are stored', () => {
    const ann = { id: 1, username: 'ann', name: 'Ann Lee' }
    expect(requirePerson(ann, '192.0.2.7', { options: options({ recordIp: true }) })).toEqual({
      person: { id: 1, username: 'Ann Lee', imageUrl: null },
      signature: 'ann',
      ip: '192.0.2.7',
    })
  })

  it('rejects a key without a user id', async () => {
    expect(await rejection(async () => requirePerson({ id: null }, undefined, { options: options() }))).toMatchObject({
      name: 'OperationDeniedError',
      message: 'This API key has no user id. Use the API key of a user.',
    })
  })
})
