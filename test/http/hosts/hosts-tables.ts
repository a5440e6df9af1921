import type { Express, RequestHandler, Router } from 'express'
import { isNightly } from '../../support/nightly'
import type { ExpressModule } from './host-apps'

/** A way to mount the router. */
export interface Mount {
  readonly how: string
  /** Where the paths of the router begin for a client. */
  readonly base: string
  readonly basePath?: string
  /** What `authenticate` reads of the path that the host mounts at. */
  readonly tenant?: string
  readonly put: (app: Express, router: Router, express: ExpressModule) => unknown
}

const below = ({ Router }: ExpressModule, path: string, router: Router) =>
  Router({ mergeParams: true }).use(path, router)

/** Every way. */
export const mounts: readonly Mount[] = [
  { how: 'at /', base: '/api/admin', put: (app, router) => app.use(router) },
  { how: 'under a prefix', base: '/flags/api/admin', put: (app, router) => app.use('/flags', router) },
  {
    how: 'two deep',
    base: '/deep/down/api/admin',
    put: (app, router, express) => app.use('/deep', below(express, '/down', router)),
  },
  { how: 'with a base path of its own', base: '/v1', basePath: '/v1', put: (app, router) => app.use(router) },
  { how: 'without a base path', base: '/v1', basePath: '', put: (app, router) => app.use('/v1', router) },
  {
    how: 'behind /:tenant',
    base: '/acme/api/admin',
    tenant: 'acme',
    put: (app, router) => app.use('/:tenant', router),
  },
  {
    how: 'behind /:tenant in a router with mergeParams',
    base: '/acme/flags/api/admin',
    tenant: 'acme',
    put: (app, router, express) => app.use('/:tenant', below(express, '/flags', router)),
  },
  {
    how: 'behind a parameter of the same name as ours',
    base: '/acme/api/admin',
    put: (app, router) => app.use('/:environment', router),
  },
]

/** Body parsers of a host. */
export interface Parsers {
  readonly parsers: string
  /** Parsers that read every body, but not as JSON. */
  readonly readAll?: true
  readonly make: (express: ExpressModule) => RequestHandler[]
}

const bodyParsers: readonly Parsers[] = [
  { parsers: 'json', make: ({ json }) => [json()] },
  { parsers: 'json twice', make: ({ json }) => [json(), json()] },
  { parsers: 'json that takes any value', make: ({ json }) => [json({ strict: false })] },
  { parsers: 'urlencoded', make: ({ urlencoded }) => [urlencoded({ extended: true })] },
  { parsers: 'urlencoded, then json', make: ({ json, urlencoded }) => [urlencoded({ extended: false }), json()] },
  { parsers: 'json, then urlencoded', make: ({ json, urlencoded }) => [json(), urlencoded({ extended: true })] },
  { parsers: 'text of texts', make: ({ text }) => [text()] },
  { parsers: 'raw of bytes', make: ({ raw }) => [raw()] },
  { parsers: 'text of everything', readAll: true, make: ({ text }) => [text({ type: () => true })] },
  { parsers: 'raw of everything', readAll: true, make: ({ raw }) => [raw({ type: () => true })] },
]

/** Every position of the router among the parsers of the host. */
const orders = [
  { order: 'without', parsers: 'a parser', make: () => [] },
  ...bodyParsers.map((row) => ({ order: 'before', ...row })),
  ...bodyParsers.map((row) => ({ order: 'behind', ...row })),
] as readonly (Parsers & { readonly order: 'without' | 'before' | 'behind' })[]

/** All of them nightly and for the first mount; otherwise a third for each mount, different from those of its neighbours. */
export function ordersOf(mount: Mount): typeof orders {
  const first = mounts.indexOf(mount)
  return isNightly || first === 0 ? orders : orders.filter((_, index) => index % 3 === first % 3)
}
