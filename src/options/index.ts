export type { Limits } from './limits'
export { resolveOptions } from './resolve-options'
export type { ChangeRequestRouterOptions, ResolvedOptions } from './router-options'
