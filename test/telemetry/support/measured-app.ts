import supertest from 'supertest'
import { apiKeys, type Grant, type Storage } from '../../../src'
import { noon } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { type Host, startApp } from '../../support/app'

type Options = Partial<Parameters<typeof startApp>[0]>

const admin = (id: number, name: string) => ({
  key: `secret-key-of-${name}-0123456789`,
  user: { id, username: `user-${name}`, email: `${name}@example.com` },
  grants: [{ permission: 'ADMIN' }] as Grant[],
})

/** The author and the reviewer are admins; the stranger has no permission. */
export const callers = {
  author: admin(41, 'author'),
  reviewer: admin(42, 'reviewer'),
  stranger: { ...admin(43, 'stranger'), grants: [] },
}

export type CallerName = keyof typeof callers

/** Texts that no attribute may contain: flags, people, keys, and the content of requests. */
export const secrets = [
  ...['private-flag', 'private-value', 'private title', 'private comment', 'private reason', 'secret-key'],
  ...['user-author', 'user-reviewer', 'user-stranger', '@example.com'],
]

/** A host app with flags and a clock of its own, which the database knows nothing about, over HTTP. */
export async function measuredApp(storage: Storage, options: Options = {}, host: Host = {}) {
  const flags = new HostFlags()
  const time = { now: Date.parse(noon) }
  const app = await startApp(
    {
      storage: { ...storage, health: () => storage.health().then(({ now: _, ...health }) => health) },
      flags,
      authenticate: apiKeys(Object.values(callers)),
      clock: () => new Date(time.now),
      emergency: true,
      schedule: 'elsewhere',
      telemetry: true,
      ...options,
    },
    host,
  )
  const call = (caller: CallerName, method: 'get' | 'post' | 'put', path: string, body?: object) => {
    const request = supertest(app.server)[method](`/api/admin/projects/shop${path}`)
    return body === undefined
      ? request.set('Authorization', callers[caller].key)
      : request.set('Authorization', callers[caller].key).send(body)
  }
  return {
    ...app,
    flags,
    /** Moves the clock of the host app. */
    pass: (seconds: number) => {
      time.now += seconds * 1_000
    },
    at: (seconds: number) => new Date(time.now + seconds * 1_000).toISOString(),
    call,
    /** Proposes a change of a flag of its own, and returns the id of the change request. */
    async proposed(caller: CallerName = 'author', environment = 'production', flag = 'private-flag'): Promise<number> {
      const change = {
        action: 'addStrategy',
        feature: flag,
        payload: { name: 'default', title: 'private title', parameters: { rollout: 'private-value' }, constraints: [] },
      }
      const { body } = await call(caller, 'post', `/environments/${environment}/change-requests`, change).expect(200)
      return body.id
    },
    to: (caller: CallerName, id: number, state: string, more: object = {}) =>
      call(caller, 'put', `/change-requests/${id}/state`, { state, ...more }),
    comment: (caller: CallerName, id: number) =>
      call(caller, 'post', `/change-requests/${id}/comments`, { text: 'private comment' }),
  }
}

export type MeasuredApp = Awaited<ReturnType<typeof measuredApp>>
