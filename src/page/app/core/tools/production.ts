/** Types of environments by name, from the settings of projects. */
const types = new Map<string, string>()

/** Whether what happens in the environment is live for everybody. */
export function isProduction(environment: string, type = types.get(environment)): boolean {
  return type === 'production' || environment === 'production'
}

/** Keeps what the settings of a project say about its environments. */
export function rememberTypes(settings: readonly { readonly environment: string; readonly type: string }[]): void {
  for (const { environment, type } of settings) types.set(environment, type)
}
