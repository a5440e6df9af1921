import type { Who } from '../../../kernel/support/fixture'

/**
 * A second implementation of preset schedules, freezes and the expiry of approvals, written from their description: what a
 * step does to two change requests, of Ann and of Ben.
 */

const [minute, hour] = [60_000, 3_600_000]

export const flags = ['checkout', 'search'] as const
export type Flag = (typeof flags)[number]

export interface ModelOptions {
  readonly minimum: number
  readonly approvalsExpireAfterMs: number | null
}
export const presetScheduleMs = 4 * hour
export const scheduleGraceMs = hour

export interface ModelFreeze {
  readonly name: string
  readonly from: number
  readonly until: number | null
  readonly suspends: boolean
  /** Null for all flags. */
  readonly flag: Flag | null
}

/** Which change request: that of Ann (0) or of Ben (1). */
interface Aimed {
  readonly slot: 0 | 1
}
interface Taken extends Aimed {
  readonly who: Who
}

/** Plain data, so that a failing sequence is readable. Times are in milliseconds from now. */
export type Step =
  | (Aimed & { readonly do: 'propose'; readonly flags: readonly Flag[] })
  | (Aimed & { readonly do: 'edit'; readonly flag: Flag })
  | (Aimed & { readonly do: 'submit' | 'rebase' | 'cancel' })
  | (Taken & { readonly do: 'approve'; readonly by: 'nothing' | 'digest' })
  | (Taken & { readonly do: 'reject' | 'withdraw' | 'apply' | 'emergency' })
  | (Taken & { readonly do: 'schedule'; readonly inMs: number })
  | (Taken & { readonly do: 'preset'; readonly inMs: number | 'approval' })
  | {
      readonly do: 'freeze'
      readonly inMs: number
      readonly forMs: number | null
      readonly suspends: boolean
      readonly flag: Flag | null
    }
  | { readonly do: 'thaw'; readonly index: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'host'; readonly flag: Flag; readonly title: string | null }
  | { readonly do: 'person'; readonly who: Who; readonly exists: boolean }
  | { readonly do: 'run'; readonly gatewayFails: boolean }

/** Why a schedule was suspended or failed. */
export type Kind = 'late' | 'missed' | 'frozen' | 'person' | 'conflict' | 'overwrite' | 'target' | 'approvals'

export interface ModelledChange {
  readonly flag: Flag
  readonly title: string
  /** The title of the flag when it was proposed; null if its strategy did not exist. */
  readonly base: string | null
}

export class Modelled {
  readonly id: number
  readonly author: Who
  state = 'Draft'
  changes: ModelledChange[] = []
  votes: { readonly who: Who; readonly at: number }[] = []
  preset: {
    readonly time: number | 'approval'
    readonly by: Who
    readonly expires: number
    readonly withdrawn?: string
  } | null = null
  schedule: { readonly at: number; readonly status: string; readonly kinds: readonly Kind[] } | null = null
  scheduledBy: Who = 'ann'
  targets: readonly (string | null)[] = []
  dueAt = 0
  held: { readonly by: string; readonly until: number | null } | null = null
  holdEnded: number | null = null
  applied = 0
  /** The types of its events. */
  readonly events: string[] = ['created']

  constructor(id: number, author: Who) {
    this.id = id
    this.author = author
  }

  get isPending(): boolean {
    return this.state === 'Scheduled' && this.schedule?.status === 'pending'
  }

  get isClosed(): boolean {
    return ['Applied', 'Rejected', 'Cancelled'].includes(this.state)
  }
}

export const authors: readonly [Who, Who] = ['ann', 'ben']

export class ScheduleModel {
  readonly #options: ModelOptions
  now: number
  readonly titles = new Map<Flag, string | null>(flags.map((flag) => [flag, 'everybody']))
  freezes: ModelFreeze[] = []
  readonly gone = new Set<Who>()
  readonly requests: (Modelled | undefined)[] = [undefined, undefined]
  /** Closed ones that have a successor. */
  readonly past: Modelled[] = []
  #lastId = 0
  #names = 0

  constructor(options: ModelOptions, now: number) {
    this.#options = options
    this.now = now
  }

  /** The title that the next proposed change sets. */
  get nextTitle(): string {
    return `title ${this.#names + 1}`
  }

