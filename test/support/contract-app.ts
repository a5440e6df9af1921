import type { RequestHandler } from 'express'
import {
  type ApprovalRule,
  apiKeys,
  type ChangeRequestRouter,
  type ChangeRequestRouterOptions,
  type Grant,
  type Storage,
} from '../../src/index'
import type { HttpHost } from '../../src/testing/index'
import { type Host, startApp } from './app'
import { checkedFetch } from './openapi-answers'

const writer: readonly Grant[] = [{ permission: 'CREATE_CHANGE_REQUEST', project: 'shop', environment: 'production' }]
const reviewer: readonly Grant[] = [
  { permission: 'APPROVE_CHANGE_REQUEST', project: 'shop', environment: 'production' },
  { permission: 'APPLY_CHANGE_REQUEST', project: 'shop', environment: 'production' },
  { permission: 'REPORT_CHECK', project: 'shop', environment: 'production' },
]
const everything: readonly Grant[] = [{ permission: 'ADMIN' }]

const users = {
  author: key(1, 'ann', [...writer, ...reviewer]),
  reviewer: key(2, 'ben', reviewer),
  reviewer2: key(3, 'cleo', reviewer, ['payments']),
  admin: key(4, 'dora', everything),
  reader: key(5, 'eve', [{ permission: 'READ_CHANGE_REQUEST', project: 'shop' }]),
  nobody: key(6, 'finn', []),
  token: key(null, 'robot', everything),
}

function key(id: number | null, username: string, grants: readonly Grant[], groups: readonly string[] = []) {
  return {
    key: `key-of-${username}-0123456789`,
    user: { id, username, email: `${username}@example.com`, groups },
    grants,
  }
}

const paymentsRule: ApprovalRule = {
  name: 'payments owners',
  when: { features: ['pay*'] },
  approvals: 1,
  from: { groups: ['payments'] },
}

const callers = Object.fromEntries(
  Object.entries(users).map(([name, user]) => [name, { Authorization: user.key }]),
) as Record<keyof HttpHost['callers'], { Authorization: string }>

const people = Object.values(users).flatMap(({ user: { id, ...user } }) => (id === null ? [] : [{ ...user, id }]))

/** The users with a grant to approve in production. */
const reviewers = people.filter(({ username }) => ['ann', 'ben', 'cleo', 'dora'].includes(username))

/** An app for the rules of the HTTP contract. All rules can share it; its creator closes it. */
export async function startContractApp(
  storage: Storage,
  options: Partial<ChangeRequestRouterOptions>,
  { proposes = false, ...around }: Host & { readonly proposes?: boolean } = {},
) {
  const place = { project: 'shop', environment: 'production' }
  const direct = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: false } } as const
  let router: ChangeRequestRouter
  let gate: RequestHandler
  const app = await startApp(
    {
      storage,
      authenticate: apiKeys(Object.values(users)),
      approvalRules: [paymentsRule],
      freezes: [{ name: 'Sale', reason: 'Sales', from: '2020-01-01T00:00:00Z', when: { features: ['sale-*'] } }],
      checks: [{ name: 'smoke', when: { features: ['smoky-*'] } }],
      emergency: true,
      objections: true,
      users: { find: (ids) => people.filter(({ id }) => ids.includes(id)), reviewers: () => reviewers },
      // A host without evaluation.
      playground: () => ({ input: {}, features: [] }),
      ...options,
    },
    {
      ...around,
      before(mounted) {
        around.before?.(mounted)
        mounted.patch(
          '/direct/checkout',
          (req, res, next) => gate(req, res, next),
          (_req, res, next) => {
            const event = { type: 'feature-environment-disabled', ...place, featureName: 'checkout' } as const
            router.events.record(event).then(() => res.end(), next)
          },
        )
      },
    },
  )
  router = app.router
  gate = router.gate(() => place, proposes ? { propose: () => direct } : {})
  const host: HttpHost = {
    url: `http://127.0.0.1:${app.port}/api/admin`,
    callers,
    project: 'shop',
    environment: 'production',
    otherProject: 'blog',
    feature: 'checkout',
    playground: true,
    ruled: { feature: 'payment-form', rule: paymentsRule.name },
    frozen: { feature: 'sale-banner', freeze: 'Sale' },
    checked: { feature: 'smoky-banner', check: 'smoke' },
    emergency: true,
    objections: true,
    gated: { method: 'PATCH', url: `http://127.0.0.1:${app.port}/direct/checkout`, proposes },
    fetch: checkedFetch(),
    close: async () => {},
  }
  return { host, runDue: () => app.router.runDue(), close: () => app.close() }
}
