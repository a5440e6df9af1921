/** Types of environments by name, from the settings of projects. */
const types = new Map<string, string>()

/** Where a change of a segment takes effect. No environment has this name: names have no blanks. */
export const everywhere = 'all environments'

interface Reach {
  readonly environment: string
  readonly features: readonly unknown[]
  readonly segments: readonly unknown[]
}

/** Where changes take effect: those of flags in the environment of the request, those of segments everywhere. */
export function reachOf({ environment, features, segments }: Reach): string {
  if (segments.length === 0) return environment
  return features.length === 0 ? everywhere : `${environment} (segments: ${everywhere})`
}

/** The same of changes that are compared. */
export function reachOfTargets(environment: string, targets: readonly { readonly kind: 'flag' | 'segment' }[]): string {
  const of = (kind: 'flag' | 'segment') => targets.filter((target) => target.kind === kind)
  return reachOf({ environment, features: of('flag'), segments: of('segment') })
}

/** Whether what happens there is live for everybody. */
export function isProduction(environment: string, type = types.get(environment)): boolean {
  return type === 'production' || environment === 'production' || environment.includes(everywhere)
}

/** Keeps what the settings of a project say about its environments. */
export function rememberTypes(settings: readonly { readonly environment: string; readonly type: string }[]): void {
  for (const { environment, type } of settings) types.set(environment, type)
}