  /** Takes the step; false if it is rejected. */
  take(step: Step): boolean {
    switch (step.do) {
      case 'wait':
        this.now += step.ms
        return true
      case 'host':
        this.titles.set(step.flag, step.title)
        return true
      case 'person':
        if (step.exists) this.gone.delete(step.who)
        else this.gone.add(step.who)
        return true
      case 'freeze': {
        const { inMs, forMs, suspends, flag } = step
        const from = this.now + inMs
        this.#names += 1
        const until = forMs === null ? null : from + forMs
        this.freezes.push({ name: `freeze ${this.#names}`, from, until, suspends, flag })
        return true
      }
      case 'thaw':
        this.freezes.splice(step.index, 1)
        return true
      case 'run':
        this.#run(step.gatewayFails)
        return true
      case 'propose':
        return this.#propose(step.slot, step.flags)
      default: {
        const request = this.requests[step.slot]
        return request !== undefined && this.#takeOn(request, step)
      }
    }
  }

  /** Whether the preset schedule of a change request is in force. */
  presetEnd({ preset }: Modelled): string | null {
    if (preset === null) return null
    return preset.withdrawn ?? (this.now >= preset.expires ? 'expired' : null)
  }

  #propose(slot: 0 | 1, proposed: readonly Flag[]): boolean {
    const current = this.requests[slot]
    if (current !== undefined) this.past.push(current)
    this.#lastId += 1
    const request = new Modelled(this.#lastId, authors[slot])
    this.#names += 1
    request.changes = proposed.map((flag) => this.#change(flag, `title ${this.#names}`))
    this.requests[slot] = request
    return true
  }

  #change(flag: Flag, title: string): ModelledChange {
    return { flag, title, base: this.titles.get(flag) as string | null }
  }

  #takeOn(request: Modelled, step: Exclude<Extract<Step, Aimed>, { readonly do: 'propose' }>): boolean {
    const { state, author } = request
    switch (step.do) {
      case 'submit':
        if (state !== 'Draft') return false
        request.state = 'In review'
        request.events.push('sent-to-review')
        return true
      case 'edit': {
        if (!['Draft', 'In review', 'Approved'].includes(state)) return false
        this.#names += 1
        request.changes = [...request.changes.slice(1), this.#change(step.flag, `title ${this.#names}`)]
        this.#endPreset(request, 'edit')
        this.#unapprove(request)
        return true
      }
      case 'rebase':
        if (request.isClosed) return false
        request.changes = request.changes.map(({ flag, title }) => this.#change(flag, title))
        this.#endPreset(request, 'rebase')
        this.#unapprove(request)
        return true
      case 'cancel':
        if (!['Draft', 'In review', 'Approved'].includes(state)) return false
        this.#endPreset(request, 'closed')
        this.#close(request, 'Cancelled', 'cancelled')
        return true
    }
    // Only its author sees a draft.
    if (state === 'Draft' && step.who !== author) return false
    switch (step.do) {
      case 'approve':
        return this.#approve(request, step.who, step.by === 'digest')
      case 'reject': {
        const mayReject = state === 'In review' && step.who !== author && !this.#hasVoted(request, step.who)
        if (!mayReject && state !== 'Scheduled') return false
        this.#endPreset(request, 'closed')
        this.#close(request, 'Rejected', 'rejected')
        return true
      }
      case 'withdraw':
        if (!['In review', 'Approved'].includes(state)) return false
        this.#endPreset(request, 'user')
        return true
      case 'preset':
        return this.#presetSchedule(request, step.who, step.inMs === 'approval' ? 'approval' : this.now + step.inMs)
      case 'schedule': {
        const at = this.now + step.inMs
        if (step.inMs < -minute || !['Approved', 'Scheduled'].includes(state) || !this.#isApproved(request))
          return false
        if (this.#inForce(request, at).length > 0 || !this.#canSchedule(request, at)) return false
        this.#enterSchedule(request, step.who, at)
        return true
      }
      case 'apply':
        if (!['Approved', 'Scheduled'].includes(state) || !this.#isApproved(request)) return false
        if (this.#inForce(request, this.now).length > 0 || this.#misfits(request).length > 0) return false
        this.#apply(request)
        return true
      case 'emergency':
        if (request.isClosed || this.#misfits(request).length > 0) return false
        this.#apply(request)
        return true
    }
  }

  /** Votes are for the previous content. */
  #unapprove(request: Modelled): void {
    request.votes = []
    if (request.state !== 'Draft') request.state = 'In review'
    this.#unschedule(request)
  }

  #unschedule(request: Modelled): void {
    request.schedule = null
    request.held = null
    request.holdEnded = null
  }

  #close(request: Modelled, state: string, event: string): void {
    this.#unschedule(request)
    request.state = state
    request.events.push(event)
  }

  #endPreset(request: Modelled, cause: string): void {
    if (request.preset !== null && this.presetEnd(request) === null)
      request.preset = { ...request.preset, withdrawn: cause }
  }

  #expiryOf({ at }: Modelled['votes'][number]): number {
    return at + (this.#options.approvalsExpireAfterMs ?? Number.POSITIVE_INFINITY)
  }

  #counted({ votes }: Modelled, at = this.now) {
    return votes.filter((vote) => at < this.#expiryOf(vote))
  }

  #isApproved(request: Modelled, at = this.now): boolean {
    return this.#counted(request, at).length >= this.#options.minimum
  }

  #hasVoted(request: Modelled, who: Who): boolean {
    return this.#counted(request).some((vote) => vote.who === who)
  }

