/** What is to happen to schedules that follow each other, by the rules of contract 25.3, written again without the code. */

export type Field = 'enabled' | 'rollout'
export type Value = boolean | number

export interface Setting {
  readonly flag: string
  readonly field: Field
  readonly value: Value
}

/** Times are minutes since the start. */
export interface When {
  readonly time: number | null
  readonly after: number | null
  readonly minutes: number | null
}

type Status = 'pending' | 'suspended' | 'failed' | 'Applied' | 'Rejected'

interface Request {
  readonly id: number
  readonly settings: readonly Setting[]
  /** The values when it was proposed. */
  readonly base: Map<string, Value>
  /** The values when it was scheduled, or when its predecessor was applied. */
  known: Map<string, Value>
  status: Status
  time: number
  follows: number | null
  minutes: number | null
  /** Its predecessor was applied. */
  isFree: boolean
  appliedAt: number
}

const keyOf = ({ flag, field }: Omit<Setting, 'value'>) => `${flag} ${field}`

export class FollowModel {
  readonly requests = new Map<number, Request>()
  readonly values = new Map<string, Value>()
  /** The request that changed a field last; 0 for the host. */
  readonly #setBy = new Map<string, number>()
  /** Fields that a request overwrote although not its predecessor had changed them last. */
  readonly violations: string[] = []
  now = 0
  /** The flag whose next apply fails. */
  refused: string | null = null
  readonly #freeze: readonly [from: number, until: number]

  constructor(freeze: readonly [from: number, until: number]) {
    this.#freeze = freeze
  }

  value(key: string): Value {
    return this.values.get(key) ?? (key.endsWith('enabled') ? false : 50)
  }

  set(setting: Setting, by: number): void {
    const key = keyOf(setting)
    if (this.value(key) === setting.value) return
    this.values.set(key, setting.value)
    this.#setBy.set(key, by)
  }

  propose(id: number, settings: readonly Setting[]): void {
    const base = this.#read(settings)
    const fresh = {
      known: base,
      status: 'Rejected',
      time: 0,
      follows: null,
      minutes: null,
      isFree: false,
      appliedAt: 0,
    }
    this.requests.set(id, { id, settings, base, ...fresh } as Request)
  }

  /** Those that it can follow at some time. */
  possibleFor(id: number): number[] {
    return [...this.requests.values()]
      .filter((other) => this.#canFollow(this.#get(id), other, null))
      .map((one) => one.id)
  }

  /** Whether it can be scheduled so. If yes, it is. */
  schedule(id: number, { time, after, minutes }: When): boolean {
    const request = this.#get(id)
    if (this.#overwritten(request).length > 0) return false
    if (time !== null && this.#isFrozen(time)) return false
    const other = after === null ? undefined : this.#get(after)
    if (other !== undefined && !this.#canFollow(request, other, time)) return false
    const previous = request.follows === null ? undefined : this.requests.get(request.follows)
    const isKept = after === null && previous?.status === 'Applied'
    request.follows = isKept ? request.follows : after
    request.isFree = isKept
    request.minutes = minutes
    request.time = time ?? (other as Request).time + (minutes as number)
    request.status = 'pending'
    request.known = this.#read(request.settings)
    return true
  }

  /** Whether it can be applied by hand. If yes, it is. */
  apply(id: number): boolean {
    const request = this.#get(id)
    if (this.#isFrozen(this.now) || this.#overwritten(request).length > 0) return false
    // A failure by hand changes nothing.
    if (this.#refuses(request)) return false
    this.#write(request)
    return true
  }

  reject(id: number): void {
    this.#get(id).status = 'Rejected'
  }

  suspend(id: number): void {
    const request = this.#get(id)
    if (request.status === 'pending') request.status = 'suspended'
  }

  /** Everything that happens by itself until now. */
  settle(): void {
    for (;;) {
      while (this.#follow()) {}
      const due = [...this.requests.values()]
        .filter((one) => one.status === 'pending' && !this.#isWaiting(one) && one.time <= this.now)
        .sort((one, other) => one.time - other.time || one.id - other.id)
      const [next] = this.#isFrozen(this.now) ? [] : due
      if (next === undefined) return
      this.#run(next)
    }
  }

  #follow(): boolean {
    let hasChanged = false
    for (const request of this.requests.values()) {
      if (!this.#isWaiting(request)) continue
      const other = this.#get(request.follows as number)
      const before = `${request.status} ${request.time} ${request.isFree}`
      if (other.status === 'Applied') this.#free(request, other)
      else if (other.status !== 'pending') request.status = 'suspended'
      else if (request.minutes !== null) request.time = other.time + request.minutes
      else if (other.time >= request.time) request.status = 'suspended'
      if (before !== `${request.status} ${request.time} ${request.isFree}`) hasChanged = true
    }
    return hasChanged
  }

  #free(request: Request, other: Request): void {
    if (this.#overwritten(request).length > 0) {
      request.status = 'suspended'
      return
    }
    request.isFree = true
    request.known = this.#read(request.settings)
    if (request.minutes !== null) request.time = other.appliedAt + request.minutes
    request.minutes = null
  }

  #run(request: Request): void {
    const isChanged = [...request.known].some(([key, value]) => this.value(key) !== value)
    if (isChanged || this.#overwritten(request).length > 0) request.status = 'suspended'
    else if (this.#refuses(request)) request.status = 'failed'
    else this.#write(request)
  }

  #refuses({ settings }: Request): boolean {
    const isRefused = settings.some(({ flag }) => flag === this.refused)
    if (isRefused) this.refused = null
    return isRefused
  }

  #write(request: Request): void {
    for (const key of this.#differing(request)) {
      const by = this.#setBy.get(key)
      if (by !== request.follows) this.violations.push(`${request.id} overwrites ${key}, set by ${by}`)
    }
    for (const setting of request.settings) this.set(setting, request.id)
    request.status = 'Applied'
    request.appliedAt = this.now
  }

  /** The fields that were changed since it was proposed, and that it would change again. */
  #differing({ settings, base }: Request): string[] {
    return settings
      .filter((one) => this.value(keyOf(one)) !== base.get(keyOf(one)) && this.value(keyOf(one)) !== one.value)
      .map(keyOf)
  }

  /** Those that its predecessor did not change last. */
  #overwritten(request: Request): string[] {
    return this.#differing(request).filter((key) => this.#setBy.get(key) !== request.follows)
  }

  #canFollow(request: Request, other: Request, time: number | null): boolean {
    const flags = request.settings.map(({ flag }) => flag)
    if (other.status !== 'pending' || !other.settings.some(({ flag }) => flags.includes(flag))) return false
    for (let one: Request | undefined = other; one !== undefined; ) {
      if (one.id === request.id) return false
      one = this.#isWaiting(one) ? this.requests.get(one.follows as number) : undefined
    }
    return time === null || other.time < time
  }

  #isWaiting({ status, follows, isFree }: Request): boolean {
    return status === 'pending' && follows !== null && !isFree
  }

  #isFrozen(time: number): boolean {
    const [from, until] = this.#freeze
    return time >= from && time < until
  }

  #read(settings: readonly Setting[]): Map<string, Value> {
    return new Map(settings.map((one) => [keyOf(one), this.value(keyOf(one))]))
  }

  #get(id: number): Request {
    const request = this.requests.get(id)
    if (request === undefined) throw new Error(`The model has no request ${id}.`)
    return request
  }
}
