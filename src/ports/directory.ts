/** What exists in the host, asked before a change is accepted. Without a method every well-formed name is accepted. */
export interface Directory {
  /** True if the project exists and, where one is given, the environment belongs to it. */
  hasProject?(project: string, environment?: string): boolean | Promise<boolean>
  /** Of these flags, the ones that the project has. Flags not among them are answered with 404. */
  knownFeatures?(project: string, features: readonly string[]): Iterable<string> | Promise<Iterable<string>>
  /** The environments of the project. Left out: those that the router has stored anything for, as `production`. */
  environments?(project: string): Iterable<Environment> | Promise<Iterable<Environment>>
}

export interface Environment {
  readonly name: string
  /** Such as `development` or `production`. */
  readonly type: string
}