  #inForce({ changes }: Modelled, at: number): ModelFreeze[] {
    return this.freezes.filter(
      ({ from, until, flag }) =>
        from <= at && (until === null || at < until) && (flag === null || changes.some((one) => one.flag === flag)),
    )
  }

  /** Conflicts with the flags, and overwrites. */
  #misfits({ changes }: Modelled): Kind[] {
    return changes.flatMap(({ flag, base, title }): Kind[] => {
      const current = this.titles.get(flag) as string | null
      if (current === null) return ['conflict']
      return current !== base && current !== title ? ['overwrite'] : []
    })
  }

  /** The approvals count at the time, and the changes fit. */
  #canSchedule(request: Modelled, at: number): boolean {
    return this.#misfits(request).length === 0 && this.#isApproved(request, Math.max(at, this.now))
  }

  #approve(request: Modelled, who: Who, byDigest: boolean): boolean {
    const { state, author } = request
    if (who === author || !['In review', 'Approved', 'Scheduled'].includes(state)) return false
    if (byDigest && request.preset !== null && this.presetEnd(request) === null) return false
    if ((state !== 'In review' && this.#isApproved(request)) || this.#hasVoted(request, who)) return false
    request.votes = [...request.votes.filter((vote) => vote.who !== who), { who, at: this.now }]
    // A write stores again when it is due: the freezes of a held one are checked in the next run.
    if (request.isPending) request.dueAt = request.holdEnded ?? request.schedule?.at ?? 0
    request.events.push('approval-added')
    if (!this.#isApproved(request)) return true
    if (state === 'In review') {
      request.state = 'Approved'
      request.events.push('approved')
    }
    if (request.state === 'Approved' && request.preset !== null && this.presetEnd(request) === null) {
      this.#scheduleAtLast(request, request.preset)
    }
    return true
  }

  /** The last approval puts a preset schedule into effect. */
  #scheduleAtLast(request: Modelled, { time, by }: NonNullable<Modelled['preset']>): void {
    if (this.gone.has(by)) {
      this.#endPreset(request, 'person-gone')
      return
    }
    const at = time === 'approval' ? this.now : time
    const missing: Kind[] = []
    if (at < this.now - minute) missing.push('late')
    else {
      missing.push(...this.#misfits(request))
      if (!this.#isApproved(request, Math.max(at, this.now))) missing.push('approvals')
      for (const { suspends } of this.#inForce(request, at)) if (suspends) missing.push('frozen')
    }
    this.#enterSchedule(request, by, at)
    if (missing.length > 0) this.#suspend(request, missing)
  }

  #enterSchedule(request: Modelled, who: Who, at: number): void {
    this.#unschedule(request)
    request.preset = null
    request.state = 'Scheduled'
    request.schedule = { at, status: 'pending', kinds: [] }
    request.scheduledBy = who
    request.dueAt = at
    request.targets = this.#targetsOf(request)
    request.events.push('scheduled')
  }

  #targetsOf({ changes }: Modelled): readonly (string | null)[] {
    return changes.map(({ flag }) => this.titles.get(flag) as string | null)
  }

  #suspend(request: Modelled, kinds: readonly Kind[]): void {
    request.schedule = { at: request.schedule?.at ?? 0, status: 'suspended', kinds }
    request.held = null
    request.events.push('schedule-suspended')
  }

  #apply(request: Modelled, events: readonly string[] = ['applied']): void {
    request.preset = null
    request.applied += 1
    this.#unschedule(request)
    request.state = 'Applied'
    request.events.push(...events)
  }

  #presetSchedule(request: Modelled, who: Who, time: number | 'approval'): boolean {
    const { state, preset } = request
    if (time !== 'approval' && time < this.now - minute) return false
    if (!['In review', 'Approved'].includes(state)) return false
    if (time !== 'approval' && this.#inForce(request, time).length > 0) return false
    if (state === 'Approved' && this.#isApproved(request)) {
      const at = time === 'approval' ? this.now : time
      if (time === 'approval' && this.#inForce(request, at).some(({ suspends }) => suspends)) return false
      if (!this.#canSchedule(request, at)) return false
      this.#enterSchedule(request, who, at)
      return true
    }
    // The same by the same user changes nothing, so it does not last longer.
    const isSame = preset !== null && this.presetEnd(request) === null && preset.time === time && preset.by === who
    if (!isSame) request.preset = { time, by: who, expires: this.now + presetScheduleMs }
    return true
  }

  /** Applies what is due, in its order. */
  #run(gatewayFails: boolean): void {
    const due = this.requests
      .filter((one): one is Modelled => one?.isPending === true && one.dueAt <= this.now)
      .sort((one, other) => one.dueAt - other.dueAt || this.#compare(one, other))
    const left = new Set<Flag>()
    for (const request of due) {
      if (request.changes.some(({ flag }) => left.has(flag))) continue
      if (this.#runOne(request, gatewayFails) === 'left') for (const { flag } of request.changes) left.add(flag)
    }
  }

  #compare(one: Modelled, other: Modelled): number {
    return (one.schedule?.at ?? 0) - (other.schedule?.at ?? 0) || one.id - other.id
  }

  #runOne(request: Modelled, gatewayFails: boolean): 'left' | undefined {
    const frozenBy = this.#inForce(request, this.now)
    if (frozenBy.some(({ suspends }) => suspends)) return void this.#suspend(request, ['frozen'])
    const [freeze] = frozenBy.sort((one, other) => endOf(other) - endOf(one))
    if (freeze !== undefined) return this.#hold(request, { by: freeze.name, until: freeze.until })
    const before = this.requests.find((other) => other !== undefined && this.#waitsFor(request, other))
    if (before?.held != null) return this.#hold(request, before.held)
    if (request.held !== null) {
      // Where the end is unknown, the hold ends now.
      const { by, until } = request.held
      const end = this.freezes.find(({ name }) => name === by)?.until ?? until
      request.holdEnded = end !== null && end <= this.now ? this.#endOfFreezes(request, end) : this.now
      request.held = null
    }
    const since = this.#endOfFreezes(request, request.holdEnded ?? request.schedule?.at ?? 0)
    if (this.now - since > scheduleGraceMs) return void this.#suspend(request, ['missed'])
    if (this.gone.has(request.scheduledBy)) return void this.#suspend(request, ['person'])
    if (gatewayFails) return 'left'
    const missing: Kind[] = this.#misfits(request)
    if (missing.includes('conflict')) {
      request.schedule = { at: this.now, status: 'failed', kinds: ['conflict'] }
      request.events.push('scheduled-application-failure')
      return undefined
    }
    const current = this.#targetsOf(request)
    for (const [index, target] of request.targets.entries()) if (target !== current[index]) missing.push('target')
    if (!this.#isApproved(request)) missing.push('approvals')
    if (missing.length > 0) this.#suspend(request, missing)
    else this.#apply(request, ['applied', 'scheduled-application-success'])
    return undefined
  }

  #hold(request: Modelled, held: NonNullable<Modelled['held']>): undefined {
    const full = (Math.floor(this.now / (5 * minute)) + 1) * 5 * minute
    request.held = held
    request.holdEnded = null
    request.dueAt = held.until !== null && held.until > this.now ? Math.min(held.until, full) : full
  }

  /** A held one of the same flag is to be applied first. */
  #waitsFor(request: Modelled, other: Modelled): boolean {
    const isHeld = other.isPending && other.held !== null && this.#compare(other, request) < 0
    return isHeld && other.changes.some(({ flag }) => request.changes.some((one) => one.flag === flag))
  }

  #endOfFreezes(request: Modelled, from: number): number {
    const [latest] = this.#inForce(request, from).sort((one, other) => endOf(other) - endOf(one))
    return latest === undefined || latest.until === null ? from : this.#endOfFreezes(request, latest.until)
  }
}

function endOf({ until }: ModelFreeze): number {
  return until ?? Number.MAX_SAFE_INTEGER
}
