/**
 * What exists in your app, asked before a change is accepted. Without a method every well-formed name is accepted. A
 * throw is answered with 503 UnavailableError.
 *
 * @example
 * ```ts
 * const directory: Directory = {
 *   hasProject: async (project) => (await knex('projects').where({ id: project }).first()) !== undefined,
 *   knownFeatures: (project, features) => knex('flags').where({ project }).whereIn('name', features).pluck('name'),
 *   environments: () => [{ name: 'production', type: 'production' }],
 * }
 * ```
 */
export interface Directory {
  /** True if the project exists and, where one is given, the environment belongs to it; else 404. */
  hasProject?(project: string, environment?: string): boolean | Promise<boolean>
  /** Of these flags, the ones that the project has. Flags not among them are answered with 404. */
  knownFeatures?(project: string, features: readonly string[]): Iterable<string> | Promise<Iterable<string>>
  /** The environments of the project. Left out: those that the router has stored anything for, as `production`. */
  environments?(project: string): Iterable<Environment> | Promise<Iterable<Environment>>
}

/**
 * An environment of a project, as your {@link Directory} tells it.
 *
 * @example
 * ```ts
 * const environment: Environment = { name: 'staging', type: 'development' }
 * ```
 */
export interface Environment {
  /** As in the paths of the router. */
  readonly name: string
  /** Such as `development` or `production`; shown with the settings. */
  readonly type: string
}
