import express from 'express'
import {
  type Authenticate,
  type Authorize,
  ChangeRequestError,
  createChangeRequestRouter,
  type DescribeWrite,
  memoryStorage,
  type Storage,
} from '../../../src'
import { never } from '../../kernel/support/flags'
import { inProcess } from './in-process'

const throws = () => {
  throw new Error('secret')
}

/** Whether change requests are enabled where the request writes; `unreadable` if that is unknown. */
const settings: Readonly<Record<string, { readonly is: 'on' | 'off' | 'unreadable'; readonly open: () => Storage }>> = {
  on: { is: 'on', open: () => withSettings(true) },
  off: { is: 'off', open: () => withSettings(false) },
  'of an unknown project': { is: 'on', open: memoryStorage },
  invalid: { is: 'on', open: () => withSettings(undefined as never) },
  failing: { is: 'unreadable', open: () => ({ ...memoryStorage(), findSettings: throws, settings: throws }) },
}

function withSettings(changeRequestsEnabled: boolean): Storage {
  const storage = memoryStorage()
  const stored = { environment: 'production', settings: { changeRequestsEnabled, requiredApprovals: 1 }, version: 1 }
  return { ...storage, findSettings: async () => stored, settings: async () => [stored] }
}

/**
 * What `describe` does, and the status of requests without a place: `ends` for all callers, `endsForKnown` for known ones.
 * Both are missing if it returns a place.
 */
const descriptions: Readonly<
  Record<string, { readonly ends?: number; readonly endsForKnown?: number; readonly describe: () => unknown }>
> = {
  'an environment': { describe: () => ({ project: 'shop', environment: 'production' }) },
  'a list': { describe: () => [{ project: 'shop', environment: 'production' }, { project: 'shop' }] },
  'a project': { describe: async () => ({ project: 'shop' }) },
  null: { ends: 200, describe: () => null },
  'throws an error': { endsForKnown: 500, describe: throws },
  'throws an error of the package': {
    ends: 404,
    describe: () => {
      throw new ChangeRequestError('NotFoundError', 'There is no such flag.')
    },
  },
  hangs: { ends: 503, describe: never },
  'a text': { endsForKnown: 500, describe: () => 'shop' },
  'an empty list': { endsForKnown: 500, describe: () => [] },
  'a misspelt property': { endsForKnown: 500, describe: () => ({ project: 'shop', enviroment: 'production' }) },
  'a name that is none': { endsForKnown: 400, describe: () => ({ project: 'shop', environment: '../staging' }) },
  'an environment of null': { endsForKnown: 400, describe: () => ({ project: 'shop', environment: null }) },
}

const ann = { id: 1, username: 'ann' }

/** What `authenticate` does, and the status of requests that need a caller; undefined for a known caller. */
const callers: Readonly<Record<string, { readonly ends?: number; readonly authenticate: () => unknown }>> = {
  'a known caller': { authenticate: () => ann },
  'no caller': { ends: 401, authenticate: () => null },
  'authenticate throws': { ends: 503, authenticate: throws },
  'authenticate returns an invalid result': { ends: 500, authenticate: () => 'ann' },
}

/** What `authorize` returns for SKIP_CHANGE_REQUEST. */
const answers: Readonly<Record<string, { readonly is: boolean | 'unknown'; readonly authorize: () => unknown }>> = {
  held: { is: true, authorize: () => true },
  'not held': { is: false, authorize: () => false },
  'answered with an object': { is: false, authorize: () => ({ allowed: true }) },
  'not answered, with an error': { is: 'unknown', authorize: throws },
}

/** The option `reason` and the header, and whether that is enough. */
const reasons = [
  { reason: 'optional', header: undefined, fits: true },
  { reason: 'optional', header: '%E0%A4%A', fits: false },
  { reason: 'required', header: undefined, fits: false },
  { reason: 'required', header: 'Nobody%20can%20pay', fits: true },
  { reason: 'required', header: 'a'.repeat(1_001), fits: false },
] as const

interface Cell {
  readonly setting: string
  readonly description: string
  readonly caller: string
}

const cells = Object.keys(settings).flatMap((setting) =>
  Object.entries(descriptions).flatMap(([description, { ends, endsForKnown }]) =>
    // The caller is only identified if it matters, and the settings do not matter without a place.
    Object.keys(callers)
      .filter(
        (caller) =>
          caller === 'a known caller' ||
          (ends === undefined && endsForKnown === undefined) ||
          (endsForKnown !== undefined && setting === 'off'),
      )
      .map((caller): Cell => ({ setting, description, caller })),
  ),
)

function expected(cell: Cell, held: boolean | 'unknown', fits: boolean): number {
  const is = settings[cell.setting]?.is
  const { ends, endsForKnown } = descriptions[cell.description] ?? {}
  if (ends !== undefined) return ends
  if (is === 'off' && endsForKnown === undefined) return 200
  const refused = callers[cell.caller]?.ends
  if (refused !== undefined) return refused
  if (endsForKnown !== undefined) return endsForKnown
  if (held === 'unknown') return 503
  if (held) return fits ? 200 : 400
  return is === 'on' ? 403 : 503
}

describe('router.gate', () => {
  it.each(cells)('settings $setting, describe $description, $caller', async (cell) => {
    const authenticate = callers[cell.caller]?.authenticate as Authenticate
    const describeWrite = descriptions[cell.description]?.describe as DescribeWrite
    const requests = Object.entries(answers).flatMap(([answer, { is, authorize }]) => {
      const router = createChangeRequestRouter({
        logger: false,
        storage: settings[cell.setting]?.open() as Storage,
        authenticate,
        authorize: authorize as Authorize,
        directory: { environments: () => [{ name: 'production', type: 'production' }] },
        limits: { hookTimeoutMs: 5 },
      })
      return reasons.map(({ reason, header, fits }) => ({ answer, is, router, reason, header, fits }))
    })
    // Concurrently, because most of them wait for a hook.
    const got = await Promise.all(
      requests.map(async ({ answer, router, reason, header }) => {
        let passed = 0
        const app = express()
        app.patch('/flags/:name', router.gate(describeWrite, { reason }), (_req, res) => {
          passed += 1
          res.end()
        })
        const headers = header === undefined ? {} : { 'change-request-skip-reason': header }
        const { status, body } = await inProcess(app)('/flags/checkout', { headers })
        expect(JSON.stringify(body ?? '')).not.toContain('secret')
        return { answer, reason, header, status, passed }
      }),
    )
    const wanted = requests.map(({ answer, is, reason, header, fits }) => {
      const status = expected(cell, is, fits)
      return { answer, reason, header, status, passed: status === 200 ? 1 : 0 }
    })
    expect(got).toEqual(wanted)
  })
})
