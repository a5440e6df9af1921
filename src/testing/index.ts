import { checkNode } from '../check-node'

export { type OpaqueHandler, opaqueHandlers } from './gate/opaque-handlers'
export { type UngatedOptions, ungatedRoutes } from './gate/ungated-routes'
export { describeHttp } from './http/contract'
export type { Callers, Credentials, HttpHost } from './http/wire/host'
export { nodeTestRunner } from './node-test-runner'
export type { Expectation, Runner } from './runner'
export { describeStorage } from './storage/contract'
export type { OpenStorage } from './storage/suite'

checkNode()
