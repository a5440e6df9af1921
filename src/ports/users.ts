/** A person as the host knows them now. */
export interface User {
  readonly id: number
  readonly email: string
  readonly username?: string | null
  readonly name?: string | null
  readonly imageUrl?: string | null
}

/** The people of the host. Without it nobody can be requested as an approver, and names are shown as stored. */
export interface UserDirectory {
  /** Of these people, those whom the host still knows. */
  find(ids: readonly number[]): Promise<Iterable<User>> | Iterable<User>
  /** Who may approve in the project and environment. */
  reviewers(project: string, environment: string): Promise<Iterable<User>> | Iterable<User>
}
