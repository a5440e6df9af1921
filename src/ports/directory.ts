/**
 * The projects, environments and flags of your app, which are checked before a change is accepted. If a method is absent,
 * every well-formed name counts as existing. If a method throws, the response is 503 UnavailableError.
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
  /** True if the project exists and has the environment, if one is given. Otherwise the response is 404. */
  hasProject?(project: string, environment?: string): boolean | Promise<boolean>
  /** Returns those of the flags that exist in the project. For any other flag the response is 404. */
  knownFeatures?(project: string, features: readonly string[]): Iterable<string> | Promise<Iterable<string>>
  /**
   * Returns the names of flags that match the text, for the review page. Only the first 20 are shown. Left out: the page has a
   * text field for the name.
   */
  searchFeatures?(
    query: string,
    place: { readonly project: string; readonly environment: string },
  ): Iterable<string> | Promise<Iterable<string>>
  /** The environments of the project. Left out: those with stored data, each of type `production`. */
  environments?(project: string): Iterable<Environment> | Promise<Iterable<Environment>>
  /** The names of all projects, for the choice of a place on the review page. Left out: those with stored data. */
  projects?(): Iterable<string> | Promise<Iterable<string>>
  /**
   * Returns the segments that match the text and that changes of the project can use. Only the first 20 are shown. Left out: the page
   * has a field for the id.
   */
  searchSegments?(
    query: string,
    place: { readonly project: string },
  ): Iterable<NamedSegment> | Promise<Iterable<NamedSegment>>
  /** The fields that constraints of the project can name. Only the first 200 are shown. Left out: the page has a text field. */
  contextFields?(place: { readonly project: string }): Iterable<ContextField> | Promise<Iterable<ContextField>>
}

/** A segment, as your {@link Directory} finds it. */
export interface NamedSegment {
  /** The id by which strategies name it. */
  readonly id: number
  /** Shown to users. */
  readonly name: string
}

/** A field of the context in which flags are evaluated, such as the country of the user. */
export interface ContextField {
  /** The `contextName` of constraints. */
  readonly name: string
  /** What it is, for users. */
  readonly description?: string | null
  /** The values that it can have, at most 1,000; left out, or empty: any. */
  readonly legalValues?: readonly string[]
  /** Whether a gradual rollout can be sticky to it. */
  readonly stickiness?: boolean
}

/** An environment of a project, as your {@link Directory} returns it. */
export interface Environment {
  /** The name, as in the paths of the router. */
  readonly name: string
  /** The type, such as `development` or `production`; the settings show it. */
  readonly type: string
}
