/** Whether what happens in the environment is live for everybody. */
export function isProduction(environment: string, type?: string): boolean {
  return type === 'production' || environment === 'production'
}
